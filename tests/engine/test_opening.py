"""Examples E01 to E12: set-up, opening and legality (R1 to R7)."""

import pytest

from games.engine.dealing import redeal_due
from games.engine.errors import IllegalAction
from games.engine.options import Options
from games.engine.rules import apply_forced, legal_actions, start_round
from games.engine.tiles import DECK, pips
from tests.engine.positions import dealt, do, notation, position, tiles


def test_e01_the_set_and_what_is_left_over() -> None:
    assert [Options().rest, Options(tiles=7).rest, Options(players=5, tiles=5).rest] == [4, 0, 3]
    assert len(set(DECK)) == 28
    assert pips(DECK) == 168


def test_e02_the_opening_tile_is_answered() -> None:
    deal = dealt(
        "2-6 6-6 0-1 0-0 0-3 0-4 / 1-1 1-2 1-3 1-4 1-5 1-6 / "
        "2-2 2-3 2-4 3-3 3-4 3-5 / 4-4 4-5 4-6 5-5 5-6 0-2",
        "2-5 0-5 0-6 3-6",
    )
    state = start_round(Options(), deal, 1)
    assert (state.ends, state.turn) == ((2, 5), 0)
    assert state.line[0].seat is None
    assert notation(legal_actions(state)) == ["P 2-6@L"]
    state = do(state, "P 2-6@L")
    assert (state.ends, state.turn) == ((6, 5), 1)


def test_e03_both_ends_of_an_opening_double() -> None:
    state = position("4,4", "4-6 1-2 / 0-4 / 1-4 / 2-4")
    assert notation(legal_actions(state)) == ["P 4-6@L", "P 4-6@R"]
    assert do(state, "P 4-6@R").ends == (4, 6)
    assert do(state, "P 4-6@L").ends == (6, 4)


def test_e04_a_tile_that_fits_both_ends() -> None:
    state = position("3,1", "1-3 5-5 / 0-1 / 1-4 / 2-3")
    assert notation(legal_actions(state)) == ["P 1-3@L", "P 1-3@R"]
    assert do(state, "P 1-3@L").ends == (1, 1)
    assert do(state, "P 1-3@R").ends == (3, 3)


def test_e05_whoever_can_place_must() -> None:
    state = position("2,5", "5-6 0-1 / 2-2 / 1-4 / 2-3")
    assert notation(legal_actions(state)) == ["P 5-6@R"]
    for action, code in [("D 0-1", "must_place"), ("P 0-1@L", "does_not_fit")]:
        with pytest.raises(IllegalAction) as refused:
            do(state, action)
        assert refused.value.code == code


def test_e06_stuck_and_discarding() -> None:
    state = position("2,5", "0-1 3-4 6-6 / 2-2 / 1-4 / 2-3")
    assert notation(legal_actions(state)) == ["D 0-1", "D 3-4", "D 6-6"]
    state = do(state, "D 3-4")
    assert state.hands[0] == set(tiles("0-1 6-6"))
    assert state.dead[0] == tiles("3-4")
    assert (state.ends, state.turn, state.end) == ((2, 5), 1, None)


def test_e07_stuck_and_passing() -> None:
    state = position("2,5", "0-1 3-4 6-6 / 2-2 5-5 / 1-4 / 2-3", unable="pass")
    assert notation(legal_actions(state)) == ["pass"]
    state = apply_forced(state)
    assert [(entry.seat, str(entry.action), entry.by) for entry in state.log] == [
        (0, "pass", "forced")
    ]
    assert (len(state.hands[0]), state.dead[0], state.turn) == (3, (), 1)


ALL_BLANKS = (
    "1-1 1-2 1-3 1-4 1-5 1-6 2-2 / 2-3 2-4 2-5 2-6 3-3 3-4 3-5 / "
    "0-0 0-1 0-2 0-3 0-4 0-5 0-6 / 3-6 4-4 4-5 4-6 5-5 5-6 6-6"
)


