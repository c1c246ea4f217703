"""The record of a match (section 13): written, read again, and proved on reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import match
from .actions import Action, Entry
from .dealing import Deal, commitment, deal
from .errors import EngineError, Unreadable
from .options import Options
from .rules import apply, start_round
from .state import RoundEnd, RoundState
from .tiles import Tile

FORMAT, VERSION = "gaple-record", 1


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
        return {
            "number": self.final.number,
            "commitment": commitment(self.seed),
            "seed": self.seed.hex(),
            "nonce": self.deal.nonce,
            "phrases": list(self.phrases),
            "context": self.deal.context,
            "hands": [[str(tile) for tile in hand] for hand in self.deal.hands],
            "rest": [str(tile) for tile in self.deal.rest],
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
        return [r.final.end for r in self.rounds if r.final.end is not None]

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
        try:
            built = cls._read(record)
        except EngineError as error:
            raise Unreadable("record", str(error), where=error.where) from error
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise Unreadable("record", f"cannot be read: {error!r}"[:200]) from error
        difference = _difference(built.as_dict(), record, "record")
        if difference:
            raise Unreadable("record", "does not follow from its deal", where=difference)
        return built

    @classmethod
    def _read(cls, record: Any) -> MatchRecord:
        if (record["format"], record["version"]) != (FORMAT, VERSION):
            raise Unreadable("record", f"is not a {FORMAT} of version {VERSION}")
        options = Options.from_dict(record["rules"])
        rounds: list[RoundRecord] = []
        for values in record["rounds"]:
            before = rounds[-1].final if rounds else None
            rounds.append(_read_round(options, record["code"], values, before))
        result = record["result"]
        return cls(
            code=record["code"],
            options=options,
            seats=tuple(SeatRecord(s["name"], s["kind"], s.get("level")) for s in record["seats"]),
            rounds=tuple(rounds),
            result=result
            and match.Result(tuple(result["order"]), result["reason"], tuple(result["left"])),
        )


def steps(record: MatchRecord, index: int) -> list[RoundState]:
    """All positions of round `index` (from 0), from the deal to its end."""
    final = record.rounds[index].final
    before = record.rounds[index - 1].final if index else None
    state = _opened(record.options, record.rounds[index].deal, final.number, before)
    states = [state]
    for entry in final.log:
        state = apply(state, entry.seat, entry.action, by=entry.by, at=entry.at)
        states.append(state)
    return states


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


def _read_round(
    options: Options, code: str, values: Mapping[str, Any], before: RoundState | None
) -> RoundRecord:
    seed, phrases = bytes.fromhex(values["seed"]), tuple(values["phrases"])
    dealt = deal(options, seed, code, values["number"], phrases)
    state = _opened(options, dealt, values["number"], before)
    for step in values["actions"]:
        tile = Tile.parse(step["tile"]) if "tile" in step else None
        action = Action(step["act"], tile, step.get("end"))
        state = apply(state, step["seat"], action, by=step["by"], at=step["at"])
    if state.end is None:
        raise Unreadable("record", "the round is not finished", where=state.where)
    return RoundRecord(seed, phrases, dealt, state)


def _difference(ours: object, theirs: object, path: str) -> str | None:
    """The path of the first place where two JSON values differ; None when they are equal."""
    if isinstance(ours, dict) and isinstance(theirs, Mapping):
        for key in {**ours, **theirs}:
            if key not in ours or key not in theirs:
                return f"{path}.{key}"
            deeper = _difference(ours[key], theirs[key], f"{path}.{key}")
            if deeper:
                return deeper
        return None
    if isinstance(ours, list) and isinstance(theirs, Sequence) and len(ours) == len(theirs):
        pairs = enumerate(zip(ours, theirs, strict=True))
        found = (_difference(a, b, f"{path}[{i}]") for i, (a, b) in pairs)
        return next(filter(None, found), None)
    return None if ours == theirs else path
