"""Examples E13 to E21: how rounds end (R9, R10), and the corners of `both_out`."""

import pytest

from games.engine.match import next_right
from games.engine.options import Options
from games.engine.rules import apply_forced, legal_actions
from games.engine.scoring import scores
from games.engine.state import RoundState
from tests.engine.positions import do, ended, notation, play, position, tiles


def closing(dead: str) -> RoundState:
    return do(position("4,6", "2-4 / 1-2 / 4-5 / 0-3", dead=dead), "P 2-4@L")


def test_e13_the_closer_is_last() -> None:
    state = closing("6-6 / – / – / 1-1")
    end = ended(state)
    assert (end.reason, end.closer, end.ends) == ("out", 0, (2, 6))
    assert end.scores == (12, 3, 9, 5)
    assert end.ranking == (1, 3, 2, 0)
    assert next_right(Options(), state) == 1


def test_e14_the_closer_is_first() -> None:
    end = ended(closing("– / – / – / 1-1"))
    assert end.scores == (0, 3, 9, 5)
    assert end.ranking == (0, 1, 3, 2)


E15_HANDS, E15_DEAD = "0-2 / 3-6 / 6-6 / 1-1", "1-3 / 4-5 / – / 2-2"


def test_e15_emptied_by_a_discard_is_not_out() -> None:
    state = do(position("3,5", E15_HANDS, dead=E15_DEAD), "D 0-2")
    assert (state.end, state.turn, state.hands[0]) == (None, 1, frozenset())
    end = ended(do(state, "P 3-6@L"))
    assert (end.reason, end.closer) == ("out", 1)
    assert end.scores == (6, 9, 12, 6)
    assert end.ranking == (0, 3, 1, 2)


def test_e16_the_discard_ends_the_round_where_the_table_says_so() -> None:
    state = position("3,5", E15_HANDS, dead=E15_DEAD, empty_by_discard="ends")
    end = ended(do(state, "D 0-2"))
    assert (end.reason, end.closer) == ("emptied", None)
    assert end.scores == (6, 18, 12, 6)
    assert end.ranking == (0, 3, 2, 1)


def test_e17_two_emptied_hands_before_the_closer() -> None:
    state = apply_forced(position("3,5", "0-2 / 0-1 / 3-6 / 1-1"))
    assert [str(entry) for entry in state.log] == ["0:D 0-2", "1:D 0-1", "2:P 3-6@L"]
    end = ended(state)
    assert (end.reason, end.closer) == ("out", 2)
    assert end.scores == (2, 1, 0, 2)
    assert end.ranking == (2, 1, 0, 3)


def test_e18_the_empty_seat_is_skipped() -> None:
    state = position("3,5", "– / 0-1 3-4 / 5-6 0-4 / 2-2 3-3", turn=1)
    state = do(state, "P 3-4@L")
    assert (state.ends, state.turn) == ((4, 5), 2)
    state = do(state, "P 0-4@L")
    assert (state.ends, state.turn) == ((0, 5), 3)
    assert notation(legal_actions(state)) == ["D 2-2", "D 3-3"]
    state = do(state, "D 2-2")
    assert (state.ends, state.turn) == ((0, 5), 1)


def test_e19_out_although_it_blocks_too() -> None:
    end = ended(do(position("5,5", "5-6 / 0-1 / 1-2 / 3-4"), "P 5-6@R"))
    assert (end.reason, end.closer, end.ends) == ("out", 0, (5, 6))


def test_e20_blocked_with_unequal_ends() -> None:
    state = do(position("5,5", "5-6 0-0 / 1-2 / 3-3 / 1-4 0-4"), "P 5-6@R")
    end = ended(state)
    assert (end.reason, end.closer, end.ends, state.turn) == ("blocked", None, (5, 6), None)
    assert end.scores == (0, 3, 6, 9)
    assert end.ranking == (0, 1, 2, 3)
    all_dead = [tiles("0-0"), tiles("1-2"), tiles("3-3"), tiles("0-4 1-4")]
    assert scores(all_dead, "plain") == end.scores


def test_e21_one_fitting_tile_anywhere_is_no_block() -> None:
    state = position("4,5", "0-1 0-2 / 1-1 1-2 / 5-6 0-0 / 2-2 2-3")
    state = play(state, "0:D 0-1; 1:D 1-1")
    assert (state.end, state.turn) == (None, 2)
    assert notation(legal_actions(state)) == ["P 5-6@R"]


