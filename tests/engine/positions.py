"""Positions, deals and finished rounds from a few words, for the worked examples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.engine.actions import Action, place
from games.engine.dealing import Deal
from games.engine.notation import parse_action, parse_log
from games.engine.options import Options
from games.engine.rules import apply
from games.engine.state import Laid, RoundEnd, RoundState
from games.engine.tiles import DECK, Tile


def tiles(text: str) -> tuple[Tile, ...]:
    """The tiles of "0-3 1-2"."""
    return tuple(map(Tile.parse, text.split()))


def split(text: str) -> list[str]:
    """The hands of "0-2 / 3-6 / – / 1-1", a dash for none."""
    return ["" if part.strip() in "–-" else part.strip() for part in text.split("/")]


def options_for(players: int, **chosen: Any) -> Options:
    return Options(**({"players": players, "tiles": 5 if players == 5 else 6} | chosen))


def position(
    ends: str, hands: str, *, dead: str = "/ / /", turn: int = 0, number: int = 1, **chosen: Any
) -> RoundState:
    """A fragment of a round: open ends "3,5", hands and dead piles parted by "/".

    The tiles that are not named count as laid or left over. Seats without a hand emptied in
    order of seats.
    """
    held = [frozenset(tiles(hand)) for hand in split(hands)]
    left, right = map(int, ends.split(","))
    piles = [tiles(pile) for pile in split(dead)]
    piles += [()] * (len(held) - len(piles))
    return RoundState(
        options=options_for(len(held), **chosen),
        number=number,
        starter=turn,
        hands=tuple(held),
        dead=tuple(piles),
        rest=(),
        line=(Laid(Tile(min(left, right), max(left, right)), left, right, None, None),),
        turn=turn,
        emptied=tuple(seat for seat, hand in enumerate(held) if not hand),
    )


def dealt(hands: str, rest: str = "", *, starter: int = 0) -> Deal:
    """A deal with these hands, the starter as drawn."""
    return Deal(tuple(map(tiles, split(hands))), tiles(rest), starter, 0, "")


def play(state: RoundState, log: str) -> RoundState:
    """Carry out a log in notation."""
    for seat, action in parse_log(log):
        state = apply(state, seat, action)
    return state


def do(state: RoundState, action: str) -> RoundState:
    """Carry out one action of the seat to move."""
    assert state.turn is not None
    return apply(state, state.turn, parse_action(action))


def notation(actions: Sequence[Action]) -> list[str]:
    return [str(action) for action in actions]


def ended(state: RoundState) -> RoundEnd:
    assert state.end is not None
    return state.end


def gone_out(counted: str, **chosen: Any) -> RoundState:
    """A finished round with these counted tiles: seat 0 went out over his own dead pile."""
    piles = split(counted)
    taken = {tile for pile in piles for tile in tiles(pile)}
    last = next(tile for tile in DECK if tile not in taken)
    hands = " / ".join([str(last), *(pile or "–" for pile in piles[1:])])
    dead = " / ".join([piles[0] or "–", *["–"] * (len(piles) - 1)])
    state = position(f"{last.low},{last.low}", hands, dead=dead, **chosen)
    return apply(state, 0, place(last, "L"))
