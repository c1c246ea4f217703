"""The record of a match (section 13): written, read again, and proved on reading."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from games.engine import match
from games.engine.actions import BOT, FORCED, PLAYER, TIMEOUT, Action, Entry
from games.engine.dealing import Deal, clean_phrase, commitment, deal
from games.engine.errors import EngineError, Unreadable
from games.engine.options import LEVELS, Options
from games.engine.rules import apply, forced_action, positions, start_round
from games.engine.state import RoundEnd, RoundState
from games.engine.tiles import Tile

FORMAT, VERSION = "gaple-record", 1
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)")


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """Who sat there. `kind` is "human" or "bot"; a bot has a level."""

    name: str
    kind: str
    level: str | None = None

    def as_dict(self, seat: int) -> dict[str, Any]:
        values: dict[str, Any] = {"seat": seat, "name": self.name, "kind": self.kind}
        return values if self.level is None else values | {"level": self.level}


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """A finished round: its seed, phrases, deal and last position."""

    seed: bytes
    phrases: tuple[str, ...]
    deal: Deal
    final: RoundState

    def as_dict(self) -> dict[str, Any]:
        assert self.final.end is not None
        return _deal_dict(self.final.number, self.seed, self.phrases, self.deal) | {
            "starter": self.final.starter,
            "actions": [_entry_dict(entry) for entry in self.final.log],
            "end": end_dict(self.final.end),
        }


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match with its finished rounds. `code` is the lower-case hyphenated UUID."""

    code: str
    options: Options
    seats: tuple[SeatRecord, ...]
    rounds: tuple[RoundRecord, ...]
    result: match.Result | None

    @property
    def ends(self) -> list[RoundEnd]:
        return _ends(self.rounds)

    def as_dict(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": VERSION,
            "code": self.code,
            "rules": self.options.as_dict(),
            "seats": [seat.as_dict(number) for number, seat in enumerate(self.seats)],
            "rounds": [r.as_dict() for r in self.rounds],
            "totals": list(match.totals(self.options, self.ends)),
            "result": self.result and self.result.as_dict(),
        }

    @classmethod
    def from_dict(cls, record: object) -> MatchRecord:
        """Read a record, deal and play it again, and refuse one that does not come out the same.

        Raises Unreadable with the place that cannot be read or that differs.
        """
        with _reading("record"):
            built = cls._read(record)
        _compare(built.as_dict(), record, "record")
        return built

    @classmethod
    def _read(cls, record: Any) -> MatchRecord:
        if (record["format"], record["version"]) != (FORMAT, VERSION):
            raise Unreadable("record", f"is not a {FORMAT} of version {VERSION}")
        with _reading("record.code"):
            code = record["code"]
            if str(UUID(code)) != code:
                raise Unreadable("record", "is not a lower-case hyphenated UUID")
        with _reading("record.rules"):
            options = Options.from_dict(record["rules"])
        with _reading("record.seats"):
            seats = tuple(map(_read_seat, record["seats"]))
            if len(seats) != options.players:
                raise Unreadable("record", f"{options.players} seats are needed")
        rounds = _read_rounds(options, code, record["rounds"])
        built = cls(code, options, seats, rounds, None)
        with _reading("record.result"):
            return replace(built, result=_read_result(options, built.ends, record["result"]))


def _ends(rounds: Iterable[RoundRecord]) -> list[RoundEnd]:
    return [r.final.end for r in rounds if r.final.end is not None]


def steps(record: MatchRecord, index: int) -> list[RoundState]:
    """All positions of round `index` (from 0), from the deal to its end."""
    final = record.rounds[index].final
    before = record.rounds[index - 1].final if index else None
    opened = _opened(record.options, record.rounds[index].deal, final.number, before)
    return positions(opened, final.log)


def end_dict(end: RoundEnd) -> dict[str, Any]:
    """The "end" object of a round."""
    values: dict[str, Any] = {
        "reason": end.reason,
        "closer": end.closer,
        "ends": list(end.ends),
        "scores": list(end.scores),
        "ranking": list(end.ranking),
    }
    if end.team_scores is not None:
        values |= {"team_scores": list(end.team_scores), "winner_team": end.winner_team}
    return values


def read_end(values: Mapping[str, Any]) -> RoundEnd:
    """The RoundEnd of an "end" object."""
    team_scores = values.get("team_scores")
    return RoundEnd(
        reason=values["reason"],
        closer=values["closer"],
        ends=(values["ends"][0], values["ends"][1]),
        scores=tuple(values["scores"]),
        ranking=tuple(values["ranking"]),
        team_scores=team_scores and (team_scores[0], team_scores[1]),
        winner_team=values.get("winner_team"),
    )


def _deal_dict(number: int, seed: bytes, phrases: Sequence[str], dealt: Deal) -> dict[str, Any]:
    return {
        "number": number,
        "commitment": commitment(seed),
        "seed": seed.hex(),
        "nonce": dealt.nonce,
        "phrases": list(phrases),
        "context": dealt.context,
        "hands": [[str(tile) for tile in hand] for hand in dealt.hands],
        "rest": [str(tile) for tile in dealt.rest],
    }


