"""Examples E41 to E46: totals, the end of a match and its order (R13, R14, R17)."""

from collections.abc import Sequence
from typing import Any

import pytest

from games.engine.match import is_over, order, totals
from games.engine.options import Match, Options
from games.engine.state import RoundEnd


def round_end(scores: Sequence[int], ranking: Sequence[int] | None = None) -> RoundEnd:
    """A round that ended with these scores; ranked by score unless said otherwise."""
    by_score = sorted(range(len(scores)), key=lambda seat: scores[seat])
    return RoundEnd("out", 0, (0, 0), tuple(scores), tuple(ranking or by_score))


def team_end(sheet: tuple[int, int], winner: int) -> RoundEnd:
    return RoundEnd("out", 0, (0, 0), (0, 0, 0, 0), (0, 1, 2, 3), sheet, winner)


def target(points: int, **chosen: Any) -> Options:
    return Options(match=Match("target", points=points), **chosen)


def test_e41_two_seats_over_the_target() -> None:
    ends = [round_end((92, 40, 71, 99))]
    assert not is_over(target(100), ends)
    ends.append(round_end((14, 3, 20, 1)))
    assert totals(target(100), ends) == (106, 43, 91, 100)
    assert is_over(target(100), ends)
    assert order(target(100), ends) == (1, 2, 3, 0)


def test_e42_all_over_the_target() -> None:
    ends = [round_end((101, 104, 100, 120))]
    assert is_over(target(100), ends)
    assert order(target(100), ends) == (2, 0, 1, 3)


def test_e43_exactly_a_hundred() -> None:
    ends = [round_end((100, 5, 6, 7))]
    assert not is_over(target(101), ends)
    assert is_over(target(100), ends)


def won(winners: Sequence[int], last: Sequence[int]) -> list[RoundEnd]:
    """Rounds won by these seats that add up to 45, 45, 60, 101; the last ranked as given."""
    nothing = (0, 0, 0, 0)
    rankings = [(seat, *(s for s in range(4) if s != seat)) for seat in winners]
    rankings[-1] = tuple(last)
    return [
        round_end((45, 45, 60, 101) if index == 0 else nothing, ranking)
        for index, ranking in enumerate(rankings)
    ]


def test_e44_a_tie_by_rounds_won() -> None:
    ends = won([0, 0, 1, 1, 1, 2, 3], last=(3, 0, 1, 2))
    assert order(target(100), ends) == (1, 0, 2, 3)


def test_e45_a_tie_by_place_in_the_last_round() -> None:
    ends = won([0, 0, 0, 1, 1, 1, 3, 2], last=(2, 1, 0, 3))
    assert order(target(100), ends) == (1, 0, 2, 3)


def test_e46_a_number_of_rounds() -> None:
    options = Options(match=Match("rounds", n=4))
    ends = [round_end((90, 90, 90, 90))] * 3
    assert not is_over(options, ends)
    assert is_over(options, [*ends, round_end((1, 1, 1, 1))])


def test_a_single_round_is_a_match() -> None:
    assert not is_over(Options(), [])
    assert is_over(Options(), [round_end((1, 2, 3, 4))])


def test_teams_have_two_totals_and_order_lists_teams() -> None:
    options = target(25, team_rule="sum")
    ends = [team_end((10, 3), 1), team_end((4, 14), 0)]
    assert totals(options, ends) == (14, 17)
    assert not is_over(options, ends)
    ends.append(team_end((11, 8), 0))
    assert totals(options, ends) == (25, 25)
    assert is_over(options, ends)
    assert order(options, ends) == (0, 1)


def test_teams_with_equal_totals_and_rounds_go_by_the_last_round() -> None:
    options = target(25, team_rule="sum")
    assert order(options, [team_end((0, 0), 0), team_end((25, 25), 1)]) == (1, 0)


def test_leavers_come_last_among_themselves_by_the_rule() -> None:
    ends = [round_end((1, 30, 4, 2))]
    assert order(target(25), ends, left=[0, 2]) == (3, 1, 0, 2)


def test_a_leavers_team_is_ranked_normally() -> None:
    options = target(25, team_rule="sum")
    assert order(options, [team_end((3, 30), 0)], left=[0]) == (0, 1)


@pytest.mark.parametrize("players", [4, 5])
def test_before_any_round_the_seats_stand_in_their_order(players: int) -> None:
    options = Options(players=players, tiles=5 if players == 5 else 6)
    assert order(options, []) == tuple(range(players))
