"""Warung: the heuristic of a player who counts what lies on the table."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from games.engine.actions import DISCARD, PASS, PLACE, Action
from games.engine.tiles import DECK, Tile
from games.engine.visibility import SeatView


def choose(view: SeatView, rng: Random) -> Action:
    """The best-valued action; equal ones are chosen between at random."""
    if view.legal[0].act == DISCARD:
        return max(view.legal, key=lambda action: (_discard_value(view, action), rng.random()))
    return max(view.legal, key=lambda action: (_place_value(view, action), rng.random()))


def _discard_value(view: SeatView, action: Action) -> float:
    """A dead tile still counts: give up the tile with the fewest chances to be placed."""
    assert action.tile is not None
    tile = action.tile
    unseen = _unseen_with(view, tile.low) + _unseen_with(view, tile.high)
    return -0.5 * unseen - 0.3 * tile.pips


def _place_value(view: SeatView, action: Action) -> float:
    """Lose pips and doubles early, keep many numbers, leave ends that hurt who comes next."""
    if action.act == PASS or action.tile is None:
        return 0.0
    kept = [tile for tile in view.hand if tile != action.tile]
    ends = _ends_after(view, action)
    value = 1.0 * action.tile.pips + (2.0 if action.tile.is_double else 0.0)
    value += 1.5 * sum(any(tile.fits(end) for tile in kept) for end in set(ends))
    value += 0.8 * len({number for tile in kept for number in tile})
    for distance, seat in enumerate(_others(view), start=1):
        friendly = view.options.teams and distance == 2
        stuck = sum(end in _voids(view, seat) for end in set(ends))
        value += stuck * (-1.5 if friendly else 2.5 / distance)
    return value


def _ends_after(view: SeatView, action: Action) -> tuple[int, int]:
    assert action.tile is not None
    if view.ends is None:
        return action.tile.low, action.tile.high
    left, right = view.ends
    if action.end == "L":
        return action.tile.other(left), right
    return left, action.tile.other(right)


def _others(view: SeatView) -> Iterator[int]:
    """The other seats, the next to move first."""
    assert view.viewer is not None
    for step in range(1, view.options.players):
        yield (view.viewer + step) % view.options.players


def _voids(view: SeatView, seat: int) -> set[int]:
    """Numbers that the seat has shown not to hold; a missed deadline shows nothing."""
    return {
        number
        for entry in view.log
        if entry.seat == seat
        and entry.ends is not None
        and entry.action.act != PLACE
        and entry.by != "timeout"
        for number in entry.ends
    }


def _unseen_with(view: SeatView, number: int) -> int:
    seen: set[Tile] = {laid.tile for laid in view.line} | set(view.hand) | set(view.own_dead)
    return sum(tile.fits(number) for tile in DECK if tile not in seen)
