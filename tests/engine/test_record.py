"""Records: round trip, stepping through, and every altered field refused by its place."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.errors import Unreadable
from games.engine.options import Match, Options
from games.engine.record import MatchRecord, end_dict, read_end, steps
from games.engine.rules import start_round
from tests.engine.strategies import moderate, options
from tests.selfplay import OPTION_SETS, play_match

Json = dict[str, Any]


def through_json(record: Json) -> Json:
    read: Json = json.loads(json.dumps(record))
    return read


@pytest.mark.parametrize("name", OPTION_SETS)
@pytest.mark.parametrize("timeouts", [0.0, 0.3])
def test_export_import_export_is_the_identity(name: str, timeouts: float) -> None:
    record = play_match(OPTION_SETS[name], 7, timeouts=timeouts)
    exported = through_json(record.as_dict())
    again = MatchRecord.from_dict(exported)
    assert again == record
    assert json.dumps(again.as_dict()) == json.dumps(exported)


@moderate
@given(options(), st.integers(0, 2**20))
def test_any_round_goes_round(chosen: Options, number: int) -> None:
    record = play_match(chosen, number, timeouts=0.1)
    assert MatchRecord.from_dict(through_json(record.as_dict())) == record


def test_the_form_is_that_of_section_13() -> None:
    record = play_match(OPTION_SETS["pasangan-lomba"], 3).as_dict()
    assert list(record) == [
        "format",
        "version",
        "code",
        "rules",
        "seats",
        "rounds",
        "totals",
        "result",
    ]
    assert record["seats"][:2] == [
        {"seat": 0, "name": "Tamu 0", "kind": "human"},
        {"seat": 1, "name": "Sari", "kind": "bot", "level": "warung"},
    ]
    one = record["rounds"][0]
    assert list(one) == [
        "number",
        "commitment",
        "seed",
        "nonce",
        "phrases",
        "context",
        "hands",
        "rest",
        "starter",
        "actions",
        "end",
    ]
    assert one["starter"] == one["actions"][0]["seat"]
    assert one["actions"][0] == {
        "seat": one["starter"],
        "act": "place",
        "tile": "0-0",
        "end": "L",
        "by": "forced",
        "at": "2026-01-01T00:00:00Z",
    }
    assert list(one["end"]) == [
        "reason",
        "closer",
        "ends",
        "scores",
        "ranking",
        "team_scores",
        "winner_team",
    ]
    assert len(record["totals"]) == len(record["result"]["order"]) == 2
    assert record["result"]["reason"] == "played"


def test_a_record_steps_through_all_its_positions() -> None:
    record = play_match(OPTION_SETS["lewat"], 5)
    for index, one in enumerate(record.rounds):
        states = steps(record, index)
        assert len(states) == one.final.ply + 1
        assert states[-1] == one.final
        before = record.rounds[index - 1].final if index else None
        right = None if before is None or before.end is None else before.end.best_seat
        assert states[0] == start_round(record.options, one.deal, index + 1, right)


def test_an_end_reads_back() -> None:
    for name in ("klasik", "pasangan"):
        end = play_match(OPTION_SETS[name], 1).rounds[0].final.end
        assert end is not None
        assert read_end(through_json(end_dict(end))) == end


# -- Altered records ------------------------------------------------------------------------

TEAMS = through_json(
    play_match(
        Options(team_rule="sum", on_timeout="pass", match=Match("rounds", n=2)), 11, timeouts=0.2
    ).as_dict()
)


def leaves(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The path of every simple value in a record."""
    if isinstance(value, dict):
        return [leaf for key in value for leaf in leaves(value[key], (*path, key))]
    if isinstance(value, list):
        return [leaf for i, item in enumerate(value) for leaf in leaves(item, (*path, i))]
    return [path]


def altered(value: object) -> object:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if value is None:
        return 0
    text = str(value)
    if text and all(c in "0123456789abcdef" for c in text):
        return ("1" if text[0] == "0" else "0") + text[1:]
    return text[:-1] + ("0" if text[-1:] != "0" else "1")


def with_value(record: Json, path: tuple[str | int, ...], new: object) -> Json:
    changed: Any = copy.deepcopy(record)
    inner = changed
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = new
    result: Json = changed
    return result


def named(path: tuple[str | int, ...]) -> str:
    return "record" + "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path)


# What a record only reports and nothing in it can prove: any well-formed value will do.
FREE = {"name", "takeover_after"}
PROVED = [path for path in leaves(TEAMS) if not FREE & set(path)]


def refusal(record: object) -> Unreadable:
    with pytest.raises(Unreadable) as refused:
        MatchRecord.from_dict(record)
    assert refused.value.where in str(refused.value)
    return refused.value


def test_no_proved_field_can_be_altered() -> None:
    assert len(PROVED) > 250
    for path in PROVED:
        inner: Any = TEAMS
        for step in path:
            inner = inner[step]
        where = refusal(with_value(TEAMS, path, altered(inner))).where
        assert where.startswith("record"), path
        # The refusal stands at the field or, where the deal or the play goes on from it, nearby.
        if path[0] in ("rounds", "seats"):
            assert where.startswith((named(path[:2]), "record.rounds", "record.seats")), path
        if path[-1] in ("commitment", "nonce", "context", "number"):
            assert where == named(path)
        if "end" in path and path[2] == "end":
            assert where.startswith(named(path[:3]))
        if path[2:3] == ("hands",) or path[2:3] == ("rest",):
            assert where == named(path)


