"""What a seat can do in its turn, and the line of a log that keeps it."""

from __future__ import annotations

from typing import NamedTuple

from games.engine.tiles import Tile

PLACE, DISCARD, PASS = "place", "discard", "pass"
LEFT, RIGHT = "L", "R"
PLAYER, BOT, FORCED, TIMEOUT = "player", "bot", "forced", "timeout"


class Action(NamedTuple):
    """Place `tile` at `end`, discard `tile` face down, or pass.

    `str` gives the notation without the seat: "P 4-6@R", "D 5-5", "pass".
    """

    act: str
    tile: Tile | None = None
    end: str | None = None

    def __str__(self) -> str:
        if self.act == PLACE:
            return f"P {self.tile}@{self.end}"
        return f"D {self.tile}" if self.act == DISCARD else PASS


def place(tile: Tile, end: str) -> Action:
    return Action(PLACE, tile, end)


def discard(tile: Tile) -> Action:
    return Action(DISCARD, tile)


SKIP = Action(PASS)


class Entry(NamedTuple):
    """One action as it was taken: by whom, in which way, at which ends (None before the lead)."""

    seat: int
    action: Action
    by: str
    ends: tuple[int, int] | None
    at: str = ""

    def __str__(self) -> str:
        return f"{self.seat}:{self.action}"
