"""Examples E22 to E40: counting, ranking, teams, five players (R11 to R13)."""

from dataclasses import replace

import pytest

from games.engine.match import next_right
from games.engine.options import Options
from games.engine.scoring import ranking, scores
from games.engine.state import RoundEnd
from tests.engine.positions import do, ended, gone_out, position, tiles


def end_of(counted: str, double_blank: str = "plain", team_rule: str = "none") -> RoundEnd:
    return ended(gone_out(counted, double_blank=double_blank, team_rule=team_rule))


def test_e22_plain_double_blank() -> None:
    assert end_of("0-0 3-5 / 1-1 / 2-2 / 3-3").scores[0] == 8


def test_e23_own25() -> None:
    assert end_of("0-0 3-5 / 1-1 / 2-2 / 3-3", "own25").scores[0] == 33
    assert end_of("0-0 0-4 / 1-1 / 2-2 / 3-3", "own25").scores[0] == 4


def in_hand_and_dead(hand: str, dead: str) -> int:
    """What seat 1 counts under own25 with tiles in both places."""
    state = position(
        "6,6", f"4-6 / {hand} / 2-2 / 3-3", dead=f"– / {dead} / – / –", double_blank="own25"
    )
    return ended(do(state, "P 4-6@L")).scores[1]


def test_e24_a_dead_blank_saves_the_double_blank_in_hand() -> None:
    assert in_hand_and_dead("0-0", "0-6") == 6


def test_e25_a_blank_in_hand_saves_the_dead_double_blank() -> None:
    assert in_hand_and_dead("0-1", "0-0") == 1


def test_e26_nothing_saves_it() -> None:
    assert in_hand_and_dead("1-2", "0-0") == 28


def test_e27_dead25_looks_at_everybody() -> None:
    counted = "0-0 3-5 / 0-1 2-2 / 1-2 / 3-3"
    assert end_of(counted, "own25").scores[:2] == (33, 5)
    assert end_of(counted, "dead25").scores[:2] == (8, 5)
    assert end_of("0-0 3-5 / 1-1 2-2 / 1-2 / 3-3", "dead25").scores[:2] == (33, 6)


def test_e28_a_tie_is_decided_by_scored_value() -> None:
    counted = "0-0 / 6-6 5-6 1-1 / 4-6 3-6 2-5 / 5-5 4-4 4-5"
    own = end_of(counted, "own25")
    assert own.scores == (25, 25, 26, 27)
    assert own.ranking == (1, 0, 2, 3)
    plain = end_of(counted)
    assert plain.scores == (0, 25, 26, 27)
    assert plain.ranking == (0, 1, 2, 3)


def test_e29_no_tiles_beat_tiles() -> None:
    end = end_of("– / 0-0 / 2-2 / 3-3")
    assert end.scores[:2] == (0, 0)
    assert end.ranking[:2] == (0, 1)
    moved_round = ended(do(position("6,6", "0-0 / 4-6 / 2-2 / 3-3", turn=1), "P 4-6@L"))
    assert moved_round.ranking[:2] == (1, 0)


def test_e30_lowest_tile_then_its_low_end() -> None:
    end = end_of("1-1 1-3 / 1-5 / 2-4 / 2-3")
    assert end.scores == (6, 6, 6, 5)
    assert end.ranking == (3, 0, 1, 2)


def test_e31_all_equal_by_score() -> None:
    end = end_of("1-1 1-3 / 0-6 / 2-4 / 3-3")
    assert end.scores == (6, 6, 6, 6)
    assert end.ranking == (0, 1, 2, 3)


def test_e32_only_the_low_end_of_the_lowest_tile_matters() -> None:
    end = end_of("2-2 1-5 / 1-3 3-3 / 4-6 / 0-5 2-3")
    assert end.scores == (10, 10, 10, 10)
    assert end.ranking == (1, 0, 3, 2)


