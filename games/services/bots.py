"""Bots' turns. A bot is handed a SeatView and a generator that nobody can rebuild."""

from __future__ import annotations

import hashlib
import hmac
from random import Random
from uuid import UUID

from games.bots import bot_of
from games.engine.actions import Action
from games.engine.visibility import seat_view
from games.errors import NotYourTurn, Stale
from games.models import Game
from games.selectors import Position, load

from .play import play_action


def play_bots(code: UUID) -> None:
    """Play the bots of a game one after another until a person is to move."""
    game = Game.objects.filter(code=code, bot_due_at__isnull=False).first()
    position = load(game) if game else None
    while position and position.game.bot_due_at and position.state.turn is not None:
        try:
            position = play_action(
                code=code,
                actor=None,
                action=_chosen(position),
                seen=(position.state.number, position.state.ply),
                known=position,
            )
        except (Stale, NotYourTurn):
            return  # somebody else has played it meanwhile, and goes on from there


def _chosen(position: Position) -> Action:
    """What the bot to move does. It thinks outside the lock, from what its seat may see."""
    state = position.state
    assert state.turn is not None
    bot = bot_of(position.mover.level)
    return bot(seat_view(state, state.turn), _generator(position))


def _generator(position: Position) -> Random:
    """Seeded from the round's secret, so that nobody can run the bot again to learn its hand."""
    message = f"bot/1|{position.state.turn}|{position.state.ply}".encode()
    digest = hmac.digest(bytes(position.round.seed), message, hashlib.sha256)
    return Random(digest)
