"""Downtime is not thinking time, and sweeps are the guarantee (R16)."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from games.engine.options import PRESETS
from games.errors import Stale
from games.models import Game, Heartbeat, Move, Outage
from games.services import bots, sweeps, table
from games.services.play import play_action
from games.tasks import play_bots, sweep, tidy
from tests.factories import (
    SECOND,
    bot_to_move,
    first_legal,
    fresh,
    guest,
    match_of,
    play_once,
    position_of,
    turn_ends_at,
)

pytestmark = pytest.mark.django_db(transaction=True)
HOUR = timedelta(hours=1)


@pytest.fixture
def start() -> datetime:
    return timezone.now()


def at(moment: datetime) -> time_machine.travel:
    return time_machine.travel(moment, tick=False)


def sweep_at(moment: datetime) -> dict[str, int]:
    with at(moment):
        return sweeps.sweep()


def test_the_first_sweep_ever_is_no_outage(start: datetime) -> None:
    sweep_at(start)
    assert Heartbeat.objects.get().beat_at == start
    assert not Outage.objects.exists()


@pytest.mark.parametrize(("silence", "outages"), [(120, 0), (121, 1)])
def test_more_than_two_minutes_without_a_sweep_is_an_outage(
    start: datetime, silence: int, outages: int
) -> None:
    sweep_at(start)
    sweep_at(start + timedelta(seconds=silence))
    assert Outage.objects.count() == outages


def test_a_heartbeat_from_a_clock_that_is_ahead_is_put_right(start: datetime) -> None:
    sweep_at(start + timedelta(days=365))
    sweep_at(start)
    assert Heartbeat.objects.get().beat_at == start
    sweep_at(start + HOUR)
    assert Outage.objects.count() == 1


def test_an_outage_is_added_to_every_running_deadline_and_said(start: datetime) -> None:
    sweep_at(start)
    games = [match_of([guest() for _ in range(4)]) for _ in range(3)]
    deadlines = [turn_ends_at(game) for game in games]
    began = Heartbeat.objects.get().beat_at
    sweep_at(start + HOUR)
    outage = Outage.objects.get()
    assert outage.settled_at is not None
    for game, deadline in zip(games, deadlines, strict=True):
        after = fresh(game)
        assert after.turn_started_at is not None
        lost = outage.ended_at - max(began, after.turn_started_at)
        assert after.deadline_at == deadline + lost
        assert [e["kind"] for e in after.events].count("outage") == 1
        assert after.version == game.version + 1


def test_the_same_outage_is_never_added_twice(start: datetime) -> None:
    sweep_at(start)
    game = match_of([guest() for _ in range(4)])
    sweep_at(start + HOUR)
    deadline = turn_ends_at(game)
    Outage.objects.update(settled_at=None)
    sweep_at(start + HOUR + SECOND)
    assert turn_ends_at(game) == deadline


def test_a_deadline_inside_an_outage_is_made_whole_before_it_is_judged(start: datetime) -> None:
    sweep_at(start)
    game = match_of([guest() for _ in range(4)], turn_seconds=300)
    done = sweep_at(start + HOUR)
    assert done["overdue"] == 0
    assert not Move.objects.exists()
    assert turn_ends_at(game) > start + HOUR + timedelta(seconds=290)


def test_who_plays_while_no_sweep_runs_is_not_late(start: datetime) -> None:
    sweep_at(start)
    game = match_of([guest() for _ in range(4)], turn_seconds=300)
    with at(start + HOUR):
        play_once(game)
    assert Move.objects.get().by == "player"
    assert not Outage.objects.exists()


def test_a_silence_too_short_for_an_outage_does_not_save_a_late_action(start: datetime) -> None:
    sweep_at(start)
    game = match_of([guest() for _ in range(4)], turn_seconds=300)
    position = position_of(game)
    # The sweeps stop shortly before the deadline, for less than an outage.
    Heartbeat.objects.update(beat_at=turn_ends_at(game) - SECOND)
    with at(turn_ends_at(game) + timedelta(seconds=60)), pytest.raises(Stale):
        play_action(
            code=game.code,
            actor=position.mover.user,
            action=first_legal(game),
            seen=(position.state.number, position.state.ply),
        )
    assert Move.objects.get().by == "timeout"


def test_a_turn_that_began_within_an_outage_gets_back_its_own_part(start: datetime) -> None:
    sweep_at(start)
    game = match_of([guest() for _ in range(4)])
    with at(start + HOUR / 2):
        play_once(game)
    deadline = turn_ends_at(game)
    sweep_at(start + HOUR)
    assert turn_ends_at(game) == deadline + HOUR / 2


def test_one_poisoned_match_does_not_stop_the_others(
    start: datetime, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    sweep_at(start)
    bad, good = (match_of([guest() for _ in range(4)], turn_seconds=300) for _ in range(2))
    late = turn_ends_at(good) + SECOND
    for second in range(0, 300, 100):
        sweep_at(start + timedelta(seconds=second))
    Game.objects.filter(pk=bad.pk).update(options={"players": 99})
    done = sweep_at(late)
    assert done["overdue"] == 1
    assert [m.game_id for m in Move.objects.filter(by="timeout")] == [good.pk]
    assert turn_ends_at(bad) == late + sweeps.POISONED_WAITS
    assert str(bad.code) in caplog.text


def test_a_sweep_finds_the_bots_whose_message_was_lost(start: datetime) -> None:
    game = bot_to_move(match_of([guest()]))
    assert sweeps.sweep()["bots"] == 1
    assert fresh(game).bot_due_at is None


def test_every_task_may_run_twice(start: datetime) -> None:
    game = bot_to_move(match_of([guest()]))
    for _ in range(2):
        play_bots(str(game.code))
        sweep()
        tidy()
    after = fresh(game)
    assert after.bot_due_at is None
    assert Move.objects.count() == after.ply


def test_a_worker_killed_between_action_and_next_bot_loses_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = bot_to_move(match_of([guest() for _ in range(2)]))
    stored = Move.objects.count()

    def killed(*args: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(bots, "_chosen", killed)
        with pytest.raises(KeyboardInterrupt):
            bots.play_bots(game.code)
    assert Move.objects.count() == stored
    sweeps.sweep()
    assert Move.objects.count() > stored


def test_tables_that_nobody_started_are_cleared_away(start: datetime) -> None:
    game, _token = table.create_table(host=guest(), options=PRESETS["klasik"], turn_seconds=300)
    running = match_of([guest()])
    with at(start + timedelta(days=29)):
        tidy()
        assert fresh(game).finished_at is None
    with at(start + timedelta(days=31)):
        tidy()
    result = fresh(game).result
    assert result is not None
    assert result["reason"] == "cancelled"
    # A match has its own clock; the general clean-up never touches it.
    assert fresh(running).finished_at is None
