"""The double-six set (R1)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from games.engine.errors import Unreadable


class Tile(NamedTuple):
    """One tile, low ≤ high.

    >>> str(Tile(2, 5)), Tile(2, 5).pips, Tile(2, 5).other(2)
    ('2-5', 7, 5)
    """

    low: int
    high: int

    @property
    def pips(self) -> int:
        return self.low + self.high

    @property
    def is_double(self) -> bool:
        return self.low == self.high

    def fits(self, number: int) -> bool:
        return number in (self.low, self.high)

    def other(self, number: int) -> int:
        """The number on the far side of `number`."""
        return self.high if number == self.low else self.low

    def __str__(self) -> str:
        return f"{self.low}-{self.high}"

    @classmethod
    def parse(cls, text: str) -> Tile:
        """Read "a-b" with 0 ≤ a ≤ b ≤ 6; anything else is Unreadable."""
        tile = _BY_NAME.get(text)
        if tile is None:
            raise Unreadable("tile", f"{text[:20]!r} is not a tile", tile=text[:20])
        return tile


DECK: tuple[Tile, ...] = tuple(Tile(a, b) for a in range(7) for b in range(a, 7))
_BY_NAME = {str(tile): tile for tile in DECK}
BLANK_DOUBLE = Tile(0, 0)


def pips(tiles: Iterable[Tile]) -> int:
    """The sum of all pips, each number at its face."""
    return sum(tile.pips for tile in tiles)


def lightest(tiles: Iterable[Tile]) -> Tile:
    """The tile with the fewest pips, of those the one with the smaller low end (R16)."""
    return min(tiles, key=lambda tile: (tile.pips, tile.low))
