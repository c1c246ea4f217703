"""A real table to look at: a golden game of the tests, played up to a good moment."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from games.engine.actions import BOT
from games.engine.dealing import Deal
from games.engine.notation import parse_log
from games.engine.options import Options
from games.engine.rules import replay, start_round
from games.engine.state import Laid, RoundState
from games.engine.tiles import Tile

from .board import Board, boards

_HANDS = (
    "0-0 1-5 1-6 2-2 2-4 5-6",
    "0-2 0-3 0-6 2-6 4-4 6-6",
    "0-5 1-1 1-2 2-3 2-5 5-5",
    "0-1 1-3 1-4 3-6 4-5 4-6",
)
_REST = "3-5 0-4 3-3 3-4"
_LOG = """0:P 5-6@R; 1:P 0-6@R; 2:P 2-3@L; 3:P 0-1@R; 0:P 1-5@R; 1:P 2-6@L; 2:P 5-5@R; 3:P 4-5@R;
0:P 2-4@R; 1:P 6-6@L; 2:P 2-5@R"""


def _tiles(text: str) -> tuple[Tile, ...]:
    return tuple(Tile.parse(name) for name in text.split())


@cache
def sample_state() -> RoundState:
    hands = tuple(_tiles(hand) for hand in _HANDS)
    state = start_round(Options(), Deal(hands, _tiles(_REST), 0, 0, ""), 1)
    return replay(state, [(seat, action, BOT, "") for seat, action in parse_log(_LOG)])


@cache
def sample_boards() -> tuple[Board, Board]:
    """The picture on the front page."""
    return boards(sample_state().line)


def drawn(text: str) -> tuple[Board, ...]:
    """A line written as "6-2 2-5 5-5", numbers from left to right, for the page of rules."""
    names = text.split()
    line = []
    for place, name in enumerate(names):
        left, right = map(int, name.split("-"))
        ply = abs(place - len(names) // 2) or None
        line.append(Laid(Tile(min(left, right), max(left, right)), left, right, None, ply))
    return tuple(
        replace(board, tiles=tuple(replace(tile, mark="") for tile in board.tiles))
        for board in boards(line)
    )