def test_equal_ends_are_no_block_while_a_tile_fits() -> None:
    state = do(position("2,4", "2-4 0-0 / 4-6 / 1-1 / 3-3"), "P 2-4@L")
    assert (state.ends, state.end, state.turn) == ((4, 4), None, 1)


def test_five_players_wrap_around() -> None:
    state = position("3,5", "0-3 0-5 / – / 3-3 / 5-5 / 0-0 3-4", turn=4, dead="/ 1-1 / / /")
    state = do(state, "P 3-4@L")
    assert (state.ends, state.turn) == ((4, 5), 0)
    state = do(state, "P 0-5@R")
    assert state.turn == 2


def test_an_only_tile_holder_moves_again_when_all_others_are_empty() -> None:
    state = position("3,5", "– / – / 3-6 5-6 / –", dead="1-1 / 2-2 / – / 4-4", turn=2)
    state = do(state, "P 3-6@L")
    assert (state.end, state.turn) == (None, 2)


class TestBothOut:
    """R9: under `both_out` the second placement of a pair ends the round, and only that."""

    def both_out(self, hands: str, *, ends: str = "3,5", dead: str = "/ / /") -> RoundState:
        return position(ends, hands, dead=dead, team_rule="both_out")

    def test_the_first_of_a_pair_is_skipped(self) -> None:
        state = self.both_out("3-6 / 0-5 0-6 / 1-1 5-5 / 0-0 2-5")
        state = do(state, "P 3-6@L")
        assert (state.end, state.turn, state.emptied) == (None, 1, (0,))
        state = play(state, "1:P 0-6@L; 2:P 5-5@R; 3:P 0-0@L")
        assert (state.end, state.turn) == (None, 1)

    def test_a_placement_ends_it_after_the_partner_emptied_by_a_discard(self) -> None:
        state = self.both_out("3-6 / 0-5 / – / 0-0", dead="/ / 2-2 /")
        end = ended(do(state, "P 3-6@L"))
        assert (end.reason, end.closer, end.team_scores) == ("out", 0, (4, 5))
        assert end.winner_team == 0

    def test_a_pair_whose_second_hand_empties_by_a_discard_is_not_out(self) -> None:
        state = self.both_out("0-1 / 0-5 2-3 / – / 0-0 4-6")
        state = do(state, "D 0-1")
        assert (state.end, state.turn) == (None, 1)
        state = play(state, "1:P 2-3@L; 3:D 0-0; 1:P 0-5@R")
        assert (ended(state).reason, ended(state).ends) == ("blocked", (2, 0))

    def test_the_opponents_play_on_until_they_are_out(self) -> None:
        state = self.both_out("0-1 / 0-5 / – / 0-0 0-3")
        state = play(state, "0:D 0-1; 1:P 0-5@R; 3:P 0-0@R")
        assert (state.end, state.turn) == (None, 3)
        end = ended(do(state, "P 0-3@R"))
        assert (end.reason, end.closer, end.team_scores) == ("out", 3, (1, 0))
        assert end.ranking[:2] == (2, 1)

    def test_an_emptying_placement_that_blocks_is_blocked_not_out(self) -> None:
        state = self.both_out("3-6 / 0-1 / 1-1 / 0-0", ends="3,3")
        state = do(state, "P 3-6@L")
        end = ended(state)
        assert (end.reason, end.closer, end.ends) == ("blocked", None, (6, 3))
        assert end.team_scores == (2, 1)

    def test_the_partner_still_holding_tiles_keeps_the_round_alive(self) -> None:
        state = self.both_out("3-6 / 0-1 / 5-5 / 0-0")
        assert do(state, "P 3-6@L").end is None

    def test_a_discard_by_the_second_does_not_wake_the_first(self) -> None:
        state = position(
            "3,5",
            "– / 1-1 3-4 / 0-1 / 5-6 2-2",
            dead="0-0 / – / – / –",
            turn=2,
            team_rule="both_out",
        )
        state = do(state, "D 0-1")
        assert (state.end, state.turn, state.emptied) == (None, 3, (0, 2))
        assert do(state, "P 5-6@R").turn == 1


@pytest.mark.parametrize("team_rule", ["none", "sum", "winner"])
def test_one_placement_is_enough_elsewhere(team_rule: str) -> None:
    state = position("3,5", "3-6 / 0-5 / 1-1 / 0-0", team_rule=team_rule)
    assert ended(do(state, "P 3-6@L")).reason == "out"
