"""Writing the ledger: the rows of new actions and the columns that summarise them."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from accounts.models import User
from games.engine.actions import FORCED, Entry
from games.models import Game, Move
from games.selectors import Position

SUMMARY = (
    "version",
    "round_number",
    "ply",
    "to_move",
    "turn_started_at",
    "deadline_at",
    "bot_due_at",
    "stopped_at",
    "closes_at",
    "finished_at",
    "started_at",
    "result",
    "events",
    "outage",
    "next_seed",
    "next_commitment",
    "rematch_of",
    "invite_hash",
    "invite_salt",
    "invite_expires_at",
)


def append(
    position: Position, now: datetime, *, player: User | None = None, token: UUID | None = None
) -> None:
    """Store the entries of `position.state` that the ledger does not have yet.

    Person and token belong to the first of them; the forced actions after it have neither.
    """
    game = position.game
    new = position.state.log[game.ply :]
    rows = [_row(position, ply, entry, now) for ply, entry in enumerate(new, start=game.ply)]
    if rows and rows[0].by != FORCED:
        rows[0].player, rows[0].token = player, token
    Move.objects.bulk_create(rows)
    game.ply = position.state.ply


def save_summary(game: Game) -> None:
    """Store what changed for all viewers, under the next version."""
    game.version += 1
    game.save(update_fields=SUMMARY)


def _row(position: Position, ply: int, entry: Entry, now: datetime) -> Move:
    action = entry.action
    return Move(
        game=position.game,
        round=position.round,
        ply=ply,
        seat=position.seats[entry.seat],
        act=action.act,
        tile=action.tile and str(action.tile),
        end=action.end,
        by=entry.by,
        at=now,
    )
