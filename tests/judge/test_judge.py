"""The judge finds nothing in good records and every kind of fault in bad ones."""

from __future__ import annotations

import ast
import copy
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.options import Match, Options
from tests.engine.strategies import moderate, options
from tests.judge.judge import judge
from tests.selfplay import OPTION_SETS, play_match

Json = dict[str, Any]


def written(options: Options, number: int, timeouts: float = 0.0) -> Json:
    record: Json = json.loads(json.dumps(play_match(options, number, timeouts=timeouts).as_dict()))
    return record


@pytest.mark.parametrize("name", OPTION_SETS)
@pytest.mark.parametrize("timeouts", [0.0, 0.2, 0.8])
def test_matches_of_the_engine_are_right(name: str, timeouts: float) -> None:
    for number in range(12):
        assert judge(written(OPTION_SETS[name], number, timeouts)) is None


@moderate
@given(options(), st.integers(0, 2**20), st.sampled_from([0.0, 0.3]))
def test_engine_and_judge_agree_under_any_options(
    chosen: Options, number: int, timeouts: float
) -> None:
    several = replace(chosen, next_starter="rotate" if number % 3 else "winner")
    assert judge(written(replace(several, match=Match("rounds", n=2)), number, timeouts)) is None


def test_it_is_another_program() -> None:
    tree = ast.parse((Path(__file__).parent / "judge.py").read_text(encoding="utf-8"))
    imported = {
        name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names
    } | {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    outside = {name for name in imported if name.split(".")[0] not in sys.stdlib_module_names}
    assert outside == set()


KLASIK = written(Options(match=Match("rounds", n=3)), 21, 0.25)
TEAMS = written(
    Options(tiles=7, unable="pass", team_rule="sum", match=Match("rounds", n=2)), 22, 0.25
)
CHANCE: dict[str, Json] = {"klasik": KLASIK, "teams": TEAMS}


def first(record: Json, **wanted: object) -> Json:
    """The first action of round 1 with these values."""
    found: Json = next(
        action
        for action in record["rounds"][0]["actions"]
        if all(action.get(key) == value for key, value in wanted.items())
    )
    return found


def wrong_score(record: Json) -> None:
    record["rounds"][0]["end"]["scores"][2] += 1


def wrong_ranking(record: Json) -> None:
    record["rounds"][0]["end"]["ranking"].reverse()


def wrong_reason(record: Json) -> None:
    end = record["rounds"][0]["end"]
    end["reason"] = "out" if end["reason"] == "blocked" else "blocked"


def wrong_ends(record: Json) -> None:
    record["rounds"][0]["end"]["ends"][0] += 1


def wrong_closer(record: Json) -> None:
    record["rounds"][0]["end"]["closer"] = 4


def illegal_tile(record: Json) -> None:
    step = first(record, by="player", act="place")
    step["tile"] = record["rounds"][0]["hands"][(step["seat"] + 1) % 4][0]


def pass_although_a_tile_fits(record: Json) -> None:
    step = first(record, by="player", act="place")
    step["act"] = "pass"
    del step["tile"], step["end"]


def out_of_turn(record: Json) -> None:
    record["rounds"][0]["actions"][3]["seat"] = (record["rounds"][0]["actions"][3]["seat"] + 1) % 4


def swapped_hands(record: Json) -> None:
    hands = record["rounds"][1]["hands"]
    hands[0], hands[1] = hands[1], hands[0]


def swapped_actions(record: Json) -> None:
    actions = record["rounds"][0]["actions"]
    actions[1], actions[2] = actions[2], actions[1]


def forced_action_left_out(record: Json) -> None:
    actions = record["rounds"][0]["actions"]
    actions.remove(first(record, by="forced"))


def forced_action_by_a_player(record: Json) -> None:
    first(record, by="forced")["by"] = "player"


def free_action_marked_forced(record: Json) -> None:
    first(record, by="player")["by"] = "forced"


def free_action_marked_late(record: Json) -> None:
    first(record, by="player", act="place")["by"] = "timeout"


def late_pass_by_a_player(record: Json) -> None:
    first(record, by="timeout", act="pass")["by"] = "player"


def autoplay_would_not_pass(record: Json) -> None:
    record["rules"]["on_timeout"] = "autoplay"


def unknown_by(record: Json) -> None:
    first(record, by="player")["by"] = "ghost"


def a_bot_as_player(record: Json) -> None:
    first(record, by="bot")["by"] = "player"


def no_time(record: Json) -> None:
    record["rounds"][0]["actions"][0]["at"] = "noon"


def action_after_the_end(record: Json) -> None:
    actions = record["rounds"][0]["actions"]
    actions.append(copy.deepcopy(actions[-1]))


def round_cut_short(record: Json) -> None:
    record["rounds"][0]["actions"].pop()


def wrong_order(record: Json) -> None:
    record["result"]["order"].reverse()


def wrong_totals(record: Json) -> None:
    record["totals"][0] += 1


def no_result(record: Json) -> None:
    record["result"] = None


def result_too_early(record: Json) -> None:
    record["rounds"].pop()
    sheets = [one["end"].get("team_scores", one["end"]["scores"]) for one in record["rounds"]]
    record["totals"] = [sum(column) for column in zip(*sheets, strict=True)]


def round_too_many(record: Json) -> None:
    record["rules"]["match"] = {"kind": "single"}


def other_seed(record: Json) -> None:
    record["rounds"][0]["seed"] = "00" * 32


def other_phrase(record: Json) -> None:
    record["rounds"][0]["phrases"][2] = "x"


def other_nonce(record: Json) -> None:
    record["rounds"][0]["nonce"] = 1


def wrong_starter_of_round_2(record: Json) -> None:
    record["rounds"][1]["starter"] = (record["rounds"][1]["starter"] + 1) % 4


def other_rules(record: Json) -> None:
    record["rules"]["first_lead"] = "5-5"


def seat_missing(record: Json) -> None:
    record["seats"].pop()


def wrong_code(record: Json) -> None:
    record["code"] = record["code"].replace("0", "1")


def true_for_one(record: Json) -> None:
    record["rounds"][0]["number"] = True


FAULTS: list[Callable[[Json], None]] = [
    wrong_score,
    wrong_ranking,
    wrong_reason,
    wrong_ends,
    wrong_closer,
    illegal_tile,
    pass_although_a_tile_fits,
    out_of_turn,
    swapped_hands,
    swapped_actions,
    forced_action_left_out,
    forced_action_by_a_player,
    free_action_marked_forced,
    free_action_marked_late,
    late_pass_by_a_player,
    autoplay_would_not_pass,
    unknown_by,
    a_bot_as_player,
    no_time,
    action_after_the_end,
    round_cut_short,
    wrong_order,
    wrong_totals,
    no_result,
    result_too_early,
    round_too_many,
    other_seed,
    other_phrase,
    other_nonce,
    wrong_starter_of_round_2,
    other_rules,
    seat_missing,
    wrong_code,
    true_for_one,
]


@pytest.mark.parametrize("name", CHANCE)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_fault_is_found(name: str, fault: Callable[[Json], None]) -> None:
    record = copy.deepcopy(CHANCE[name])
    assert judge(record) is None
    fault(record)
    assert judge(record) is not None


@pytest.mark.parametrize("key", ["team_scores", "winner_team"])
def test_a_wrong_team_result_is_found(key: str) -> None:
    record = copy.deepcopy(TEAMS)
    end = record["rounds"][1]["end"]
    end[key] = 1 - end[key] if key == "winner_team" else end[key][::-1]
    assert f"round 2: end.{key}" in str(judge(record))
    del end[key]
    assert f"round 2: end.{key} is missing" in str(judge(record))


def test_every_missing_key_is_found() -> None:
    for key in KLASIK:
        record = {name: value for name, value in KLASIK.items() if name != key}
        assert judge(record) is not None
    for key in KLASIK["rounds"][0]:
        record = copy.deepcopy(KLASIK)
        del record["rounds"][0][key]
        assert str(judge(record)).startswith("round 1: ")


@pytest.mark.parametrize("value", [None, [], 5, "x", {}])
def test_what_is_no_record_is_found(value: Any) -> None:
    assert "cannot be read" in str(judge(value))


def run(path: Path) -> tuple[int, list[str]]:
    script = str(Path(__file__).parent / "judge.py")
    done = subprocess.run(
        [sys.executable, "-I", script, str(path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout.splitlines()


def test_the_command_tells_lines_and_ends_with_1(tmp_path: Path) -> None:
    bad = copy.deepcopy(KLASIK)
    wrong_score(bad)
    path = tmp_path / "records.jsonl"
    path.write_text("\n".join(map(json.dumps, [KLASIK, TEAMS])) + "\n", encoding="utf-8")
    assert run(path) == (0, ["2 records, 5 rounds judged right, 0 violations"])
    path.write_text("\n".join([json.dumps(KLASIK), json.dumps(bad), "{"]), encoding="utf-8")
    code, printed = run(path)
    assert code == 1
    assert printed[0].startswith("line 2: round 1: end.scores is ")
    assert printed[1].startswith("line 3: is no JSON: ")
    assert printed[2] == "3 records, 3 rounds judged right, 2 violations"


def test_nothing_to_judge_is_no_success(tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_text("\n", encoding="utf-8")
    assert run(path)[0] == 1
    assert run(tmp_path / "missing.jsonl")[0] == 2
