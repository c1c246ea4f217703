"""Counting and ranking (R11–R12)."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.options import Options
from games.engine.tiles import BLANK_DOUBLE, Tile

Counted = Sequence[Sequence[Tile]]
Key = tuple[int, ...]


def tile_value(tile: Tile, seat: int, counted: Counted, double_blank: str) -> int:
    """What one counted tile of `seat` is worth, in pips (R11)."""
    if tile != BLANK_DOUBLE or double_blank == "plain":
        return tile.pips
    looked_at = [counted[seat]] if double_blank == "own25" else counted
    saved = any(t.low == 0 and t != BLANK_DOUBLE for tiles in looked_at for t in tiles)
    return 0 if saved else 25


def scores(counted: Counted, double_blank: str) -> tuple[int, ...]:
    """Each seat's score, by seat; the lowest wins."""
    return tuple(
        sum(tile_value(tile, seat, counted, double_blank) for tile in tiles)
        for seat, tiles in enumerate(counted)
    )


def ranking_key(
    seats: Sequence[int], counted: Counted, double_blank: str, emptied: Sequence[int] = ()
) -> Key:
    """The ascending key of a seat, or of partners together (R12).

    Score; nothing counted before something; the lowest tile by value; its low end. Seats that
    both have nothing follow the order in which they emptied.
    """
    valued = [
        (tile_value(tile, seat, counted, double_blank), tile.low)
        for seat in seats
        for tile in counted[seat]
    ]
    total = sum(value for value, _ in valued)
    if not valued:
        return (total, 0, min((emptied.index(s) for s in seats if s in emptied), default=0))
    return (total, 1, *min(valued))


def ranking(counted: Counted, double_blank: str, emptied: Sequence[int] = ()) -> tuple[int, ...]:
    """All seats, best first; always decided."""
    return tuple(
        sorted(range(len(counted)), key=lambda s: ranking_key([s], counted, double_blank, emptied))
    )


def team_result(
    options: Options, counted: Counted, emptied: Sequence[int] = ()
) -> tuple[tuple[int, int], int]:
    """The match sheet [team 0, team 1] and the winning team (R12). Team t is seats t and t + 2."""
    by_seat = scores(counted, options.double_blank)
    sums = (by_seat[0] + by_seat[2], by_seat[1] + by_seat[3])
    if options.team_rule == "winner":
        winner = ranking(counted, options.double_blank, emptied)[0] % 2
        return ((0, sums[1]) if winner == 0 else (sums[0], 0)), winner
    keys = [ranking_key([t, t + 2], counted, options.double_blank, emptied) for t in (0, 1)]
    return sums, 0 if keys[0] < keys[1] else 1
