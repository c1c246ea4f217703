"""Many hands at once: real threads on whatever database runs the tests."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from django.db import connections
from django.utils import timezone

from accounts.errors import GapleError
from games.engine.options import PRESETS
from games.errors import Stale
from games.models import Game, Move, Seat
from games.services import attendance, bots, sweeps, table
from games.services.play import play_action
from games.services.verifying import differences
from tests.factories import bot_to_move, first_legal, fresh, guest, match_of, mover_of, position_of

pytestmark = pytest.mark.django_db(transaction=True)

Job = Callable[[], Any]


def at_once(*jobs: Job) -> list[Any]:
    """Run the jobs in threads that start together; what each returned or raised."""
    barrier = Barrier(len(jobs))

    def run(job: Job) -> Any:
        try:
            barrier.wait()
            return job()
        except Exception as error:
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))


def ask(game: Game, **changes: Any) -> Job:
    state = position_of(game).state
    asked: dict[str, Any] = {
        "code": game.code,
        "actor": mover_of(game).user,
        "action": first_legal(game),
        "seen": (state.number, state.ply),
        "token": uuid4(),
    }
    return lambda: play_action(**(asked | changes))


def actions_of_people(game: Game) -> int:
    return Move.objects.filter(game=game, by="player").count()


def test_a_double_click_is_one_action() -> None:
    game = match_of([guest() for _ in range(4)])
    job = ask(game)
    results = at_once(*[job] * 6)
    assert [r for r in results if isinstance(r, Exception)] == []
    assert actions_of_people(game) == 1
    assert differences(fresh(game)) == []


def test_two_tabs_play_one_action_and_the_other_is_told() -> None:
    game = match_of([guest() for _ in range(4)])
    results = at_once(*[ask(game) for _ in range(6)])
    assert sum(isinstance(r, Stale) for r in results) == 5
    assert actions_of_people(game) == 1
    assert differences(fresh(game)) == []


def test_a_move_that_races_its_own_timeout_is_one_of_the_two() -> None:
    game = match_of([guest() for _ in range(4)])
    job = ask(game)
    past = timezone.now() - timedelta(seconds=1)
    Game.objects.filter(pk=game.pk).update(deadline_at=past)
    results = at_once(job, sweeps.sweep, job, sweeps.sweep)
    assert [r for r in results if isinstance(r, Exception) and not isinstance(r, Stale)] == []
    # The deadline had passed before anybody held the lock, so the action came too late.
    assert actions_of_people(game) == 0
    assert Move.objects.filter(game=game, by="timeout").count() == 1
    assert sum(game.seats.values_list("missed", flat=True)) == 1
    assert differences(fresh(game)) == []


def test_a_move_sent_at_the_moment_of_its_deadline_is_stored_or_timed_out_never_both() -> None:
    game = match_of([guest() for _ in range(4)])
    job = ask(game)
    soon = timezone.now() + timedelta(milliseconds=40)
    Game.objects.filter(pk=game.pk).update(deadline_at=soon)

    def sweep_at_the_deadline() -> None:
        while timezone.now() < soon:
            pass
        sweeps.sweep()

    results = at_once(job, sweep_at_the_deadline, sweep_at_the_deadline)
    assert [r for r in results if isinstance(r, Exception) and not isinstance(r, Stale)] == []
    (first,) = Move.objects.filter(game=game, ply=0)
    assert first.by == ("timeout" if isinstance(results[0], Stale) else "player")
    assert differences(fresh(game)) == []


def test_bots_woken_many_times_play_each_turn_once() -> None:
    game = bot_to_move(match_of([guest()]))
    results = at_once(*[lambda: bots.play_bots(game.code)] * 4, sweeps.sweep, sweeps.sweep)
    assert [r for r in results if isinstance(r, Exception)] == []
    stored = fresh(game)
    assert stored.bot_due_at is None
    assert Move.objects.filter(game=game).count() == stored.ply
    assert differences(stored) == []


def test_the_last_seat_is_given_once() -> None:
    host = guest("Tuan")
    game, token = table.create_table(host=host, options=PRESETS["klasik"], turn_seconds=3600)
    for _ in range(2):
        table.join(code=game.code, user=guest(), token=token)
    people = [guest() for _ in range(4)]
    results = at_once(
        *[lambda p=p: table.join(code=game.code, user=p, token=token) for p in people]
    )
    assert sum(isinstance(r, GapleError) for r in results) == 3
    assert game.seats.count() == 4
    assert sorted(game.seats.values_list("position", flat=True)) == [0, 1, 2, 3]


def test_one_person_who_joins_twice_at_once_has_one_seat() -> None:
    game, token = table.create_table(
        host=guest("Tuan"), options=PRESETS["klasik"], turn_seconds=3600
    )
    someone = guest()
    results = at_once(*[lambda: table.join(code=game.code, user=someone, token=token)] * 4)
    assert [r for r in results if isinstance(r, Exception)] == []
    assert Seat.objects.filter(game=game, user=someone).count() == 1


def test_a_rematch_that_all_ask_for_at_once_is_one_table() -> None:
    people = [guest(f"Tamu {n}") for n in range(4)]
    game = match_of(people)
    for someone in people:
        attendance.vote_cancel(code=game.code, user=someone)
    results = at_once(*[lambda p=p: table.rematch(code=game.code, user=p) for p in people])
    assert [r for r in results if isinstance(r, Exception)] == []
    (following,) = Game.objects.filter(rematch_of=game)
    assert following.started_at is not None
    assert set(following.seats.values_list("user", flat=True)) == {p.pk for p in people}
    assert differences(following) == []


def test_two_who_start_at_once_deal_one_round() -> None:
    host = guest("Tuan")
    game, _token = table.create_table(host=host, options=PRESETS["klasik"], turn_seconds=3600)
    table.fill_with_bots(code=game.code, user=host, level="pemula")
    results = at_once(*[lambda: table.start(code=game.code, user=host)] * 3)
    assert sum(isinstance(r, Stale) for r in results) == 2
    assert fresh(game).rounds.count() == 1
