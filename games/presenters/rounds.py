"""Finished rounds with all hands open: the page at the end, the replay, the check of the deal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from games.engine import scoring
from games.engine.options import Options
from games.engine.state import RoundEnd, RoundState
from games.engine.tiles import Tile

from .board import Board, boards
from .table import Sheet, SheetRow, entry_words, sides
from .words import pips

if TYPE_CHECKING:
    from games.selectors import RoundPage


@dataclass(frozen=True, slots=True)
class Counted:
    """A tile that counts, and what it is worth. `dead` tiles were laid face down."""

    tile: Tile
    value: int
    dead: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """One seat at the end of a round, best first."""

    rank: int
    position: int
    name: str
    tiles: tuple[Counted, ...]
    score: int
    winner: bool
    closer: bool


@dataclass(frozen=True, slots=True)
class RoundScreen:
    """Everything that games/round.html draws."""

    headline: str
    reason: str
    boards: tuple[Board, ...]
    standings: tuple[Standing, ...]
    steps: tuple[str, ...]
    sheet: Sheet | None
    next_words: str
    rest: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class OpenSeat:
    """A seat of the replay with its hand and its dead tiles open."""

    name: str
    hand: tuple[Tile, ...]
    dead: tuple[Tile, ...]
    to_move: bool


@dataclass(frozen=True, slots=True)
class ReplayScreen:
    """One step of the replay; `ply` is how many actions were taken. None where no step is."""

    boards: tuple[Board, ...]
    seats: tuple[OpenSeat, ...]
    said: str
    ply: int
    last: int
    first_ply: int | None
    previous_ply: int | None
    next_ply: int | None
    last_ply: int | None
    lines: tuple[tuple[int, str], ...]


def seat_names(page: RoundPage) -> list[str]:
    """By seat; the viewer is "You"."""
    return [_("You") if seat == page.you else name for seat, name in enumerate(page.names)]


def round_screen(page: RoundPage) -> RoundScreen:
    by_seat = seat_names(page)
    end = page.state.end
    return RoundScreen(
        headline=_headline(page.options, end, by_seat, page.you),
        reason=_reason(end, by_seat),
        boards=boards(page.state.line),
        standings=_standings(page.state, by_seat),
        steps=tuple(tie_steps(page.state, by_seat)) if end else (),
        sheet=_sheet(page, by_seat),
        next_words=_next_words(page, by_seat),
        rest=page.state.rest[1:],
    )


def replay_screen(page: RoundPage, states: Sequence[RoundState], ply: int) -> ReplayScreen:
    state, last = states[ply], len(states) - 1
    by_seat = seat_names(page)
    lines = [entry_words(entry, by_seat, page.you) for entry in states[-1].log]
    return ReplayScreen(
        boards=boards(state.line),
        seats=tuple(
            OpenSeat(by_seat[seat], tuple(sorted(hand)), state.dead[seat], state.turn == seat)
            for seat, hand in enumerate(state.hands)
        ),
        said=lines[ply - 1] if ply else _("The tiles are dealt."),
        ply=ply,
        last=last,
        first_ply=0 if ply else None,
        previous_ply=ply - 1 if ply else None,
        next_ply=ply + 1 if ply < last else None,
        last_ply=last if ply < last else None,
        lines=tuple(enumerate(lines, start=1)),
    )


# --- the end of a round --------------------------------------------------------------------------


def _headline(
    options: Options, end: RoundEnd | None, by_seat: Sequence[str], you: int | None
) -> str:
    if end is None:
        return _("The round was not finished")
    if not options.teams and end.winner == you:
        return _("You win the round")
    if options.teams:
        return _("%(pair)s win the round") % {"pair": sides(options, by_seat)[end.winner]}
    return _("%(name)s wins the round") % {"name": sides(options, by_seat)[end.winner]}


def _reason(end: RoundEnd | None, by_seat: Sequence[str]) -> str:
    if end is None:
        return _("The match ended before it; its tiles are shown all the same.")
    left, right = end.ends
    if end.reason == "blocked":
        return _("Blocked: nobody holds a tile with %(left)d or %(right)d.") % {
            "left": left,
            "right": right,
        }
    if end.reason == "emptied" or end.closer is None:
        return _("A hand was emptied by a dead tile.")
    return _("Out: %(name)s placed the last tile.") % {"name": by_seat[end.closer]}


def _standings(state: RoundState, by_seat: Sequence[str]) -> tuple[Standing, ...]:
    end = state.end
    order = end.ranking if end else tuple(range(len(by_seat)))
    return tuple(
        Standing(
            rank=rank,
            position=seat,
            name=by_seat[seat],
            tiles=_counted(state, seat),
            score=end.scores[seat] if end else 0,
            winner=end is not None and _wins(end, seat),
            closer=end is not None and end.closer == seat,
        )
        for rank, seat in enumerate(order, start=1)
    )


def _wins(end: RoundEnd, seat: int) -> bool:
    return end.winner == (seat if end.winner_team is None else seat % 2)


def _counted(state: RoundState, seat: int) -> tuple[Counted, ...]:
    rule = state.options.double_blank
    return tuple(
        Counted(
            tile,
            scoring.tile_value(tile, seat, state.counted, rule),
            tile in state.dead[seat],
        )
        for tile in state.counted[seat]
    )


def tie_steps(state: RoundState, by_seat: Sequence[str]) -> list[str]:
    """How the places were decided, a sentence for each step (R12)."""
    end, options = state.end, state.options
    assert end is not None
    if not options.teams or options.team_rule == "winner":
        steps = _seat_steps(state, end, by_seat)
        if end.winner_team is not None:
            pair = sides(options, by_seat)[end.winner_team]
            steps.append(_("The best single player's pair wins: %(pair)s.") % {"pair": pair})
        return steps
    return _pair_steps(state, end, by_seat)


def _seat_steps(state: RoundState, end: RoundEnd, by_seat: Sequence[str]) -> list[str]:
    best = end.ranking[0]
    tied = [seat for seat in end.ranking if end.scores[seat] == end.scores[best]]
    steps = []
    if len(tied) == 1:
        values = {"name": by_seat[best], "pips": pips(end.scores[best])}
        steps.append(_("The fewest count: %(name)s with %(pips)s.") % values)
    for ahead, behind in zip(end.ranking, end.ranking[1:], strict=False):
        if end.scores[ahead] == end.scores[behind]:
            steps.append(_tie(state, [ahead], [behind], by_seat[ahead], by_seat[behind]))
    return steps


def _pair_steps(state: RoundState, end: RoundEnd, by_seat: Sequence[str]) -> list[str]:
    assert end.team_scores is not None and end.winner_team is not None
    pairs, best, other = sides(state.options, by_seat), end.winner_team, 1 - end.winner_team
    sums = {
        "pair": pairs[best],
        "sum": pips(end.team_scores[best]),
        "other": pairs[other],
        "more": pips(end.team_scores[other]),
    }
    if end.team_scores[0] != end.team_scores[1]:
        return [_("%(pair)s count %(sum)s together, %(other)s %(more)s.") % sums]
    return [_tie(state, [best, best + 2], [other, other + 2], pairs[best], pairs[other])]


def _tie(
    state: RoundState, ahead: Sequence[int], behind: Sequence[int], first: str, second: str
) -> str:
    """Why `ahead` comes before `behind` although both count the same."""
    rule, counted = state.options.double_blank, state.counted
    mine, theirs = _lowest(state, ahead), _lowest(state, behind)
    total = sum(scoring.scores(counted, rule)[seat] for seat in ahead)
    tie = _("%(first)s and %(second)s both count %(pips)s.") % {
        "first": first,
        "second": second,
        "pips": pips(total),
    }
    values = {"first": first, "second": second}
    if mine is None:
        why = (
            _("%(first)s emptied the hand first.")
            if theirs is None
            else _("%(first)s: nothing left to count comes first.")
        )
        return f"{tie} {why % values}"
    assert theirs is not None
    values |= {
        "mine": f"{mine[2]} ({mine[0]})",
        "theirs": f"{theirs[2]} ({theirs[0]})",
    }
    if mine[0] != theirs[0]:
        why = _("The lowest tile decides: %(mine)s before %(theirs)s, so %(first)s is ahead.")
    else:
        why = _(
            "The lowest tiles %(mine)s and %(theirs)s are worth the same; the smaller low end "
            "decides, so %(first)s is ahead."
        )
    return f"{tie} {why % values}"


def _lowest(state: RoundState, seats: Sequence[int]) -> tuple[int, int, Tile] | None:
    """Value, low end and tile of the lowest tile that these seats count."""
    rule, counted = state.options.double_blank, state.counted
    return min(
        (
            (scoring.tile_value(tile, seat, counted, rule), tile.low, tile)
            for seat in seats
            for tile in counted[seat]
        ),
        default=None,
    )


def _sheet(page: RoundPage, by_seat: Sequence[str]) -> Sheet | None:
    """The round between the totals before and after it; None in a match of one round."""
    end = page.state.end
    if end is None or (page.options.match.kind == "single" and not page.options.teams):
        return None
    row = SheetRow(page.number, end.sheet, end.winner)
    return Sheet(sides(page.options, by_seat), (row,), page.totals, "")


def _next_words(page: RoundPage, by_seat: Sequence[str]) -> str:
    if page.next_starter is None:
        return ""
    return _("Next to start: %(name)s.") % {"name": by_seat[page.next_starter]}