E33 = "– / 1-4 / 4-4 5-5 6-6 / 2-4"


def test_e33_the_sum_decides_although_seat_0_went_out() -> None:
    state = gone_out(E33, team_rule="sum")
    end = ended(state)
    assert end.scores == (0, 5, 30, 6)
    assert (end.team_scores, end.winner_team, end.closer) == ((30, 11), 1, 0)
    assert end.ranking == (0, 1, 3, 2)
    assert next_right(state.options, state) == 1


def test_e34_the_best_individual_decides() -> None:
    state = gone_out(E33, team_rule="winner")
    end = ended(state)
    assert (end.team_scores, end.winner_team) == ((0, 11), 0)
    assert next_right(state.options, state) == 0


def test_e34_for_the_other_team_too() -> None:
    end = end_of("4-4 / – / 5-5 / 6-6", team_rule="winner")
    assert (end.team_scores, end.winner_team) == ((18, 0), 1)


def test_e35_a_tie_of_teams_by_the_lowest_tile() -> None:
    end = end_of("0-4 / 1-4 / 2-4 / 0-5", team_rule="sum")
    assert (end.team_scores, end.winner_team) == ((10, 10), 0)


def test_e36_a_tie_of_teams_by_the_low_end() -> None:
    state = gone_out("1-5 / 0-6 / 1-4 / 2-3", team_rule="sum")
    end = ended(state)
    assert (end.team_scores, end.winner_team) == ((11, 11), 0)
    assert next_right(state.options, state) == 2


def test_e37_both_partners_out() -> None:
    state = position("3,5", "1-1 1-2 / 0-5 / 2-2 3-6 / 0-3", turn=1, team_rule="both_out")
    state = do(state, "P 0-5@R")
    assert (state.ends, state.turn, state.end) == ((3, 0), 2, None)
    state = do(state, "P 3-6@L")
    assert (state.ends, state.turn) == ((6, 0), 3)
    state = do(state, "P 0-3@R")
    end = ended(state)
    assert (end.reason, end.closer) == ("out", 3)
    assert end.scores == (5, 0, 4, 0)
    assert (end.team_scores, end.winner_team) == ((9, 0), 1)
    assert end.ranking == (1, 3, 2, 0)
    assert next_right(state.options, state) == 1


def test_e38_a_partner_does_not_save_the_double_blank() -> None:
    end = end_of("0-0 / 1-1 / 0-4 / 2-2", "own25", "sum")
    assert end.scores == (25, 2, 4, 4)
    assert (end.team_scores, end.winner_team) == ((29, 6), 1)


E39 = "2-6 / 1-6 / 5-5 / 0-0 / 4-4"


def test_e39_five_players_plain() -> None:
    end = end_of(E39)
    assert end.scores == (8, 7, 10, 0, 8)
    assert end.ranking == (3, 1, 0, 4, 2)


def test_e40_five_players_own25() -> None:
    end = end_of(E39, "own25")
    assert end.scores == (8, 7, 10, 25, 8)
    assert end.ranking == (1, 0, 4, 2, 3)


@pytest.mark.parametrize(("emptied", "best"), [((1, 3), 1), ((3, 1), 3)])
def test_of_two_seats_with_nothing_the_first_to_empty_ranks_first(
    emptied: tuple[int, int], best: int
) -> None:
    counted = [tiles("1-1"), (), tiles("2-2"), ()]
    assert scores(counted, "own25") == (2, 0, 4, 0)
    assert ranking(counted, "own25", emptied) == (best, 4 - best, 0, 2)


@pytest.mark.parametrize(("leader", "following"), [(0, 1), (2, 3), (3, 0)])
def test_under_rotate_the_seat_after_the_leader_starts(leader: int, following: int) -> None:
    options = Options(next_starter="rotate")
    state = replace(gone_out("6-6 / 1-1 / – / 3-3"), starter=leader)
    assert ended(state).best_seat == 2
    assert next_right(options, state) == following