def test_e08_all_blanks_in_one_hand() -> None:
    opened = start_round(Options(tiles=7), dealt(ALL_BLANKS), 1)
    state = apply_forced(opened)
    assert [(str(entry), entry.by) for entry in state.log] == [("2:P 0-0@L", "forced")]
    assert (state.ends, state.turn) == ((0, 0), 3)
    assert notation(legal_actions(state)) == [f"D {tile}" for tile in sorted(state.hands[3])]
    assert len(legal_actions(state)) == 7

    state = apply_forced(start_round(Options(tiles=7, unable="pass"), dealt(ALL_BLANKS), 1))
    assert [str(entry) for entry in state.log] == ["2:P 0-0@L", "3:pass", "0:pass", "1:pass"]
    assert state.turn == 2
    assert notation(legal_actions(state)) == [
        f"P 0-{number}@{end}" for number in range(1, 7) for end in "LR"
    ]


DOUBLES_WITH_3 = (
    "0-1 0-2 0-3 0-4 0-5 0-6 1-2 / 1-3 1-4 1-5 1-6 2-3 2-4 2-5 / "
    "2-6 3-4 3-5 3-6 4-5 4-6 5-6 / 0-0 1-1 2-2 3-3 4-4 5-5 6-6"
)
DOUBLES_WITH_2 = (
    "0-0 1-1 2-2 4-4 5-5 0-1 0-2 / 1-3 1-4 1-5 1-6 2-3 2-4 2-5 / "
    "3-3 6-6 0-3 3-4 3-5 3-6 4-5 / 0-4 0-5 0-6 1-2 2-6 4-6 5-6"
)


def test_e09_the_right_to_lead_goes_on_to_the_first_double() -> None:
    state = start_round(Options(tiles=7), dealt(DOUBLES_WITH_3), 2, right=1)
    assert state.turn == state.starter == 3
    assert (len(state.hands[1]), len(state.hands[2]), state.log) == (7, 7, ())
    assert notation(legal_actions(state)) == [f"P {n}-{n}@L" for n in range(7)]


def test_e10_a_choice_between_exactly_the_doubles() -> None:
    state = start_round(Options(tiles=7), dealt(DOUBLES_WITH_2), 2, right=1)
    assert state.turn == 2
    assert notation(legal_actions(state)) == ["P 3-3@L", "P 6-6@L"]


def test_e11_any_tile_may_lead() -> None:
    state = start_round(Options(tiles=7, next_lead="any"), dealt(DOUBLES_WITH_2), 2, right=1)
    assert state.turn == 1
    assert notation(legal_actions(state)) == [f"P {tile}@L" for tile in sorted(state.hands[1])]
    assert len(legal_actions(state)) == 7


def test_e12_redeal_at_five_doubles() -> None:
    five, four = tiles("0-0 1-1 2-2 3-3 4-4 0-1 0-2"), tiles("0-0 1-1 2-2 3-3 0-1 0-2 0-3")
    options = Options(tiles=7, redeal="5")
    assert redeal_due(options, [four, five])
    assert not redeal_due(options, [four, four])
    assert not redeal_due(Options(tiles=7, redeal="6"), [five])
    assert not redeal_due(Options(tiles=7), [five])


def test_the_first_lead_is_six_six_where_the_table_says_so() -> None:
    options = Options(tiles=7, first_lead="6-6")
    state = apply_forced(start_round(options, dealt(ALL_BLANKS), 1))
    assert [str(entry) for entry in state.log] == ["3:P 6-6@L"]
    assert (state.ends, state.turn) == ((6, 6), 0)


def test_the_drawn_starter_and_later_the_one_with_the_right_begin() -> None:
    deal = dealt("2-6 / 6-6 / 0-1 / 0-0", "2-5", starter=2)
    assert start_round(Options(), deal, 1).turn == 2
    assert start_round(Options(), deal, 2, right=1).turn == 1


@pytest.mark.parametrize("right", range(4))
def test_the_right_stays_with_a_seat_that_has_a_double(right: int) -> None:
    hands = "0-0 0-1 / 1-1 1-2 / 2-2 2-3 / 3-3 3-4"
    state = start_round(Options(tiles=7), dealt(hands), 2, right=right)
    assert state.turn == right


def test_the_order_of_legal_placements_is_pinned() -> None:
    state = position("5,2", "2-5 5-5 0-2 2-2 0-5 3-3 / 1-1 / 1-2 / 1-3")
    assert notation(legal_actions(state)) == [
        "P 0-2@R",
        "P 0-5@L",
        "P 2-2@R",
        "P 2-5@L",
        "P 2-5@R",
        "P 5-5@L",
    ]