def _entry_dict(entry: Entry) -> dict[str, Any]:
    values: dict[str, Any] = {"seat": entry.seat, "act": entry.action.act}
    if entry.action.tile is not None:
        values["tile"] = str(entry.action.tile)
    if entry.action.end is not None:
        values["end"] = entry.action.end
    return values | {"by": entry.by, "at": entry.at}


def _opened(options: Options, dealt: Deal, number: int, before: RoundState | None) -> RoundState:
    right = None if before is None else match.next_right(options, before)
    return start_round(options, dealt, number, right)


@contextmanager
def _reading(place: str) -> Iterator[None]:
    """Turn whatever cannot be read inside into Unreadable; the innermost place is named."""
    try:
        yield
    except Unreadable as error:
        if error.where.startswith("record"):
            raise
        raise Unreadable("record", str(error), where=place) from error
    except EngineError as error:
        raise Unreadable("record", str(error), where=place) from error
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise Unreadable("record", f"cannot be read: {error!r}"[:200], where=place) from error


def _read_seat(values: Mapping[str, Any]) -> SeatRecord:
    seat = SeatRecord(values["name"], values["kind"], values.get("level"))
    if not isinstance(values["name"], str) or seat.kind not in ("human", "bot"):
        raise Unreadable("record", "a seat has a name and is human or bot")
    if seat.level is not None and (seat.kind == "human" or seat.level not in LEVELS):
        raise Unreadable("record", "only a bot has a level, and a known one")
    return seat


def _read_rounds(options: Options, code: str, values: list[Any]) -> tuple[RoundRecord, ...]:
    rounds: list[RoundRecord] = []
    for index, one in enumerate(values):
        place = f"record.rounds[{index}]"
        with _reading(place):
            if rounds and match.is_over(options, _ends(rounds)):
                raise Unreadable("record", "the match was over before this round")
            before = rounds[-1].final if rounds else None
            rounds.append(_read_round(options, code, before, one, place))
    return tuple(rounds)


def _read_round(
    options: Options, code: str, before: RoundState | None, values: Any, place: str
) -> RoundRecord:
    number = 1 if before is None else before.number + 1
    with _reading(f"{place}.seed"):
        seed = bytes.fromhex(values["seed"])
        if len(seed) != 32:
            raise Unreadable("record", "a seed has 32 bytes")
    with _reading(f"{place}.phrases"):
        phrases = tuple(map(clean_phrase, values["phrases"]))
        if len(phrases) != options.players:
            raise Unreadable("record", "each seat has a phrase or an empty one")
    dealt = deal(options, seed, code, number, phrases)
    ours = _deal_dict(number, seed, phrases, dealt)
    _compare(ours, {key: values[key] for key in ours}, place)
    state = _opened(options, dealt, number, before)
    for index, step in enumerate(values["actions"]):
        with _reading(f"{place}.actions[{index}]"):
            state = _step(state, step)
    if state.end is None:
        raise Unreadable("record", "the round is not finished", where=f"{place}.actions")
    return RoundRecord(seed, phrases, dealt, state)


def _step(state: RoundState, step: Mapping[str, Any]) -> RoundState:
    tile = Tile.parse(step["tile"]) if "tile" in step else None
    action = Action(step["act"], tile, step.get("end"))
    by, at = step["by"], step["at"]
    if by not in (PLAYER, BOT, FORCED, TIMEOUT):
        raise Unreadable("record", f"by {by!r} is unknown")
    if by != FORCED and forced_action(state) is not None:
        raise Unreadable("record", "here the server acts at once")
    if _TIME.fullmatch(at) is None:
        raise Unreadable("record", f"at {at!r} is not a time in UTC")
    return apply(state, step["seat"], action, by=by, at=at)


def _read_result(options: Options, ends: list[RoundEnd], values: Any) -> match.Result | None:
    over = bool(ends) and match.is_over(options, ends)
    if values is None:
        if over:
            raise Unreadable("record", "the match is over and has no result")
        return None
    result = match.Result(tuple(values["order"]), values["reason"], tuple(values["left"]))
    if result.reason not in match.REASONS:
        raise Unreadable("record", f"reason {result.reason!r} is unknown")
    if result.reason == match.PLAYED and not over:
        raise Unreadable("record", "the match is not over")
    if len(set(result.left)) != len(result.left) or not set(result.left) <= set(
        range(options.players)
    ):
        raise Unreadable("record", "left lists seats")
    if result.reason in (match.PLAYED, match.CLOSED):
        order = match.order(options, ends, result.left)
        _compare(list(order), list(result.order), "record.result.order")
    elif result.order and sorted(result.order) != list(range(options.sides)):
        raise Unreadable("record", "order lists each side once")
    return result


def _compare(ours: object, theirs: object, place: str) -> None:
    """Unreadable at the first place where two JSON values differ."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in {**ours, **theirs}:
            if key not in ours or key not in theirs:
                raise Unreadable("record", "is missing or too many", where=f"{place}.{key}")
            _compare(ours[key], theirs[key], f"{place}.{key}")
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for index, pair in enumerate(zip(ours, theirs, strict=True)):
            _compare(*pair, f"{place}[{index}]")
    elif type(ours) is not type(theirs) or ours != theirs:
        raise Unreadable("record", "does not follow from the deal and the actions", where=place)
