"""What the server does at once, and what it leaves alone (R8)."""

from typing import Any

import pytest

from games.engine.errors import IllegalAction
from games.engine.notation import parse_action
from games.engine.options import Options
from games.engine.rules import apply, apply_forced, forced_action, legal_actions, start_round
from games.engine.state import RoundState
from tests.engine.positions import dealt, do, position


def forced(state: RoundState) -> str | None:
    action = forced_action(state)
    return None if action is None else str(action)


@pytest.mark.parametrize(
    ("ends", "hands", "chosen", "expected"),
    [
        ("2,5", "0-1 3-4 / 5-5 / 1-1 / 3-3", {"unable": "pass"}, "pass"),
        ("2,5", "0-1 / 5-5 / 1-1 / 3-3", {"unable": "pass"}, "pass"),
        ("2,5", "0-1 3-4 / 5-5 / 1-1 / 3-3", {}, None),
        ("2,5", "2-6 3-4 / 5-5 / 1-1 / 3-3", {}, None),
        ("2,5", "2-6 3-4 / 5-5 / 1-1 / 3-3", {"unable": "pass"}, None),
        ("2,5", "2-6 / 5-5 / 1-1 / 3-3", {}, "P 2-6@L"),
        ("2,5", "5-6 / 5-5 / 1-1 / 3-3", {}, "P 5-6@R"),
        ("2,5", "0-1 / 5-5 / 1-1 / 3-3", {}, "D 0-1"),
        ("2,5", "0-1 / 5-5 / 1-1 / 3-3", {"empty_by_discard": "ends"}, "D 0-1"),
        ("2,5", "2-5 / 5-5 / 1-1 / 3-3", {}, "P 2-5@L"),
        ("2,2", "2-5 / 5-5 / 1-1 / 3-3", {}, "P 2-5@L"),
        ("2,5", "2-5 / 5-5 / 1-1 / 3-3", {"team_rule": "sum"}, "P 2-5@L"),
        ("2,5", "2-5 / 5-5 / 1-1 / 3-3", {"team_rule": "both_out"}, None),
        ("2,2", "2-5 / 5-5 / 1-1 / 3-3", {"team_rule": "both_out"}, None),
        ("2,5", "2-6 / 5-5 / 1-1 / 3-3", {"team_rule": "both_out"}, "P 2-6@L"),
        ("2,5", "0-1 / 5-5 / 1-1 / 3-3", {"team_rule": "both_out"}, "D 0-1"),
        ("2,5", "2-5 / 5-5 / – / 3-3", {"team_rule": "both_out"}, None),
        ("2,5", "2-5 / 5-5 / 1-1 / 3-3 / 4-4", {}, "P 2-5@L"),
    ],
)
def test_forced_or_free(
    ends: str, hands: str, chosen: dict[str, Any], expected: str | None
) -> None:
    assert forced(position(ends, hands, **chosen)) == expected


SEVEN = (
    "1-1 1-2 1-3 1-4 1-5 1-6 2-2 / 2-3 2-4 2-5 2-6 3-3 3-4 3-5 / "
    "0-0 0-1 0-2 0-3 0-4 0-5 0-6 / 3-6 4-4 4-5 4-6 5-5 5-6 6-6"
)


def test_the_lead_of_round_1_is_forced() -> None:
    assert forced(start_round(Options(tiles=7), dealt(SEVEN), 1)) == "P 0-0@L"
    assert forced(start_round(Options(tiles=7, first_lead="6-6"), dealt(SEVEN), 1)) == "P 6-6@L"


def test_under_any_lead_the_first_round_is_led_with_the_first_lead_all_the_same() -> None:
    options = Options(tiles=7, next_lead="any")
    assert forced(start_round(options, dealt(SEVEN), 1)) == "P 0-0@L"


@pytest.mark.parametrize("right", range(4))
@pytest.mark.parametrize("next_lead", ["double", "any"])
def test_a_later_lead_never_is_not_even_with_one_double(right: int, next_lead: str) -> None:
    state = start_round(Options(tiles=7, next_lead=next_lead), dealt(SEVEN), 2, right=right)
    assert forced(state) is None
    if next_lead == "double" and right == 2:
        assert [str(action) for action in legal_actions(state)] == ["P 0-0@L"]


def test_a_finished_round_forces_nothing() -> None:
    state = do(position("2,5", "2-6 / 5-5 / 1-1 / 3-3"), "P 2-6@L")
    assert forced(state) is None
    assert apply_forced(state) is state
    assert legal_actions(state) == ()


def test_a_chain_of_passes_stops_at_the_first_choice() -> None:
    state = position("2,5", "0-1 3-4 / 0-0 1-1 / 3-3 3-6 / 2-2 4-4", unable="pass")
    state = apply_forced(state, at="2026-01-01T00:00:00Z")
    assert [(str(entry), entry.by, entry.at) for entry in state.log] == [
        (f"{seat}:pass", "forced", "2026-01-01T00:00:00Z") for seat in range(3)
    ]
    assert state.turn == 3


@pytest.mark.parametrize("action", ["P 2-3@L", "P 2-6@L", "pass"])
def test_an_action_is_not_marked_forced_where_there_is_a_choice(action: str) -> None:
    state = position("2,5", "2-6 2-3 / 5-5 / 1-1 / 3-3")
    with pytest.raises(IllegalAction) as refused:
        apply(state, 0, parse_action(action), by="forced")
    assert refused.value.code == "not_forced"
