"""What a table may choose (R15, section 13), and the presets (section 10)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from games.engine.errors import BadOptions

RULES_VERSION = 1
LEVELS = ("pemula", "warung")
TARGETS = (25, 50, 100, 101)


@dataclass(frozen=True, slots=True)
class Match:
    """How long a match lasts (R14): one round, `n` rounds, or until a total reaches `points`."""

    kind: str = "single"
    n: int | None = None
    points: int | None = None

    def as_dict(self) -> dict[str, Any]:
        return {key: value for key, value in asdict(self).items() if value is not None}


@dataclass(frozen=True, slots=True)
class Stake:
    """Play-money stake (section 11). `chips` is S of a pot, R of pips; `cap` bounds a loss."""

    kind: str
    chips: int
    cap: int | None = None
    close_bonus: bool | None = None

    def as_dict(self) -> dict[str, Any]:
        return {key: value for key, value in asdict(self).items() if value is not None}

    @property
    def escrow(self) -> int:
        """The most that a seat can lose, in chips."""
        return self.chips if self.cap is None else self.cap


_CHOICES: dict[str, tuple[object, ...]] = {
    "unable": ("discard", "pass"),
    "double_blank": ("plain", "own25", "dead25"),
    "team_rule": ("none", "sum", "winner", "both_out"),
    "empty_by_discard": ("continue", "ends"),
    "first_lead": ("0-0", "6-6"),
    "next_lead": ("double", "any"),
    "next_starter": ("winner", "rotate"),
    "redeal": ("off", "5", "6"),
    "on_timeout": ("pass", "autoplay"),
    "takeover_after": (1, 2, 3, 4, 5),
    "absent_level": LEVELS,
    "rules_version": (RULES_VERSION,),
}


@dataclass(frozen=True, slots=True)
class Options:
    """The rules of one table. Building one checks it: a bad set raises BadOptions."""

    players: int = 4
    tiles: int = 6
    unable: str = "discard"
    double_blank: str = "plain"
    team_rule: str = "none"
    empty_by_discard: str = "continue"
    first_lead: str = "0-0"
    next_lead: str = "double"
    next_starter: str = "winner"
    redeal: str = "off"
    on_timeout: str = "pass"
    takeover_after: int = 2
    absent_level: str = "warung"
    match: Match = Match()
    stake: Stake | None = None
    rules_version: int = RULES_VERSION

    def __post_init__(self) -> None:
        _check(self)

    @property
    def teams(self) -> bool:
        return self.team_rule != "none"

    @property
    def rest(self) -> int:
        """How many tiles are left over (R1)."""
        return 28 - self.players * self.tiles

    @property
    def sides(self) -> int:
        """How many totals the match sheet has."""
        return 2 if self.teams else self.players

    def as_dict(self) -> dict[str, Any]:
        """The rules object of a record, keys in the order of section 13."""
        values: dict[str, Any] = {f.name: getattr(self, f.name) for f in fields(self)}
        return values | {
            "match": self.match.as_dict(),
            "stake": self.stake and self.stake.as_dict(),
        }

    @classmethod
    def from_dict(cls, values: object) -> Options:
        """Read a rules object; missing keys take their default, unknown ones are refused."""
        if not isinstance(values, Mapping):
            raise _bad("options", values, "is not a set of options")
        known = {f.name for f in fields(cls)}
        for key in values:
            if key not in known:
                raise _bad(str(key), values[key], "is not an option")
        read = dict(values)
        read["match"] = _part(Match, read.get("match", {"kind": "single"}), "match")
        if read.get("stake") is not None:
            read["stake"] = _part(Stake, read["stake"], "stake")
        return cls(**read)


def _part(kind: type[Any], values: object, name: str) -> Any:
    if isinstance(values, kind):
        return values
    try:
        return kind(**values)  # type: ignore[arg-type]
    except TypeError as error:
        raise _bad(name, values, "cannot be read") from error


def _bad(option: str, value: object, reason: str) -> BadOptions:
    shown = str(value)[:40]
    return BadOptions("options", f"{option}={shown}: {reason}", option=option, value=shown)


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _check(o: Options) -> None:
    if not (_is_int(o.players) and _is_int(o.tiles)):
        raise _bad("players", o.players, "is not a number")
    if (o.players, o.tiles) not in ((4, 6), (4, 7), (5, 5)):
        raise _bad("tiles", o.tiles, f"{o.players} players cannot get {o.tiles} tiles each")
    for name, allowed in _CHOICES.items():
        value = getattr(o, name)
        if type(value) is not type(allowed[0]) or value not in allowed:
            raise _bad(name, value, f"must be one of {', '.join(map(str, allowed))}")
    _check_together(o)
    _check_match(o.match)
    if o.stake is not None:
        _check_stake(o.stake)


def _check_together(o: Options) -> None:
    """Combinations that make no sense (R15)."""
    if o.teams and o.players != 4:
        raise _bad("team_rule", o.team_rule, "teams need four players")
    if o.empty_by_discard == "ends" and o.team_rule == "both_out":
        raise _bad("empty_by_discard", "ends", "does not go with both_out")
    if o.empty_by_discard == "ends" and o.unable == "pass":
        raise _bad("empty_by_discard", "ends", "nobody discards where the stuck pass")
    if o.tiles != 7 and o.first_lead != "0-0":
        raise _bad("first_lead", o.first_lead, "needs 7 tiles each")
    if o.tiles != 7 and o.next_lead != "double":
        raise _bad("next_lead", o.next_lead, "needs 7 tiles each")
    if o.stake is not None and o.on_timeout != "autoplay":
        raise _bad("on_timeout", o.on_timeout, "a staked match needs autoplay")


def _check_match(match: Match) -> None:
    if match.kind == "single" and match.n is None and match.points is None:
        return
    if match.kind == "rounds" and match.points is None and _is_int(match.n):
        if match.n is not None and 2 <= match.n <= 20:
            return
        raise _bad("match", match.n, "a match has 2 to 20 rounds")
    if match.kind == "target" and match.n is None and _is_int(match.points):
        if match.points in TARGETS:
            return
        raise _bad("match", match.points, "the target is 25, 50, 100 or 101")
    raise _bad("match", match.as_dict(), "must be single, rounds or target")


def _check_stake(stake: Stake) -> None:
    if not _is_int(stake.chips) or stake.chips < 1:
        raise _bad("stake", stake.chips, "the stake is a whole number of chips, at least 1")
    if stake.kind == "pot":
        if stake.cap is not None or stake.close_bonus is not None:
            raise _bad("stake", stake.kind, "a pot has neither cap nor close bonus")
    elif stake.kind == "pips":
        if stake.cap is None or not _is_int(stake.cap) or stake.cap < stake.chips:
            raise _bad("stake", stake.cap, "the cap is at least one pip's worth of chips")
        if not isinstance(stake.close_bonus, bool):
            raise _bad("stake", stake.close_bonus, "close_bonus is true or false")
    else:
        raise _bad("stake", stake.kind, "must be pot or pips")


def pips_stake(chips: int, *, cap: int | None = None, close_bonus: bool = False) -> Stake:
    """A stake by pips; the cap is 50 pips' worth unless the host sets another."""
    return Stake("pips", chips, 50 * chips if cap is None else cap, close_bonus)


_KLASIK = Options()
PRESETS: dict[str, Options] = {
    "klasik": _KLASIK,
    "klasik-7": replace(_KLASIK, tiles=7),
    "lewat": Options(
        tiles=7,
        unable="pass",
        double_blank="dead25",
        redeal="5",
        match=Match("target", points=50),
    ),
    "berlima": Options(players=5, tiles=5),
    "pasangan": replace(_KLASIK, team_rule="sum"),
    "pasangan-lomba": Options(
        tiles=7,
        unable="pass",
        team_rule="winner",
        redeal="5",
        match=Match("target", points=101),
    ),
}
