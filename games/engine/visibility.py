"""What one viewer may know of a running round (R7, invariant 6)."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.actions import DISCARD, Action, Entry
from games.engine.options import Options
from games.engine.rules import legal_actions
from games.engine.state import Laid, RoundState
from games.engine.tiles import Tile


@dataclass(frozen=True, slots=True)
class SeatView:
    """A round as `viewer` sees it: a seat, or None for everyone without one.

    `hand` and `own_dead` are the viewer's own tiles, () without a seat; `log` holds discards
    without their tile except the viewer's own; `legal` is filled only on the viewer's turn.
    """

    options: Options
    number: int
    viewer: int | None
    starter: int
    turn: int | None
    ends: tuple[int, int] | None
    line: tuple[Laid, ...]
    hand: tuple[Tile, ...]
    own_dead: tuple[Tile, ...]
    hand_counts: tuple[int, ...]
    dead_counts: tuple[int, ...]
    log: tuple[Entry, ...]
    legal: tuple[Action, ...]

    @property
    def ply(self) -> int:
        return len(self.log)


def seat_view(state: RoundState, viewer: int | None) -> SeatView:
    """The running round `state` as `viewer` may see it."""
    return SeatView(
        options=state.options,
        number=state.number,
        viewer=viewer,
        starter=state.starter,
        turn=state.turn,
        ends=state.ends,
        line=state.line,
        hand=tuple(sorted(state.hands[viewer])) if viewer is not None else (),
        own_dead=state.dead[viewer] if viewer is not None else (),
        hand_counts=tuple(map(len, state.hands)),
        dead_counts=tuple(map(len, state.dead)),
        log=tuple(_masked(entry, viewer) for entry in state.log),
        legal=legal_actions(state) if state.turn == viewer else (),
    )


def _masked(entry: Entry, viewer: int | None) -> Entry:
    """A discard of somebody else keeps its seat and ends, not its tile."""
    if entry.action.act != DISCARD or entry.seat == viewer:
        return entry
    return entry._replace(action=Action(DISCARD))
