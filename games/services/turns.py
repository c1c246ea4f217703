"""One turn, under the game's lock: the action, what follows by force, and the next turn."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from accounts.models import User
from games.engine.actions import Action
from games.engine.rules import apply, apply_forced
from games.selectors import Position, rfc3339

from . import finishing, ledger


def take_turn(
    position: Position,
    action: Action,
    *,
    by: str,
    now: datetime,
    player: User | None = None,
    token: UUID | None = None,
) -> Position:
    """Carry out `action` for the seat to move and store all that follows from it.

    Returns the position that stands then, the next round's when one was dealt. Raises the
    engine's IllegalAction before anything is written.
    """
    state, at = position.state, rfc3339(now)
    assert state.turn is not None
    position.state = apply_forced(apply(state, state.turn, action, by=by, at=at), at=at)
    ledger.append(position, now, player=player, token=token)
    if position.state.turn is None:
        position = finishing.finish_round(position, now)
    else:
        finishing.go_on(position, now)
    ledger.save_summary(position.game)
    return position
