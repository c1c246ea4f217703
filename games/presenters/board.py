"""Where the tiles of a layout lie: a line that snakes within the width it has.

The unit is half a tile's length divided by 20, so a tile is 40 long and 20 wide. The opening
tile lies in the middle and stays there; the right arm turns downwards at the edge, the left arm,
its mirror image, upwards. A tile at a turn stands upright below the last one, doubles lie across.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from games.engine.actions import LEFT, RIGHT
from games.engine.state import Laid
from games.engine.tiles import Tile

HALF, LENGTH = 20, 40
MARGIN = 7
# Three tiles may pass between two turns at least.
_NARROW_REACHES = (80, 100, 120, 140, 160, 200)
_WIDE_REACHES = (100, 120, 140, 160, 200, 240)


@dataclass(frozen=True, slots=True)
class Placed:
    """A tile, or the free slot at an end, with its top left corner and its numbers.

    `first` is the number at the left or the top. `mark` is "newest", "fresh" or "".
    """

    x: int
    y: int
    upright: bool
    first: int = 0
    second: int = 0
    mark: str = ""
    double: bool = False

    @property
    def width(self) -> int:
        return HALF if self.upright else LENGTH

    @property
    def height(self) -> int:
        return LENGTH if self.upright else HALF

    @property
    def x2(self) -> int:
        """Where the second half begins."""
        return self.x if self.upright else self.x + HALF

    @property
    def y2(self) -> int:
        return self.y + HALF if self.upright else self.y

    @property
    def middle_x(self) -> int:
        return self.x + self.width // 2

    @property
    def middle_y(self) -> int:
        return self.y + self.height // 2

    def mirrored(self) -> Placed:
        """Turned by half a turn about the middle of the board."""
        return replace(
            self,
            x=-self.x - self.width,
            y=-self.y - self.height,
            first=self.second,
            second=self.first,
        )


@dataclass(frozen=True, slots=True)
class Slot:
    """The free place at one end. `tile` is the selected tile as it would lie there, or None."""

    end: str
    number: int
    place: Placed
    tile: Placed | None = None

    @property
    def is_left(self) -> bool:
        return self.end == LEFT


@dataclass(frozen=True, slots=True)
class Board:
    """One drawing of the layout. `box` is the SVG viewBox."""

    name: str
    box: str
    tiles: tuple[Placed, ...]
    slots: tuple[Slot, ...] = ()


class _Arm:
    """Lays tiles from the middle to the edge at `reach`, then down and back, row by row."""

    def __init__(self, start: int, reach: int) -> None:
        self._reach = reach
        self._x, self._y = start, 0
        self._heading = 1
        self._after_double = False
        self._at_turn = False

    def lay(self, inner: int, outer: int) -> Placed:
        """The next tile; its `inner` number touches the line."""
        if self._at_turn:
            return self._first_of_row(inner, outer)
        if inner == outer:
            return self._across(inner)
        if self._x * self._heading + LENGTH <= self._reach:
            return self._along(inner, outer)
        return self._turn(inner, outer)

    def _across(self, number: int) -> Placed:
        left = min(self._x, self._x + HALF * self._heading)
        self._x += HALF * self._heading
        self._after_double = True
        return Placed(left, self._y - HALF, True, number, number, double=True)

    def _along(self, inner: int, outer: int) -> Placed:
        left = min(self._x, self._x + LENGTH * self._heading)
        self._x += LENGTH * self._heading
        self._after_double = False
        return self._flat(left, inner, outer)

    def _turn(self, inner: int, outer: int) -> Placed:
        """Upright, below the outer half of the last tile."""
        left = min(self._x, self._x - HALF * self._heading)
        top = self._y + (HALF if self._after_double else HALF // 2)
        self._x = left + HALF // 2
        self._y = top + LENGTH + HALF // 2
        self._at_turn = True
        return Placed(left, top, True, inner, outer)

    def _first_of_row(self, inner: int, outer: int) -> Placed:
        """Flat, its inner half below the upright tile at the turn; a double lies across too."""
        self._heading = -self._heading
        near, far = self._x - 10 * self._heading, self._x + 30 * self._heading
        self._x = far
        self._at_turn = self._after_double = False
        return self._flat(min(near, far), inner, outer)

    def _flat(self, left: int, inner: int, outer: int) -> Placed:
        numbers = (inner, outer) if self._heading > 0 else (outer, inner)
        return Placed(left, self._y - HALF // 2, False, *numbers, double=inner == outer)


def boards(
    line: Sequence[Laid],
    *,
    selected: Tile | None = None,
    ends: Collection[str] = (),
    fresh_from: int | None = None,
) -> tuple[Board, Board]:
    """The layout for a narrow screen and for a wide one.

    `selected` is shown at those `ends` where it may be placed; tiles laid at ply `fresh_from`
    or later are marked.
    """
    narrow = _best(line, _NARROW_REACHES, (340, 264), 1.9, selected, ends, fresh_from)
    wide = _best(line, _WIDE_REACHES, (600, 420), 2.1, selected, ends, fresh_from)
    return replace(narrow, name="narrow"), replace(wide, name="wide")


def small_board(line: Sequence[Laid]) -> Board:
    """The layout without its free ends, as a small picture of a game in a list."""
    drawn = _best(line, _WIDE_REACHES, (96, 72), 1.0, None, (), None)
    tiles = drawn.tiles
    return Board("small", _box(tiles, (), (96, 72), 1.0) if tiles else drawn.box, tiles)


def _best(
    line: Sequence[Laid],
    reaches: Sequence[int],
    screen: tuple[int, int],
    most: float,
    selected: Tile | None,
    ends: Collection[str],
    fresh_from: int | None,
) -> Board:
    """The drawing whose tiles come out largest on a screen of this size, in pixels."""

    def scale(board: Board) -> float:
        _, _, width, height = map(int, board.box.split())
        return min(screen[0] / width, screen[1] / height)

    def drawn(reach: int) -> Board:
        tiles, slots = _lay_out(line, reach, selected, ends, fresh_from)
        return Board("", _box(tiles, slots, screen, most), tuple(tiles), tuple(slots))

    return max((drawn(reach) for reach in reaches), key=scale)


def _lay_out(
    line: Sequence[Laid],
    reach: int,
    selected: Tile | None,
    ends: Collection[str],
    fresh_from: int | None,
) -> tuple[list[Placed], list[Slot]]:
    if not line:
        return [], []
    newest = max((laid.ply for laid in line if laid.ply is not None), default=None)

    def marked(placed: Placed, laid: Laid) -> Placed:
        if laid.ply is None or newest is None:
            return placed
        if laid.ply == newest:
            return replace(placed, mark="newest")
        if fresh_from is not None and laid.ply >= fresh_from:
            return replace(placed, mark="fresh")
        return placed

    middle = min(range(len(line)), key=lambda i: -1 if line[i].ply is None else line[i].ply or 0)
    opening = line[middle]
    if opening.tile.is_double:
        first = Placed(-10, -HALF, True, opening.left, opening.right, double=True)
    else:
        first = Placed(-HALF, -10, False, opening.left, opening.right)
    tiles = [marked(first, opening)]
    start = first.width // 2
    right, left = _Arm(start, reach), _Arm(start, reach)
    for laid in line[middle + 1 :]:
        tiles.append(marked(right.lay(laid.left, laid.right), laid))
    for laid in reversed(line[:middle]):
        tiles.insert(0, marked(left.lay(laid.right, laid.left).mirrored(), laid))
    slots = [
        _slot(left, LEFT, line[0].left, selected if LEFT in ends else None),
        _slot(right, RIGHT, line[-1].right, selected if RIGHT in ends else None),
    ]
    return tiles, slots


def _slot(arm: _Arm, end: str, number: int, selected: Tile | None) -> Slot:
    if selected is None:
        place = arm.lay(number, -1)
        tile = None
    else:
        place = arm.lay(number, selected.other(number))
        tile = place.mirrored() if end == LEFT else place
    return Slot(end, number, place.mirrored() if end == LEFT else place, tile)


def _box(
    tiles: Sequence[Placed], slots: Sequence[Slot], screen: tuple[int, int] | None, most: float
) -> str:
    """The viewBox: everything, a margin, and the shape of the screen."""
    spots = [*tiles, *(slot.place for slot in slots)]
    if not spots:
        return "-90 -70 180 140"
    left, top = min(s.x for s in spots) - MARGIN, min(s.y for s in spots) - MARGIN
    right = max(s.x + s.width for s in spots) + MARGIN
    bottom = max(s.y + s.height for s in spots) + MARGIN
    width, height = right - left, bottom - top
    if screen is not None:
        least = screen[0] / most
        full = round(max(least, width, height * screen[0] / screen[1]))
        tall = round(full * screen[1] / screen[0])
        left, top = left - (full - width) // 2, top - (tall - height) // 2
        width, height = full, max(tall, height)
    return f"{left} {top} {width} {height}"
