"""What a missed deadline does (R16)."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from games.engine.actions import SKIP, TIMEOUT
from games.engine.errors import IllegalAction
from games.engine.notation import parse_action
from games.engine.options import Options
from games.engine.rules import apply, legal_actions, start_round, timeout_action
from games.engine.state import RoundState
from tests.engine.positions import dealt, do, ended, position


@pytest.mark.parametrize(
    ("ends", "hands", "chosen", "expected"),
    [
        ("2,5", "2-6 0-1 / 5-5 / 1-1 / 3-3", {}, "pass"),
        ("2,5", "2-6 0-1 / 5-5 / 1-1 / 3-3", {"unable": "pass"}, "pass"),
        ("2,5", "6-6 0-4 1-3 / 5-5 / 1-1 / 3-3", {}, "D 0-4"),
        ("2,5", "6-6 1-3 0-4 / 5-5 / 1-1 / 3-3", {"on_timeout": "autoplay"}, "D 0-4"),
        ("2,5", "0-1 3-4 / 5-5 / 1-1 / 3-3", {"unable": "pass"}, "pass"),
        (
            "2,5",
            "0-1 3-4 / 5-5 / 1-1 / 3-3",
            {"unable": "pass", "on_timeout": "autoplay"},
            "pass",
        ),
        ("2,5", "2-6 2-3 0-5 0-1 / 5-5 / 1-1 / 3-3", {"on_timeout": "autoplay"}, "P 0-5@R"),
        ("2,5", "2-6 1-5 2-4 / 5-5 / 1-1 / 3-3", {"on_timeout": "autoplay"}, "P 1-5@R"),
        ("5,2", "2-5 5-6 / 5-5 / 1-1 / 3-3", {"on_timeout": "autoplay"}, "P 2-5@L"),
        ("2,5", "2-5 / 5-5 / – / 3-3", {"team_rule": "both_out"}, "pass"),
        (
            "2,5",
            "2-5 / 5-5 / – / 3-3",
            {"team_rule": "both_out", "on_timeout": "autoplay"},
            "P 2-5@L",
        ),
    ],
)
def test_what_a_missed_deadline_does(
    ends: str, hands: str, chosen: dict[str, Any], expected: str
) -> None:
    state = position(ends, hands, **chosen)
    action = timeout_action(state)
    assert str(action) == expected
    assert str(apply(state, 0, action, by=TIMEOUT).log[-1]) == f"0:{expected}"


@pytest.mark.parametrize("on_timeout", ["pass", "autoplay"])
def test_a_lead_that_times_out_is_the_lightest_allowed_one(on_timeout: str) -> None:
    hands = "0-1 4-4 3-3 / 1-1 / 2-2 / 0-0"
    state = start_round(Options(tiles=7, on_timeout=on_timeout), dealt(hands), 2, right=0)
    assert str(timeout_action(state)) == "P 3-3@L"
    options = Options(tiles=7, on_timeout=on_timeout, next_lead="any")
    assert str(timeout_action(start_round(options, dealt(hands), 2, right=0))) == "P 0-1@L"


def test_a_lost_turn_takes_no_tile_and_moves_on() -> None:
    state = position("2,5", "2-6 0-1 / 5-5 / 1-1 / 3-3")
    after = apply(state, 0, SKIP, by=TIMEOUT)
    assert (after.hands, after.ends, after.turn, after.end) == (state.hands, (2, 5), 1, None)
    assert after.log[0].by == "timeout"


@pytest.mark.parametrize(
    ("chosen", "action"),
    [
        ({}, "P 2-6@L"),
        ({}, "D 0-1"),
        ({"on_timeout": "autoplay"}, "pass"),
        ({"on_timeout": "autoplay"}, "P 2-3@L"),
    ],
)
def test_nothing_else_is_marked_a_timeout(chosen: dict[str, Any], action: str) -> None:
    state = position("2,5", "2-6 0-1 0-2 2-3 / 5-5 / 1-1 / 3-3", **chosen)
    with pytest.raises(IllegalAction) as refused:
        apply(state, 0, parse_action(action), by=TIMEOUT)
    assert refused.value.code == "not_timeout"


@pytest.mark.parametrize("by", ["player", "bot"])
def test_only_a_missed_deadline_passes_although_a_tile_fits(by: str) -> None:
    state = position("2,5", "2-6 0-1 / 5-5 / 1-1 / 3-3")
    with pytest.raises(IllegalAction) as refused:
        apply(state, 0, SKIP, by=by)
    assert refused.value.code == "cannot_pass"


def test_there_is_no_timeout_in_a_finished_round() -> None:
    state = do(position("2,5", "2-6 / 5-5 / 1-1 / 3-3"), "P 2-6@L")
    with pytest.raises(IllegalAction) as refused:
        timeout_action(state)
    assert refused.value.code == "round_over"


@cache
def best_ranking(state: RoundState) -> tuple[int, ...]:
    """The ranking when every seat, knowing all hands, plays for its own best place."""
    if state.end is not None:
        return state.end.ranking
    seat = state.turn
    assert seat is not None
    outcomes = [best_ranking(apply(state, seat, action)) for action in legal_actions(state)]
    return min(outcomes, key=lambda ranking: ranking.index(seat))


def test_the_example_of_r16_a_lost_turn_can_be_worth_more_than_a_legal_one() -> None:
    state = position("2,2", "2-6 0-1 / 6-6 / 1-1 3-3 / 4-4 5-5")
    in_time = best_ranking(state)
    too_late = best_ranking(apply(state, 0, timeout_action(state), by=TIMEOUT))
    assert in_time[0] == 1
    assert too_late[0] == 0
    assert ended(do(do(state, "P 2-6@L"), "P 6-6@L")).closer == 1
