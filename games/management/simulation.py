"""Whole matches played through the services: by bots and by people who miss turns and come back."""

from __future__ import annotations

import uuid
from datetime import timedelta
from random import Random

from django.utils import timezone

from accounts.models import User
from games.bots import bot_of
from games.engine.errors import BadOptions
from games.engine.options import LEVELS, PRESETS, TARGETS, Options
from games.engine.visibility import seat_view
from games.models import Game
from games.models.game import TURN_SECONDS
from games.selectors import Position, load
from games.services import attendance, bots, deadlines, sweeps, table
from games.services.play import play_action

# How often a person does something else than playing in time.
MISSES, COMES_BACK, CUTS, LEAVES, AGREES = 0.06, 0.7, 0.1, 0.003, 0.003


def play_match(kind: str, rng: Random) -> Game:
    """Play one match of a preset, or of odd rules, to whatever end it comes to."""
    options = odd_options(rng) if kind == "odd" else PRESETS[kind]
    people = rng.choice((1, 1, 1, 2, options.players))
    game = _gathered(options, people, rng)
    known: Position | None = None
    while game.finished_at is None:
        if game.bot_due_at is not None:
            bots.play_bots(game.code)
        elif game.stopped_at is not None:
            _someone_returns(game, rng)
        else:
            known = _turn_of_a_person(load(game, known), rng)
        game = Game.objects.get(pk=game.pk)
    return game


def odd_options(rng: Random) -> Options:
    """A set of options that makes sense, drawn from all there are."""
    while True:
        players, tiles = rng.choice([(4, 6), (4, 7), (5, 5)])
        matches = (
            {"kind": "single"},
            {"kind": "rounds", "n": rng.randint(2, 5)},
            {"kind": "target", "points": rng.choice(TARGETS[:2])},
        )
        values = {
            "players": players,
            "tiles": tiles,
            "unable": rng.choice(["discard", "pass"]),
            "double_blank": rng.choice(["plain", "own25", "dead25"]),
            "team_rule": rng.choice(["none", "sum", "winner", "both_out"]),
            "empty_by_discard": rng.choice(["continue", "ends"]),
            "first_lead": rng.choice(["0-0", "6-6"]),
            "next_lead": rng.choice(["double", "any"]),
            "next_starter": rng.choice(["winner", "rotate"]),
            "redeal": rng.choice(["off", "5", "6"]),
            "on_timeout": rng.choice(["pass", "autoplay"]),
            "takeover_after": rng.randint(1, 5),
            "absent_level": rng.choice(LEVELS),
            "match": rng.choice(matches),
        }
        try:
            return Options.from_dict(values)
        except BadOptions:
            continue


def _gathered(options: Options, people: int, rng: Random) -> Game:
    host = User.objects.create_guest("Tuan Rumah")
    game, token = table.create_table(
        host=host,
        options=options,
        turn_seconds=rng.choice(TURN_SECONDS),
        fixed_seats=rng.random() < 0.3,
    )
    for number in range(1, people):
        guest = User.objects.create_guest(f"Tamu {number}")
        table.join(code=game.code, user=guest, token=token, phrase=_phrase(rng))
    if people < options.players:
        table.fill_with_bots(code=game.code, user=host, level=rng.choice(LEVELS))
    table.start(code=game.code, user=host)
    return Game.objects.get(pk=game.pk)


def _phrase(rng: Random) -> str:
    return f"potong {rng.randrange(10**6)} ♣ é" if rng.random() < CUTS else ""


def _turn_of_a_person(position: Position, rng: Random) -> Position | None:
    """One person's turn; the position after it where that is known."""
    game, seat, state = position.game, position.mover, position.state
    assert seat.user is not None
    assert state.turn is not None
    chance = rng.random()
    if chance < LEAVES:
        attendance.leave_match(code=game.code, user=seat.user)
    elif chance < LEAVES + AGREES:
        _all_agree_to_stop(game, rng)
    elif chance < LEAVES + AGREES + MISSES:
        _miss(game)
    else:
        action = bot_of("warung")(seat_view(state, state.turn), rng)
        if rng.random() < CUTS:
            table.set_phrase(code=game.code, user=seat.user, phrase=_phrase(rng))
        return play_action(
            code=game.code,
            actor=seat.user,
            action=action,
            seen=(state.number, state.ply),
            token=uuid.UUID(int=rng.getrandbits(128)),
            known=position,
        )
    return None


def _miss(game: Game) -> None:
    """Let the deadline pass, by moving it instead of waiting."""
    past = timezone.now() - timedelta(seconds=1)
    Game.objects.filter(pk=game.pk).update(deadline_at=past, turn_started_at=past)
    deadlines.enforce_deadline(game.code)


def _all_agree_to_stop(game: Game, rng: Random) -> None:
    for seat in game.seats.filter(user__isnull=False, left_at=None):
        assert seat.user is not None
        if Game.objects.filter(pk=game.pk, finished_at=None).exists() and rng.random() < 0.9:
            attendance.vote_cancel(code=game.code, user=seat.user)


def _someone_returns(game: Game, rng: Random) -> None:
    """Somebody takes his seat back, or nobody does until the table closes."""
    away = game.seats.exclude(absent_since=None).filter(left_at=None)
    if rng.random() < COMES_BACK:
        seat = rng.choice(list(away.order_by("position")))
        assert seat.user is not None
        attendance.take_back(code=game.code, user=seat.user)
    else:
        past = timezone.now() - timedelta(seconds=1)
        Game.objects.filter(pk=game.pk).update(closes_at=past)
        sweeps.close_if_waited_enough(game)
