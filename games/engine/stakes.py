"""Play-money stakes as pure functions (section 11). Amounts are chips."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.engine.actions import PLACE
from games.engine.options import Options
from games.engine.state import RoundEnd, RoundState
from games.engine.tiles import Tile


class Payment(NamedTuple):
    """`chips` go from seat `payer` to seat `receiver`."""

    payer: int
    receiver: int
    chips: int


def closing_bonus(tile: Tile, ends: tuple[int, int]) -> int:
    """×1 plain, ×2 a double, ×3 fitted both ends before it was laid, ×4 both (E54)."""
    both = tile.fits(ends[0]) and tile.fits(ends[1])
    if both:
        return 4 if tile.is_double else 3
    return 2 if tile.is_double else 1


def round_factor(state: RoundState) -> int:
    """The close bonus of a finished round; 1 unless the closer, or his team, won it (E49)."""
    options, end = state.options, state.end
    assert end is not None
    if options.stake is None or not options.stake.close_bonus or end.closer is None:
        return 1
    closer = end.closer % 2 if options.teams else end.closer
    last = state.log[-1]
    if closer != end.winner or last.action.act != PLACE:
        return 1
    assert last.action.tile is not None
    assert last.ends is not None
    return closing_bonus(last.action.tile, last.ends)


def round_payments(
    options: Options, end: RoundEnd, factor: int, paid: Sequence[int]
) -> list[Payment]:
    """What the losers of a round pay under a stake by pips.

    `paid` is what each seat has paid in earlier rounds; nobody's payments exceed the escrow over
    the whole match. Payments are in the order of seats.
    """
    stake = options.stake
    assert stake is not None
    assert stake.kind == "pips"
    payments = []
    for seat in range(options.players):
        receiver, due = _due(options, end, seat)
        chips = min(due * stake.chips * factor, stake.escrow - paid[seat])
        if chips > 0:
            payments.append(Payment(seat, receiver, chips))
    return payments


def _due(options: Options, end: RoundEnd, seat: int) -> tuple[int, int]:
    """(receiver, pips owed) of one seat; nothing is owed by those who won."""
    if end.team_scores is None:
        winner = end.ranking[0]
        return winner, end.scores[seat] - end.scores[winner]
    if seat % 2 == end.winner_team:
        return seat, 0
    difference = end.team_scores[seat % 2] - end.team_scores[1 - seat % 2]
    return (seat + 1) % options.players, max(difference, 0)


def pot_payments(options: Options, winner: int) -> list[Payment]:
    """What a pot pays when the match is over; `winner` is a seat, or a team when teams play."""
    stake = options.stake
    assert stake is not None
    assert stake.kind == "pot"
    seats = range(options.players)
    if not options.teams:
        return [Payment(s, winner, stake.chips) for s in seats if s != winner]
    return [Payment(s, (s + 1) % 4, stake.chips) for s in seats if s % 2 != winner]


def net(payments: Sequence[Payment], players: int) -> tuple[int, ...]:
    """Each seat's gain; always sums to zero."""
    gains = [0] * players
    for payer, receiver, chips in payments:
        gains[payer] -= chips
        gains[receiver] += chips
    return tuple(gains)
