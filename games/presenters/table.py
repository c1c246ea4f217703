"""The table as one viewer sees it, ready to be drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.actions import (
    BOT,
    DISCARD,
    LEFT,
    PASS,
    PLACE,
    PLAYER,
    TIMEOUT,
    Action,
    Entry,
)
from games.engine.options import Options
from games.engine.tiles import Tile

from .board import Board, boards
from .rules import match_words, preset_name, rules_paragraph
from .words import LEVEL_NAMES, duration, end_name, listed, pips, unbroken

if TYPE_CHECKING:
    from games.selectors import FinishedRound, SeatInfo, TableView

# Where the seats sit on a wide screen, clockwise from the one after the viewer.
_PLACES = {4: ("left", "top", "right"), 5: ("left", "top-left", "top-right", "right")}


@dataclass(frozen=True, slots=True)
class SeatCard:
    """One seat around the table."""

    position: int
    name: str
    kind: str
    place: str
    you: bool
    partner: bool
    to_move: bool
    hand_count: int
    dead_count: int
    badges: tuple[str, ...]

    @property
    def counts(self) -> str:
        """The tile backs and the dead pile in words."""
        hand = ngettext("%(count)d tile", "%(count)d tiles", self.hand_count)
        words = hand % {"count": self.hand_count}
        if not self.dead_count:
            return words
        dead = ngettext("%(count)d dead", "%(count)d dead", self.dead_count)
        return f"{words}, {dead % {'count': self.dead_count}}"


@dataclass(frozen=True, slots=True)
class HandTile:
    """A tile of the viewer's own hand. `action` is set where one tap plays it."""

    tile: Tile
    ends: tuple[str, ...]
    selectable: bool
    selected: bool
    words: str
    action: str | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """A button that plays the selected tile."""

    action: str
    label: str
    end: str | None


