"""Each rule that the database holds refuses its bad row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from accounts.models import User
from games.engine.tiles import DECK
from games.models import Game, Heartbeat, Move, Outage, Round, Seat
from tests.factories import guest, match_of, person, play_once

pytestmark = pytest.mark.django_db(transaction=True)
Change = Callable[[Game], Any]


@pytest.fixture
def game() -> Game:
    game = match_of([guest() for _ in range(4)])
    play_once(game)
    return game


def another_move(game: Game, **changes: Any) -> Move:
    last = Move.objects.filter(game=game).order_by("-ply")[0]
    values: dict[str, Any] = {
        "game": game,
        "round": last.round,
        "seat": last.seat,
        "ply": last.ply + 1,
        "act": "pass",
        "by": "player",
        "at": timezone.now(),
    }
    return Move.objects.create(**(values | changes))


def updated(**values: Any) -> Change:
    return lambda game: Game.objects.filter(pk=game.pk).update(**values)


def unused_tile(game: Game) -> str:
    used = set(Move.objects.filter(game=game).values_list("tile", flat=True))
    return next(str(tile) for tile in DECK if str(tile) not in used)


def with_token_of_last(game: Game) -> Move:
    last = Move.objects.exclude(token=None).order_by("-ply")[0]
    return another_move(game, seat=last.seat, token=last.token)


def with_tile_of_last(game: Game) -> Move:
    last = Move.objects.exclude(tile=None).order_by("-ply")[0]
    return another_move(game, act="place", tile=last.tile, end="L")


def new_seat(**values: Any) -> Change:
    def make(game: Game) -> Seat:
        game.seats.filter(position=3).update(position=4)
        defaults = {"position": 3, "joined_at": timezone.now()}
        return Seat.objects.create(game=game, **(defaults | values))

    return make


BAD_ROWS: dict[str, Change] = {
    "move_once_a_ply": lambda game: another_move(game, ply=0),
    "move_tile_once_a_round": with_tile_of_last,
    "move_once_a_token": with_token_of_last,
    "move_act_has_its_parts: place without end": lambda g: another_move(
        g, act="place", tile=unused_tile(g)
    ),
    "move_act_has_its_parts: discard with end": lambda g: another_move(
        g, act="discard", tile=unused_tile(g), end="L"
    ),
    "move_act_has_its_parts: discard without tile": lambda g: another_move(g, act="discard"),
    "move_act_has_its_parts: pass with tile": lambda g: another_move(g, act="pass", tile="0-1"),
    "move_by_known": lambda game: another_move(game, by="nobody"),
    "game_finished_has_result: no result": updated(
        finished_at=timezone.now(), to_move=None, deadline_at=None
    ),
    "game_finished_has_result: not finished": updated(result={}),
    "game_active_has_seat_to_move": updated(to_move=None, deadline_at=None),
    "game_clock_only_while_running: stopped": updated(stopped_at=timezone.now()),
    "game_clock_only_while_running: two clocks": updated(bot_due_at=timezone.now()),
    "game_closes_only_while_stopped": updated(closes_at=timezone.now()),
    "game_turn_seconds_known": updated(turn_seconds=42),
    "game code is unique": lambda game: Game.objects.create(
        code=game.code, host=game.host, options=game.options
    ),
    "seat_once_a_game": lambda game: game.seats.filter(position=1).update(position=0),
    "seat_one_a_person": lambda game: game.seats.filter(position=1).update(
        user=game.seats.get(position=0).user
    ),
    "seat_person_or_bot: neither": new_seat(),
    "seat_person_or_bot: both": lambda game: game.seats.filter(position=1).update(
        bot_level="warung"
    ),
    "seat_position_known": lambda game: game.seats.filter(position=1).update(position=5),
    "seat_bots_are_never_absent": new_seat(bot_level="warung", absent_since=timezone.now()),
    "round_once_a_game": lambda game: copied_round(game, finished_at=timezone.now()),
    "round_one_running": lambda game: copied_round(game, number=2),
    "round_end_when_finished": lambda game: game.rounds.update(end={}),
    "person_one_a_name": lambda game: (person("Budi"), person("BUDI")),
    "heartbeat_is_single": lambda game: Heartbeat.objects.create(pk=2, beat_at=timezone.now()),
    "outage_has_length": lambda game: Outage.objects.create(
        began_at=game.created_at, ended_at=game.created_at
    ),
}


def copied_round(game: Game, **changes: Any) -> Round:
    round_ = game.rounds.get()
    round_.pk = None
    for name, value in changes.items():
        setattr(round_, name, value)
    round_.save(force_insert=True)
    return round_


@pytest.mark.parametrize("rule", BAD_ROWS)
def test_the_database_refuses(rule: str, game: Game) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        BAD_ROWS[rule](game)


def test_every_constraint_has_its_bad_row() -> None:
    tried = {rule.split(":")[0] for rule in BAD_ROWS}
    for model in (Game, Seat, Round, Move, Heartbeat, Outage, User):
        assert {c.name for c in model._meta.constraints} <= tried


def test_the_ledger_refuses_to_be_changed(game: Game) -> None:
    move = Move.objects.filter(by="player")[0]
    move.by = "bot"
    for change in (
        move.save,
        move.delete,
        lambda: Move.objects.filter(pk=move.pk).update(by="bot"),
        lambda: Move.objects.filter(pk=move.pk).delete(),
        lambda: Move.objects.bulk_update([move], ["by"]),
    ):
        with pytest.raises(TypeError, match="append-only"):
            change()
    assert Move.objects.get(pk=move.pk).by == "player"


def test_who_played_cannot_be_deleted(game: Game) -> None:
    player = Move.objects.exclude(player=None)[0].player
    assert player is not None
    with pytest.raises(IntegrityError), transaction.atomic():
        player.delete()


@pytest.mark.postgres
@pytest.mark.parametrize(
    "statement", ["UPDATE games_move SET by = 'bot'", "DELETE FROM games_move"]
)
def test_postgresql_itself_refuses_to_change_the_ledger(game: Game, statement: str) -> None:
    with (
        pytest.raises(IntegrityError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)


def test_tokens_may_repeat_at_other_seats() -> None:
    token = uuid4()
    game = match_of([guest() for _ in range(4)])
    first, second = game.seats.order_by("position")[:2]
    another = {"game": game, "round": game.rounds.get(), "act": "pass", "by": "player"}
    for ply, seat in enumerate((first, second)):
        Move.objects.create(**another, ply=ply + 50, seat=seat, token=token, at=timezone.now())
    assert Move.objects.filter(token=token).count() == 2
