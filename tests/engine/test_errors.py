"""Four kinds of refusals, each naming the input and the position."""

from __future__ import annotations

import pytest

from games.engine.actions import Action
from games.engine.errors import (
    BadOptions,
    EngineError,
    IllegalAction,
    StaleAction,
    Unreadable,
)
from games.engine.notation import parse_action, parse_log
from games.engine.options import Options
from games.engine.rules import apply, check_seen, start_round
from games.engine.tiles import DECK, Tile
from tests.engine.positions import dealt, do, position


def test_the_kinds_are_different() -> None:
    kinds = (BadOptions, Unreadable, IllegalAction, StaleAction)
    for kind in kinds:
        assert issubclass(kind, EngineError)
        assert not any(issubclass(kind, other) for other in kinds if other is not kind)


def test_bad_options_name_option_and_value() -> None:
    with pytest.raises(BadOptions, match="team_rule=sum: teams need four players"):
        Options(players=5, tiles=5, team_rule="sum")


@pytest.mark.parametrize("tile", DECK)
def test_every_tile_reads_back(tile: Tile) -> None:
    assert Tile.parse(str(tile)) == tile


@pytest.mark.parametrize(
    "text", ["", "5-3", "0-7", "1-", "1 - 2", "01-2", "٣-4", "1-2 ", "x" * 999]
)
def test_an_unreadable_tile_is_named(text: str) -> None:
    with pytest.raises(Unreadable) as refused:
        Tile.parse(text)
    assert repr(text[:20]) in str(refused.value)
    assert len(str(refused.value)) < 60


@pytest.mark.parametrize("text", ["P 4-6@R", "P 0-0@L", "D 5-5", "pass"])
def test_an_action_reads_back(text: str) -> None:
    assert str(parse_action(text)) == text
    assert str(parse_action(f" {text}\n")) == text


@pytest.mark.parametrize(
    "text", ["", "P 4-6", "P 6-4@R", "D 6-4", "P 4-6@M", "D 4-6@L", "p 4-6@R", "PASS", "P 4-6@R;"]
)
def test_an_unreadable_action_is_named(text: str) -> None:
    with pytest.raises(Unreadable) as refused:
        parse_action(text)
    assert text.removeprefix("P ").removeprefix("D ").removesuffix("@R") in str(refused.value)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("0:P 4-6@R; 1:P 9-9@L", "action 2"),
        ("0:P 4-6@R\n\n1:pass\n2 pass", "action 3"),
        ("5:pass", "action 1"),
        ("0:pass; 1:D 6-5", "action 2"),
        ("0:pass 1:pass", "action 1"),
    ],
)
def test_the_bad_action_of_a_log_is_counted(text: str, where: str) -> None:
    with pytest.raises(Unreadable) as refused:
        parse_log(text)
    assert refused.value.where == where
    assert where in str(refused.value)


def test_an_empty_log_has_no_actions() -> None:
    assert parse_log("") == parse_log(" ;\n; ") == []


@pytest.mark.parametrize(
    ("seat", "action", "code"),
    [
        (1, "P 5-5@R", "not_your_turn"),
        (0, "P 5-5@R", "not_held"),
        (0, "P 0-1@L", "does_not_fit"),
        (0, "P 2-6@R", "does_not_fit"),
        (0, "D 0-1", "must_place"),
        (0, "D 3-3", "not_held"),
        (0, "pass", "cannot_pass"),
    ],
)
def test_an_illegal_action_names_action_and_position(seat: int, action: str, code: str) -> None:
    state = position("2,5", "2-6 0-1 / 5-5 / 1-1 / 3-3")
    with pytest.raises(IllegalAction) as refused:
        apply(state, seat, parse_action(action))
    assert refused.value.code == code
    assert refused.value.where == "round 1, ply 0, ends 2,5, seat 0 to move"
    assert refused.value.where in str(refused.value)
    assert (f"seat {seat}" if code == "not_your_turn" else action) in str(refused.value)
    assert state.log == ()


def test_the_stuck_neither_pass_where_they_discard_nor_discard_where_they_pass() -> None:
    stuck = "0-1 0-3 / 5-5 / 1-1 / 3-3"
    with pytest.raises(IllegalAction) as refused:
        do(position("2,5", stuck), "pass")
    assert refused.value.code == "cannot_pass"
    with pytest.raises(IllegalAction) as refused:
        do(position("2,5", stuck, unable="pass"), "D 0-1")
    assert refused.value.code == "cannot_discard"


@pytest.mark.parametrize(
    "action",
    [
        Action("place", Tile(2, 6)),
        Action("place", Tile(2, 6), "M"),
        Action("place"),
        Action("discard", Tile(0, 1), "L"),
        Action("discard"),
        Action("pass", Tile(0, 1)),
        Action("draw"),
    ],
)
def test_malformed_actions_are_illegal(action: Action) -> None:
    for hand in ("2-6 0-1", "0-1 0-3"):
        with pytest.raises(IllegalAction):
            apply(position("2,5", f"{hand} / 5-5 / 1-1 / 3-3"), 0, action)


def test_a_bad_lead() -> None:
    state = start_round(Options(tiles=7), dealt("0-1 3-3 / 1-1 / 2-2 / 0-0"), 2, right=0)
    with pytest.raises(IllegalAction) as refused:
        do(state, "P 0-1@L")
    assert refused.value.code == "bad_lead"
    assert refused.value.where == "round 2, ply 0, before the lead, seat 0 to move"
    with pytest.raises(IllegalAction) as refused:
        do(state, "P 3-3@R")
    assert refused.value.code == "bad_lead"


def test_nothing_follows_the_end() -> None:
    state = do(position("2,5", "2-6 / 5-5 / 1-1 / 3-3"), "P 2-6@L")
    with pytest.raises(IllegalAction) as refused:
        apply(state, 1, parse_action("P 5-5@R"))
    assert refused.value.code == "round_over"


@pytest.mark.parametrize("seen", [(1, 0), (2, 1), (1, 2)])
def test_a_stale_action_names_what_it_was_meant_for(seen: tuple[int, int]) -> None:
    state = do(position("2,5", "2-6 0-1 / 5-5 / 1-1 / 3-3"), "P 2-6@L")
    with pytest.raises(StaleAction) as refused:
        check_seen(state, seen)
    assert f"round {seen[0]}, ply {seen[1]}" in str(refused.value)
    assert refused.value.where == "round 1, ply 1, ends 6,5, seat 1 to move"


def test_a_fresh_action_is_not_stale() -> None:
    state = do(position("2,5", "2-6 0-1 / 5-5 / 1-1 / 3-3"), "P 2-6@L")
    check_seen(state, (1, 1))
    assert do(state, "P 5-5@R").ply == 2