@pytest.mark.parametrize("path", leaves(TEAMS)[:40])
def test_no_field_can_be_of_another_kind(path: tuple[str | int, ...]) -> None:
    for wrong in ({"a": 1}, ["x"], 1.5):
        assert refusal(with_value(TEAMS, path, wrong)).where.startswith("record")


@pytest.mark.parametrize(
    ("path", "wrong", "where"),
    [
        (("format",), "other", "record"),
        (("version",), 2, "record"),
        (("version",), True, "record.version"),
        (("code",), "not-a-uuid", "record.code"),
        (("code",), "0000000B-0000-0000-0000-00000000000B", "record.code"),
        (("rules", "jokers"), 1, "record.rules"),
        (("rules", "team_rule"), "none", "record.result.order"),
        (("seats",), [], "record.seats"),
        (("seats", 0, "kind"), "cat", "record.seats"),
        (("seats", 0, "level"), "warung", "record.seats"),
        (("seats", 1, "level"), "x", "record.seats"),
        (("seats", 2, "name"), 5, "record.seats"),
        (("seats", 2, "seat"), 3, "record.seats[2].seat"),
        (("rounds",), [], "record.result"),
        (("rounds", 0, "seed"), "zz", "record.rounds[0].seed"),
        (("rounds", 0, "seed"), "00" * 31, "record.rounds[0].seed"),
        (("rounds", 0, "phrases"), ["", ""], "record.rounds[0].phrases"),
        (("rounds", 0, "phrases", 0), "a\x1fb", "record.rounds[0].phrases"),
        (("rounds", 0, "phrases", 0), "x" * 41, "record.rounds[0].phrases"),
        (("rounds", 0, "phrases", 0), " spaced ", "record.rounds[0].phrases[0]"),
        (("rounds", 1, "actions"), [], "record.rounds[1].actions"),
        (("rounds", 0, "actions", 0, "by"), "god", "record.rounds[0].actions[0]"),
        (("rounds", 0, "actions", 0, "by"), "forced", "record.rounds[0].actions[0]"),
        (("rounds", 0, "actions", 0, "at"), "yesterday", "record.rounds[0].actions[0]"),
        (("rounds", 0, "actions", 0, "at"), None, "record.rounds[0].actions[0]"),
        (("rounds", 0, "actions", 0, "note"), "hi", "record.rounds[0].actions[0].note"),
        (("rounds", 0, "extra"), 1, "record.rounds[0].extra"),
        (("extra",), 1, "record.extra"),
        (("totals",), [0, 0], "record.totals[0]"),
        (("result",), None, "record.result"),
        (("result", "reason"), "forgotten", "record.result"),
        (("result", "left"), [9], "record.result"),
        (("result", "left"), [1, 1], "record.result"),
    ],
)
def test_a_wrong_field_is_named(path: tuple[str | int, ...], wrong: object, where: str) -> None:
    assert refusal(with_value(TEAMS, path, wrong)).where == where


@pytest.mark.parametrize("value", [None, [], "record", 5, {}, {"format": "gaple-record"}])
def test_what_is_no_record_is_refused(value: object) -> None:
    assert refusal(value).where == "record"


@pytest.mark.parametrize("key", ["seed", "phrases", "hands", "actions", "end", "starter"])
def test_a_missing_key_is_named(key: str) -> None:
    record = copy.deepcopy(TEAMS)
    del record["rounds"][1][key]
    assert refusal(record).where.startswith("record.rounds[1]")
    assert key in str(refusal(record))


def test_an_action_after_the_end_is_refused() -> None:
    record = copy.deepcopy(TEAMS)
    actions = record["rounds"][0]["actions"]
    actions.append(actions[-1])
    assert refusal(record).where == f"record.rounds[0].actions[{len(actions) - 1}]"


def test_a_forced_action_that_is_not_marked_is_refused() -> None:
    record = copy.deepcopy(TEAMS)
    index, step = next(
        (i, s) for i, s in enumerate(record["rounds"][0]["actions"]) if s["by"] == "forced"
    )
    step["by"] = "player"
    assert refusal(record).where == f"record.rounds[0].actions[{index}]"


def test_no_round_follows_the_end_of_the_match() -> None:
    record = copy.deepcopy(TEAMS)
    record["rules"]["match"] = {"kind": "single"}
    assert refusal(record).where == "record.rounds[1]"


def test_a_running_match_has_no_result() -> None:
    record = copy.deepcopy(TEAMS)
    del record["rounds"][1]
    assert refusal(record).where == "record.result"
    record["result"] = None
    record["totals"] = record["rounds"][0]["end"]["team_scores"]
    assert MatchRecord.from_dict(record).as_dict() == record


@pytest.mark.parametrize("reason", ["voided", "adjudicated", "cancelled"])
def test_a_match_that_stopped_early_keeps_the_order_it_was_given(reason: str) -> None:
    record = copy.deepcopy(TEAMS)
    del record["rounds"][1]
    record["totals"] = record["rounds"][0]["end"]["team_scores"]
    for order in ([1, 0], [0, 1], []):
        record["result"] = {"order": order, "reason": reason, "left": [2]}
        assert MatchRecord.from_dict(record).as_dict() == record
    record["result"]["order"] = [0, 0]
    assert refusal(record).where == "record.result"


def test_a_match_that_was_closed_is_settled_on_its_standing() -> None:
    record = through_json(
        play_match(Options(match=Match("rounds", n=2)), 4, timeouts=0.2).as_dict()
    )
    order = record["result"]["order"]
    record["result"] = {"order": [*order[1:], order[0]], "reason": "closed", "left": [order[0]]}
    assert MatchRecord.from_dict(record).as_dict() == record
    record["result"]["order"] = order
    assert refusal(record).where == "record.result.order[0]"
