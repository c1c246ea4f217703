"""Golden games G1 to G6, replayed from the deal to the next starter."""

import pytest

from games.engine.actions import FORCED
from games.engine.match import next_right
from games.engine.notation import format_log, parse_log
from games.engine.options import pips_stake
from games.engine.rules import apply, apply_forced, forced_action, legal_actions
from games.engine.stakes import round_factor
from games.engine.tiles import DECK, pips
from tests.engine.golden import G1, G2, G3, G4, G5, G6, GOLDEN, Golden
from tests.engine.positions import ended, play


def test_g1_blocked_with_unequal_ends() -> None:
    state = play(G1.start(), G1.log)
    end = ended(state)
    assert (end.reason, end.closer, end.ends) == ("blocked", None, (4, 6))
    assert end.scores == (20, 14, 13, 17)
    assert end.ranking == (2, 1, 3, 0)
    assert next_right(state.options, state) == 2
    assert pips(state.dead[0]) == pips(state.hands[0]) == 10


def test_g2_the_closer_does_not_win() -> None:
    end = ended(play(G2.start(), G2.log))
    assert (end.reason, end.closer, end.ends) == ("out", 0, (2, 1))
    assert end.scores == (4, 2, 2, 4)
    assert end.ranking == (1, 2, 3, 0)


@pytest.mark.parametrize(
    ("double_blank", "scores", "ranking"),
    [
        ("plain", (8, 7, 10, 0, 8), (3, 1, 0, 4, 2)),
        ("own25", (8, 7, 10, 25, 8), (1, 0, 4, 2, 3)),
        ("dead25", (8, 7, 10, 25, 8), (1, 0, 4, 2, 3)),
    ],
)
def test_g3_five_players(
    double_blank: str, scores: tuple[int, ...], ranking: tuple[int, ...]
) -> None:
    end = ended(play(G3.start(double_blank=double_blank), G3.log))
    assert (end.reason, end.closer) == ("out", 0)
    assert (end.scores, end.ranking) == (scores, ranking)


def test_g4_pairs() -> None:
    by_sum = play(G4.start(team_rule="sum"), G4.log)
    end = ended(by_sum)
    assert (end.reason, end.closer, end.scores) == ("out", 0, (0, 9, 16, 4))
    assert (end.team_scores, end.winner_team) == ((16, 13), 1)
    assert next_right(by_sum.options, by_sum) == 3

    by_winner = play(G4.start(team_rule="winner"), G4.log)
    end = ended(by_winner)
    assert (end.team_scores, end.winner_team) == ((0, 13), 0)
    assert next_right(by_winner.options, by_winner) == 0


def test_g5_blocked_on_blank_after_ten_actions() -> None:
    state = play(G5.start(), G5.log)
    end = ended(state)
    assert (end.reason, end.ends, state.ply) == ("blocked", (0, 0), 10)
    assert end.scores == (28, 30, 35, 33)
    assert end.ranking == (0, 1, 3, 2)


def test_g6_a_fourfold_close() -> None:
    stake = pips_stake(1, close_bonus=True)
    state = play(G6.start(on_timeout="autoplay", stake=stake), G6.log)
    end = ended(state)
    assert (end.reason, end.closer, state.log[-1].ends) == ("out", 2, (3, 3))
    assert end.scores == (12, 4, 0, 2)
    assert end.ranking == (2, 3, 1, 0)
    assert round_factor(state) == 4


@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_deal_is_a_whole_set(name: str) -> None:
    deal = GOLDEN[name].deal
    assert sorted([*(t for hand in deal.hands for t in hand), *deal.rest]) == list(DECK)


@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_log_reads_back_as_written(name: str) -> None:
    golden = GOLDEN[name]
    assert format_log(play(golden.start(), golden.log).log) == golden.log


@pytest.mark.parametrize("name", GOLDEN)
def test_the_server_alone_makes_the_forced_actions_of_a_golden_game(name: str) -> None:
    """Only chosen actions are given; where a last tile fits both ends, L stands for R (R8)."""
    golden: Golden = GOLDEN[name]
    state = golden.start()
    for seat, action in parse_log(golden.log):
        forced = forced_action(state)
        if forced is None:
            assert len(legal_actions(state)) > 1 or len(state.hands[seat]) > 1
            state = apply(state, seat, action)
        else:
            assert (state.turn, forced.act, forced.tile) == (seat, action.act, action.tile)
            state = apply(state, seat, forced, by=FORCED)
    assert ended(state).scores == ended(play(golden.start(), golden.log)).scores
    assert apply_forced(state) is state
