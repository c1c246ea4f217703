"""Tables and people for tests, made by the services that make them in life."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import uuid4

from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.engine.actions import Action
from games.engine.options import PRESETS, Options
from games.engine.rules import legal_actions
from games.models import Game, Seat
from games.selectors import Position, load
from games.services import bots, table
from games.services.play import play_action

_names = iter(range(1, 10**9))


def person(name: str = "", **extra: Any) -> User:
    """An account."""
    username = name or f"orang{next(_names)}"
    return User.objects.create_user(username, name=username, password="rahasia-7", **extra)


def guest(name: str = "Tamu") -> User:
    return User.objects.create_guest(name)


def browser_of(user: User | None) -> Client:
    """A browser that has been used today, so that its session has nothing to write."""
    client = Client()
    if user is not None:
        client.force_login(user)
        session = client.session
        session["renewed"] = timezone.now().date().isoformat()
        session.save()
    return client


def match_of(
    people: list[User],
    *,
    options: Options = PRESETS["klasik"],
    turn_seconds: int = 86400,
    public: bool = False,
    level: str = "warung",
) -> Game:
    """A match that has just been dealt: people on seats 0…, bots on the others."""
    game, token = table.create_table(
        host=people[0],
        options=options,
        turn_seconds=turn_seconds,
        public=public,
        fixed_seats=not public,
    )
    for someone in people[1:]:
        table.join(code=game.code, user=someone, token=token)
    if len(people) < options.players:
        table.fill_with_bots(code=game.code, user=people[0], level=level)
    table.start(code=game.code, user=people[0])
    return fresh(game)


def fresh(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def position_of(game: Game) -> Position:
    return load(fresh(game))


def mover_of(game: Game) -> Seat:
    return position_of(game).mover


def first_legal(game: Game) -> Action:
    return legal_actions(position_of(game).state)[0]


def play_once(game: Game, action: Action | None = None) -> Action:
    """The person to move plays `action`, or the first legal one."""
    position = position_of(game)
    chosen = action or legal_actions(position.state)[0]
    play_action(
        code=game.code,
        actor=position.mover.user,
        action=chosen,
        seen=(position.state.number, position.state.ply),
        token=uuid4(),
    )
    return chosen


def bot_to_move(game: Game) -> Game:
    """People play until it is a bot's turn."""
    while fresh(game).bot_due_at is None:
        play_once(game)
    return fresh(game)


def play_until_person(game: Game) -> Game:
    bots.play_bots(game.code)
    return fresh(game)


def play_out(game: Game, *, seed: int = 1, stop_after_round: int | None = None) -> Game:
    """Play on with random legal actions until the match, or a round, is over."""
    rng = Random(seed)
    while True:
        game = play_until_person(game)
        if game.finished_at is not None or (
            stop_after_round is not None and game.round_number > stop_after_round
        ):
            return game
        play_once(game, rng.choice(legal_actions(position_of(game).state)))


def turn_ends_at(game: Game) -> datetime:
    deadline = fresh(game).deadline_at
    assert deadline is not None
    return deadline


SECOND = timedelta(seconds=1)
