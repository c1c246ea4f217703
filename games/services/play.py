"""The door through which every person's and every bot's action comes."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.engine.actions import BOT, PLAYER, Action
from games.engine.errors import IllegalAction, StaleAction
from games.engine.rules import check_seen
from games.errors import NotYourTurn, Stale, told
from games.models import Game, Move
from games.selectors import Position, load

from .deadlines import time_out_if_overdue
from .turns import take_turn


def play_action(
    *,
    code: UUID,
    actor: User | None,
    action: Action,
    seen: tuple[int, int],
    token: UUID | None = None,
    known: Position | None = None,
) -> Position | None:
    """Carry out one action of a person, or of the bot to move when `actor` is None.

    `seen` is the (round, ply) that the actor looked at, `token` the one-time token of his form:
    sent again, it is answered like the first time and stores nothing. `known`, a position of this
    match, is used instead of reading it again if it still stands. Returns the position that
    stands then, None for an action sent again. Raises Stale, NotYourTurn or Illegal; then nothing
    is stored of the action, but a deadline that had passed is carried out first, and that
    stays (R16).
    """
    with transaction.atomic(durable=True):
        # Whoever writes to a game holds its row: nobody acts on a position that moves on.
        game = Game.objects.locked().get(code=code)
        if token is not None and actor is not None and _stored(game, actor, token):
            return None
        if game.to_move is None:
            raise Stale
        position, now = load(game, known), timezone.now()
        timed_out = time_out_if_overdue(position, now)
        if not timed_out:
            _check_turn(position, actor, seen)
            return _taken(position, actor, action, token, now)
    # Raised only now: inside the transaction it would undo the timeout.
    raise Stale


def _stored(game: Game, actor: User, token: UUID) -> bool:
    return Move.objects.filter(game=game, seat__user=actor, token=token).exists()


def _check_turn(position: Position, actor: User | None, seen: tuple[int, int]) -> None:
    """Turns belong to whoever holds the seat at present; he must have seen the last action."""
    try:
        check_seen(position.state, seen)
    except StaleAction as error:
        raise Stale from error
    seat = position.mover
    if actor is None:
        if not seat.by_bot or position.game.bot_due_at is None:
            raise NotYourTurn
    elif seat.user_id != actor.pk or seat.left_at is not None:
        raise NotYourTurn
    elif seat.absent_since is not None:
        raise NotYourTurn(NotYourTurn.taken_over)


def _taken(
    position: Position, actor: User | None, action: Action, token: UUID | None, now: datetime
) -> Position:
    seat = position.mover
    by = BOT if actor is None else PLAYER
    try:
        after = take_turn(position, action, by=by, now=now, player=actor, token=token)
    except IllegalAction as error:
        raise told(error) from error
    if actor is not None and seat.missed:
        seat.missed = 0
        seat.save(update_fields=("missed",))
    return after
