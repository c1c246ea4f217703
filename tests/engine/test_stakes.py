"""Examples E47 to E50, E50b and E54: play-money stakes as pure functions (section 11)."""

from typing import Any

import pytest

from games.engine.options import Options, Stake, pips_stake
from games.engine.rules import apply_forced
from games.engine.stakes import (
    Payment,
    closing_bonus,
    net,
    pot_payments,
    round_factor,
    round_payments,
)
from games.engine.state import RoundState
from games.engine.tiles import Tile
from tests.engine.positions import do, ended, gone_out, position

NOTHING_PAID = (0, 0, 0, 0, 0)


def staked(stake: Stake, **chosen: Any) -> Options:
    return Options(on_timeout="autoplay", stake=stake, **chosen)


def gains(state: RoundState, factor: int = 1) -> tuple[int, ...]:
    payments = round_payments(state.options, ended(state), factor, NOTHING_PAID)
    return net(payments, state.options.players)


def by_pips(counted: str, chips: int, **chosen: Any) -> RoundState:
    return gone_out(counted, on_timeout="autoplay", stake=pips_stake(chips), **chosen)


def test_e47_losers_pay_the_winner_by_pips() -> None:
    assert gains(by_pips("6-6 / 1-2 / 4-5 / 0-3 1-1", 1)) == (-9, 17, -6, -2)


def test_e48_a_pot() -> None:
    four = staked(Stake("pot", 10))
    assert net(pot_payments(four, 2), 4) == (-10, -10, 30, -10)
    five = staked(Stake("pot", 10), players=5, tiles=5)
    assert net(pot_payments(five, 0), 5) == (40, -10, -10, -10, -10)


def test_winning_partners_share_a_pot() -> None:
    teams = staked(Stake("pot", 10), team_rule="sum")
    assert net(pot_payments(teams, 1), 4) == (-10, 10, -10, 10)


def closed(ends: str, last: str, action: str, *, bonus: bool = True, **kept: str) -> RoundState:
    """Seat 0 goes out with `last`."""
    state = position(
        ends,
        f"{last} / {kept.get('others', '3-4 / 4-4 / 1-4')}",
        dead=f"{kept.get('dead', '–')} / – / – / –",
        on_timeout="autoplay",
        stake=pips_stake(1, close_bonus=bonus),
    )
    return do(state, action)


@pytest.mark.parametrize(
    ("ends", "last", "action", "factor"),
    [
        ("5,5", "5-5", "P 5-5@R", 4),
        ("5,2", "5-5", "P 5-5@L", 2),
        ("2,5", "2-5", "P 2-5@L", 3),
        ("3,2", "3-5", "P 3-5@L", 1),
    ],
)
def test_e49_the_close_bonus_when_the_closer_wins(
    ends: str, last: str, action: str, factor: int
) -> None:
    assert round_factor(closed(ends, last, action)) == factor
    assert round_factor(closed(ends, last, action, bonus=False)) == 1


def test_e49_no_bonus_when_the_closer_does_not_win() -> None:
    state = closed("5,5", "5-5", "P 5-5@R", dead="6-6")
    assert ended(state).winner != ended(state).closer == 0
    assert round_factor(state) == 1


def test_e49_no_bonus_when_blocked() -> None:
    state = closed("5,5", "5-6 0-0", "P 5-6@L", others="1-1 / 1-2 / 3-3")
    assert (ended(state).reason, ended(state).winner) == ("blocked", 0)
    assert round_factor(state) == 1


@pytest.mark.parametrize(("counted", "factor"), [("– / 6-6 / 1-1 / 5-5", 3), (None, 1)])
def test_in_teams_the_closers_team_must_win(counted: str | None, factor: int) -> None:
    hands = "2-5 / 6-6 / 1-1 / 4-4" if counted else "2-5 / 0-1 / 6-6 / 1-1"
    state = position(
        "2,5",
        hands,
        team_rule="sum",
        on_timeout="autoplay",
        stake=pips_stake(1, close_bonus=True),
    )
    assert round_factor(do(state, "P 2-5@L")) == factor


def test_e50_losing_partners_pay_the_opponent_on_their_left() -> None:
    state = by_pips("– / 1-4 / 4-4 5-5 6-6 / 2-4", 2, team_rule="sum")
    assert ended(state).team_scores == (30, 11)
    assert gains(state) == (-38, 38, -38, 38)


def test_e50b_the_factor_multiplies() -> None:
    state = by_pips("6-6 / 1-3 / – / 1-1", 1)
    assert ended(state).scores == (12, 4, 0, 2)
    assert gains(state, factor=4) == (-48, -16, 72, -8)


def test_nothing_is_owed_by_a_losing_team_with_the_lower_sheet() -> None:
    state = by_pips("0-4 / 1-4 / 2-4 / 0-5", 1, team_rule="sum")
    assert ended(state).team_scores == (10, 10)
    assert gains(state) == (0, 0, 0, 0)


def test_under_winner_the_sheet_counts_not_the_sum() -> None:
    state = by_pips("– / 1-4 / 4-4 5-5 6-6 / 2-4", 1, team_rule="winner")
    assert ended(state).team_scores == (0, 11)
    assert gains(state) == (11, -11, 11, -11)


def test_nobody_pays_more_than_the_escrow_over_the_match() -> None:
    state = gone_out(
        "6-6 / 1-2 / 4-5 / 0-3 1-1", on_timeout="autoplay", stake=pips_stake(1, cap=20)
    )
    payments = round_payments(state.options, ended(state), 1, (15, 0, 20, 18))
    assert payments == [Payment(0, 1, 5), Payment(3, 1, 2)]


def test_the_cap_is_fifty_pips_unless_set() -> None:
    assert pips_stake(3).escrow == 150
    assert pips_stake(3, cap=40).escrow == 40
    assert Stake("pot", 10).escrow == 10


@pytest.mark.parametrize(
    ("tile", "ends", "factor"),
    [
        ("2-5", (2, 5), 3),
        ("5-5", (5, 2), 2),
        ("5-5", (5, 5), 4),
        ("3-5", (3, 3), 3),
        ("3-5", (3, 2), 1),
    ],
)
def test_e54_classes_of_closing_tiles(tile: str, ends: tuple[int, int], factor: int) -> None:
    assert closing_bonus(Tile.parse(tile), ends) == factor


def test_a_forced_last_tile_earns_the_bonus_too() -> None:
    state = position(
        "2,5",
        "2-5 / 3-4 / 4-4 / 1-4",
        on_timeout="autoplay",
        stake=pips_stake(1, close_bonus=True),
    )
    assert round_factor(apply_forced(state)) == 3