@dataclass(frozen=True, slots=True)
class LogLine:
    text: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One finished round on the score sheet. `best` is the index of the winning column."""

    number: int
    cells: tuple[int, ...]
    best: int


@dataclass(frozen=True, slots=True)
class Sheet:
    columns: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    totals: tuple[int, ...]
    goal: str


@dataclass(frozen=True, slots=True)
class Place:
    """One line of the result: a seat, or a team."""

    rank: int
    name: str
    total: int
    left: bool


@dataclass(frozen=True, slots=True)
class TableScreen:
    """Everything that games/table.html draws."""

    title: str
    preset: str
    boards: tuple[Board, ...]
    seats: tuple[SeatCard, ...]
    me: SeatCard | None
    hand: tuple[HandTile, ...]
    own_dead: tuple[Tile, ...]
    choices: tuple[Choice, ...]
    my_turn: bool
    discarding: bool
    headline: str
    hint: str
    summary: str
    round_before: str
    vote: str
    alone: bool
    news: tuple[str, ...]
    log: tuple[LogLine, ...]
    sheet: Sheet | None
    result: tuple[Place, ...]
    rules: list[str]


def table_screen(
    table: TableView, selected: Tile | None = None, *, confirm_moves: bool = True
) -> TableScreen:
    """What the viewer of `table` sees, with the `selected` tile of his hand picked up."""
    legal = table.round.legal if table.round and "act" in table.can else ()
    picked = tuple(action for action in legal if selected and action.tile == selected)
    if not picked:
        selected = None
    cards = _cards(table)
    me = next((card for card in cards if card.you), None)
    log = _log(table)
    return TableScreen(
        title=_title(table, cards),
        preset=preset_name(table.options),
        boards=_boards(table, selected, picked),
        seats=tuple(card for card in cards if not card.you),
        me=me,
        hand=_hand(table, legal, selected, confirm_moves=confirm_moves),
        own_dead=table.round.own_dead if table.round else (),
        choices=tuple(_choice(table, action) for action in picked),
        my_turn=bool(legal),
        discarding=bool(legal) and legal[0].act == DISCARD,
        headline=_headline(table, cards, legal),
        hint=unbroken(_hint(table, legal, selected)),
        summary=_summary(table, legal),
        round_before=_round_before(table),
        vote=_vote(table),
        alone=all(info.you for info in _people(table)),
        news=_news(table),
        log=log,
        sheet=score_sheet(table.options, side_names(table), table.finished, table.totals),
        result=_result(table),
        rules=rules_paragraph(table.options, table.turn_seconds),
    )


# --- seats ---------------------------------------------------------------------------------------


def _cards(table: TableView) -> list[SeatCard]:
    """Clockwise, beginning after the viewer, or with seat 0 for one who only watches."""
    players = table.options.players
    first = 0 if table.you is None else table.you + 1
    order = [(first + step) % players for step in range(players)]
    places = (*_PLACES[players], "bottom")
    return [
        _card(table, info, place)
        for position, place in zip(order, places, strict=True)
        if (info := table.seats[position]) is not None
    ]


def _card(table: TableView, info: SeatInfo, place: str) -> SeatCard:
    partner = table.options.teams and table.you is not None and (table.you + 2) % 4 == info.position
    return SeatCard(
        position=info.position,
        name=_("You") if info.you else info.name,
        kind=info.kind,
        place=place,
        you=info.you,
        partner=partner,
        to_move=info.to_move,
        hand_count=info.hand_count,
        dead_count=info.dead_count,
        badges=tuple(seat_badges(info, partner=partner)),
    )


def seat_badges(info: SeatInfo, *, partner: bool = False) -> list[str]:
    """The marks of a seat, in a word or two each."""
    badges = []
    if partner:
        badges.append(_("partner"))
    if info.kind == "bot":
        badges.append(_("bot %(level)s") % {"level": LEVEL_NAMES.get(info.level or "", "")})
    if info.kind == "guest":
        badges.append(_("guest"))
    if info.left:
        badges.append(_("left"))
    elif info.absent:
        badges.append(_("away, a bot plays"))
    elif info.missed:
        missed = ngettext("%(count)d turn missed", "%(count)d turns missed", info.missed)
        badges.append(missed % {"count": info.missed})
    return badges


def names(table: TableView) -> list[str]:
    """By seat; the viewer is "You"."""
    return ["–" if seat is None else _("You") if seat.you else seat.name for seat in table.seats]


def _people(table: TableView) -> list[SeatInfo]:
    """The seats of those who have not left for good."""
    return [info for info in table.seats if info and info.kind != "bot" and not info.left]


def side_names(table: TableView) -> tuple[str, ...]:
    """What the columns of the score sheet are called: seats, or pairs."""
    return sides(table.options, names(table))


def sides(options: Options, by_seat: Sequence[str]) -> tuple[str, ...]:
    if not options.teams:
        return tuple(by_seat)
    return (f"{by_seat[0]} + {by_seat[2]}", f"{by_seat[1]} + {by_seat[3]}")


# --- layout and hand -----------------------------------------------------------------------------


def _boards(table: TableView, selected: Tile | None, picked: Sequence[Action]) -> tuple[Board, ...]:
    if table.round is None:
        return boards(table.last.line) if table.last else boards(())
    mine = [ply for ply, entry in enumerate(table.round.log) if entry.seat == table.you]
    fresh = mine[-1] + 1 if mine and table.you is not None else None
    ends = [action.end for action in picked if action.act == PLACE and action.end]
    return boards(table.round.line, selected=selected, ends=ends, fresh_from=fresh)


def _hand(
    table: TableView, legal: Sequence[Action], selected: Tile | None, *, confirm_moves: bool
) -> tuple[HandTile, ...]:
    if table.round is None:
        return ()
    return tuple(
        _hand_tile(table, tile, [a for a in legal if a.tile == tile], selected, confirm_moves)
        for tile in table.round.hand
    )


def _hand_tile(
    table: TableView,
    tile: Tile,
    actions: Sequence[Action],
    selected: Tile | None,
    confirm_moves: bool,
) -> HandTile:
    placing = [action for action in actions if action.act == PLACE]
    at_once = len(placing) == 1 and not confirm_moves and _has_line(table)
    return HandTile(
        tile=tile,
        ends=_fitting(table, tile),
        selectable=bool(actions),
        selected=tile == selected,
        words=_tile_words(table, tile),
        action=str(placing[0]) if at_once else None,
    )


def _has_line(table: TableView) -> bool:
    return table.round is not None and table.round.ends is not None


def _fitting(table: TableView, tile: Tile) -> tuple[str, ...]:
    if table.round is None or table.round.ends is None:
        return ()
    return tuple(e for e, n in zip("LR", table.round.ends, strict=True) if tile.fits(n))


def _tile_words(table: TableView, tile: Tile) -> str:
    """ "5-6, fits right", for people who do not see it raised."""
    ends = _fitting(table, tile)
    if not _has_line(table):
        return str(tile)
    if not ends:
        return _("%(tile)s, fits nowhere") % {"tile": tile}
    where = listed([end_name(end) for end in ends])
    return _("%(tile)s, fits %(where)s") % {"tile": tile, "where": where}


def _choice(table: TableView, action: Action) -> Choice:
    if action.act == DISCARD:
        return Choice(str(action), _("Put %(tile)s out of play") % {"tile": action.tile}, None)
    if not _has_line(table):
        return Choice(str(action), _("Lead with %(tile)s") % {"tile": action.tile}, action.end)
    label = _("Place left") if action.end == LEFT else _("Place right")
    return Choice(str(action), label, action.end)


# --- sentences -----------------------------------------------------------------------------------


def _title(table: TableView, cards: Sequence[SeatCard]) -> str:
    others = [card.name for card in cards if not card.you]
    return _("Table with %(names)s") % {"names": listed(others)} if others else _("Table")


def _headline(table: TableView, cards: Sequence[SeatCard], legal: Sequence[Action]) -> str:
    """Whose turn it is, or how it ended: to be read from two metres away."""
    if table.status == "stopped":
        return _("The table has stopped")
    if table.status == "finished":
        return _finished_headline(table)
    if legal:
        return _("Your turn")
    mover = next((card for card in cards if card.to_move), None)
    if mover is None:
        return _("The round is over")
    absent = table.seats[mover.position]
    if mover.you or (absent is not None and absent.absent):
        return _("A bot plays for %(name)s") % {"name": mover.name}
    return _("%(name)s to move") % {"name": mover.name}


def _finished_headline(table: TableView) -> str:
    if table.result is None or table.result.reason in ("cancelled", "voided"):
        return _("The match was called off")
    if table.result.reason == "closed":
        return _("The match was closed")
    winner = table.result.order[0]
    if not table.options.teams and winner == table.you:
        return _("You win!")
    if table.options.teams and table.you is not None and winner == table.you % 2:
        return _("Your pair wins!")
    if table.options.teams:
        return _("%(pair)s win") % {"pair": side_names(table)[winner]}
    return _("%(name)s wins") % {"name": side_names(table)[winner]}


def _hint(table: TableView, legal: Sequence[Action], selected: Tile | None) -> str:
    """What to do now, in one sentence."""
    if not legal:
        return _waiting_hint(table)
    if legal[0].act == DISCARD:
        return _discard_hint(table, selected)
    if selected is not None:
        if not _has_line(table):
            return _("%(tile)s is picked up.") % {"tile": selected}
        if sum(action.tile == selected for action in legal) > 1:
            return _("%(tile)s fits both ends: choose one.") % {"tile": selected}
        return _("%(tile)s is picked up: place it, or choose another.") % {"tile": selected}
    if not _has_line(table):
        return _("Choose the tile to lead with.")
    fitting = [
        f"{tile} ({listed([end_name(end) for end in _fitting(table, tile)])})"
        for tile in sorted({action.tile for action in legal if action.tile})
    ]
    return _("Fits: %(tiles)s.") % {"tiles": ", ".join(fitting)}


def _discard_hint(table: TableView, selected: Tile | None) -> str:
    if selected is not None:
        return _("%(tile)s will lie face down. Nobody else sees it, but it still counts.") % {
            "tile": selected
        }
    assert table.round is not None and table.round.ends is not None
    ends = listed([str(n) for n in sorted(set(table.round.ends))])
    return _("Nothing fits %(ends)s: choose a tile to lay face down. It still counts.") % {
        "ends": ends
    }


def _waiting_hint(table: TableView) -> str:
    if table.status == "stopped":
        return _("Everyone is away, so no clock runs. It goes on when somebody takes a seat back.")
    if table.status == "finished" or table.round is None:
        return ""
    if "take_back" in table.can:
        return _("You were away, so a bot plays for you. Take your seat back when you like.")
    return ""


def _summary(table: TableView, legal: Sequence[Action]) -> str:
    """The board and the hand in words, for people who do not see them."""
    if table.round is None:
        return ""
    parts = []
    if table.round.ends is None:
        parts.append(_("No tile lies on the table yet."))
    else:
        left, right = table.round.ends
        parts.append(_("Left end %(left)d, right end %(right)d.") % {"left": left, "right": right})
    if table.round.hand:
        held = "; ".join(_tile_words(table, tile) for tile in table.round.hand)
        parts.append(_("You hold %(tiles)s.") % {"tiles": held})
    if legal:
        parts.append(_("It is your turn."))
    return " ".join(parts)


def _round_before(table: TableView) -> str:
    """How the round before ended, until the viewer has acted in the new one."""
    if not table.finished or table.round is None or table.status != "playing":
        return ""
    log = table.round.log
    if table.you is None and len(log) >= table.options.players:
        return ""
    if any(entry.seat == table.you and entry.by == PLAYER for entry in log):
        return ""
    done = table.finished[-1]
    winner = done.end.winner
    score = pips(done.end.sheet[winner])
    if table.options.teams:
        score = f"{done.end.sheet[winner]} – {done.end.sheet[1 - winner]}"
    values = {"number": done.number, "name": side_names(table)[winner], "score": score}
    if not table.options.teams and winner == table.you:
        return _("Round %(number)d: you won (%(score)s).") % values
    if table.options.teams and table.you is not None and winner == table.you % 2:
        return _("Round %(number)d: your pair won (%(score)s).") % values
    return _("Round %(number)d: %(name)s won (%(score)s).") % values


def _vote(table: TableView) -> str:
    """Who would call the match off, or whom the viewer waits for who has said so."""
    if table.status not in ("playing", "stopped"):
        return ""
    voted = {event.get("seat") for event in table.events if event.get("kind") == "voted_cancel"}
    people = _people(table)
    agreed = [info for info in people if info.position in voted]
    others = [info for info in people if info.position not in voted]
    if not agreed or not others or not any(info.you for info in people):
        return ""
    if any(info.you for info in agreed):
        waited_for = listed([info.name for info in others])
        return _("Waiting for %(names)s to agree.") % {"names": waited_for}
    asking = listed([info.name for info in agreed])
    return _("%(names)s would call the match off. Agree?") % {"names": asking}


# --- what happened -------------------------------------------------------------------------------


def entry_words(entry: Entry, by_seat: Sequence[str], you: int | None) -> str:
    """One action in a sentence; `by_seat` are the names."""
    mine = entry.seat == you
    name, tile = by_seat[entry.seat], entry.action.tile
    values = {"name": name, "tile": tile, "end": end_name(entry.action.end or LEFT)}
    if entry.by == TIMEOUT:
        return _timeout_words(entry, mine) % values
    text = _action_words(entry, mine)
    if entry.by == BOT and mine:
        text = _("%(said)s (the bot, for you)") % {"said": text}
    return text % values


def _action_words(entry: Entry, mine: bool) -> str:
    act = entry.action.act
    if act == PLACE and entry.ends is None:
        return _("You led with %(tile)s.") if mine else _("%(name)s led with %(tile)s.")
    if act == PLACE:
        return (
            _("You placed %(tile)s, %(end)s.") if mine else _("%(name)s placed %(tile)s, %(end)s.")
        )
    if act == DISCARD and entry.action.tile is not None:
        return (
            _("You put %(tile)s out of play.") if mine else _("%(name)s put %(tile)s out of play.")
        )
    if act == DISCARD:
        return _("%(name)s laid a tile face down.")
    return _("You passed.") if mine else _("%(name)s passed.")


def _timeout_words(entry: Entry, mine: bool) -> str:
    act = entry.action.act
    if act == PASS:
        return (
            _("Your time ran out: the turn is lost.")
            if mine
            else _("%(name)s ran out of time: the turn is lost.")
        )
    if act == DISCARD:
        return (
            _("Your time ran out: your lightest tile was laid face down.")
            if mine
            else _("%(name)s ran out of time: the lightest tile was laid face down.")
        )
    return (
        _("Your time ran out: %(tile)s was placed, %(end)s.")
        if mine
        else _("%(name)s ran out of time: %(tile)s was placed, %(end)s.")
    )


def _event_words(event: dict[str, Any], by_seat: Sequence[str]) -> str:
    seat = event.get("seat")
    values = {
        "name": by_seat[seat] if seat is not None else "",
        "time": duration(event.get("seconds", 0)),
        "round": event.get("round", 1),
    }
    texts = {
        "started": _("The match began."),
        "redeal": _("Round %(round)s was dealt again: a hand held too many doubles."),
        "outage": _("The house was closed for a while: %(time)s were added to the clock."),
        "takeover": _("A bot plays for %(name)s now."),
        "taken_back": _("%(name)s: back at the table."),
        "left": _("%(name)s: left the table for good."),
        "stopped": _("The table stopped, for everyone was away."),
        "closed": _("The match was closed."),
        "cancelled": _("The match was called off."),
        "voted_cancel": _("%(name)s agrees to call the match off."),
    }
    text = texts.get(str(event.get("kind")))
    return text % values if text else ""


def _when(value: object) -> datetime | None:
    if isinstance(value, datetime):
        return value
    if isinstance(value, str) and value:
        return datetime.fromisoformat(value)
    return None


def _log(table: TableView) -> tuple[LogLine, ...]:
    """What happened in this round, newest first."""
    by_seat = names(table)
    entries = table.round.log if table.round else table.last.log if table.last else ()
    before = next((r for r in table.finished if r.number == table.round_number - 1), None)
    first: list[LogLine] = []
    later: list[LogLine] = []
    if before is not None:
        words = _("Round %(number)d began.") % {"number": table.round_number}
        first.append(LogLine(words, before.finished_at))
    for event in table.events:
        at = _when(event.get("at"))
        if before is not None and at is not None and at < before.finished_at:
            continue
        if words := _event_words(event, by_seat):
            opening = event.get("kind") in ("started", "redeal")
            (first if opening else later).append(LogLine(words, at))
    acted = [
        LogLine(unbroken(entry_words(entry, by_seat, table.you)), _when(entry.at))
        for entry in entries
    ]
    # Of what happened at one moment, the beginning comes first.
    lines = [*first, *acted, *later]
    longest_ago = datetime.min.replace(tzinfo=UTC)
    lines.sort(key=lambda line: line.at or longest_ago)
    return tuple(reversed(lines))


def _news(table: TableView) -> tuple[str, ...]:
    """What the others did since the viewer's own last action, oldest first."""
    if table.round is None:
        return ()
    entries = table.round.log
    mine = [ply for ply, entry in enumerate(entries) if entry.seat == table.you]
    since = mine[-1] + 1 if mine else max(0, len(entries) - table.options.players + 1)
    by_seat = names(table)
    said = [entry_words(entry, by_seat, table.you) for entry in entries[since:]]
    ended = _round_before(table)
    return (ended, *said) if ended else tuple(said)


# --- scores --------------------------------------------------------------------------------------


def score_sheet(
    options: Options,
    columns: tuple[str, ...],
    finished: Sequence[FinishedRound],
    totals: Sequence[int],
) -> Sheet | None:
    """The sheet of the match; None before a round is finished."""
    if not finished:
        return None
    rows = tuple(SheetRow(done.number, done.end.sheet, done.end.winner) for done in finished)
    return Sheet(columns, rows, tuple(totals), match_words(options))


def _result(table: TableView) -> tuple[Place, ...]:
    if table.result is None or table.result.reason in ("cancelled", "voided"):
        return ()
    if table.result.reason == "closed" and not table.finished:
        return ()
    columns, gone = side_names(table), () if table.options.teams else table.result.left
    return tuple(
        Place(rank, columns[side], table.totals[side] if table.totals else 0, side in gone)
        for rank, side in enumerate(table.result.order, start=1)
    )
