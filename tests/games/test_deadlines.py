"""Missed turns (R16), takeovers and stopped tables (R17)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.utils import timezone

from games.engine.actions import SKIP
from games.engine.options import PRESETS, Match, Options
from games.engine.rules import legal_actions, timeout_action
from games.errors import NotAllowed, NotYourTurn, Stale
from games.models import Game, Heartbeat, Move, Seat
from games.selectors import table_view
from games.services import attendance, bots, sweeps, table
from games.services.play import play_action
from games.services.verifying import differences
from tests.factories import (
    SECOND,
    first_legal,
    fresh,
    guest,
    match_of,
    mover_of,
    person,
    play_once,
    position_of,
    turn_ends_at,
)

pytestmark = pytest.mark.django_db(transaction=True)
LONG = Options(tiles=7, unable="pass", match=Match("rounds", n=20))


def miss(game: Game) -> None:
    """Let the person to move miss his turn, and have a sweep find it."""
    with time_machine.travel(turn_ends_at(game), tick=False):
        keep_beating()
        sweeps.sweep()


def keep_beating() -> None:
    """As if sweeps had run all the time until now."""
    Heartbeat.objects.update_or_create(pk=1, defaults={"beat_at": timezone.now()})


def miss_until(game: Game, user: Any, times: int) -> None:
    """`user` misses his next `times` turns; everybody else plays."""
    missed = 0
    while missed < times:
        bots.play_bots(game.code)
        if mover_of(game).user == user:
            miss(game)
            missed += 1
        else:
            play_once(game)


def play_until(game: Game, user: Any) -> None:
    bots.play_bots(game.code)
    while mover_of(game).user != user:
        play_once(game)
        bots.play_bots(game.code)


def events(game: Game) -> list[str]:
    return [event["kind"] for event in fresh(game).events]


def test_a_turn_is_over_exactly_at_its_deadline() -> None:
    game = match_of([guest() for _ in range(4)])
    deadline = turn_ends_at(game)
    with time_machine.travel(deadline - SECOND, tick=False):
        sweeps.sweep()
        assert not Move.objects.filter(by="timeout").exists()
    with time_machine.travel(deadline, tick=False):
        sweeps.sweep()
    (move,) = Move.objects.filter(by="timeout")
    assert move.at == deadline
    assert fresh(game).deadline_at == deadline + game.turn_length


def test_an_action_after_the_deadline_comes_too_late_and_the_timeout_stays() -> None:
    game = match_of([guest() for _ in range(4)])
    position = position_of(game)
    asked = {
        "code": game.code,
        "actor": position.mover.user,
        "action": first_legal(game),
        "seen": (position.state.number, position.state.ply),
    }
    with time_machine.travel(turn_ends_at(game), tick=False):
        keep_beating()
        with pytest.raises(Stale):
            play_action(**asked)  # type: ignore[arg-type]
    assert [m.by for m in Move.objects.filter(game=game)] == ["timeout"]


def test_who_could_place_loses_the_turn_and_no_tile() -> None:
    game = match_of([guest() for _ in range(4)])
    while legal_actions(position_of(game).state)[0].act != "place":
        play_once(game)
    before = position_of(game)
    miss(game)
    move = Move.objects.get(by="timeout")
    assert move.action == SKIP
    assert position_of(game).state.hands == before.state.hands


def test_where_autoplay_is_on_the_lightest_fitting_tile_is_placed() -> None:
    options = Options(on_timeout="autoplay")
    game = match_of([guest() for _ in range(4)], options=options)
    expected = timeout_action(position_of(game).state)
    assert expected.act == "place"
    miss(game)
    assert Move.objects.get(by="timeout").action == expected


@pytest.mark.parametrize("allowed", [1, 2, 3])
def test_a_bot_takes_over_after_the_missed_turns_that_the_table_allows(allowed: int) -> None:
    people = [guest(f"Tamu {n}") for n in range(4)]
    options = Options(tiles=7, unable="pass", takeover_after=allowed, match=LONG.match)
    game = match_of(people, options=options)
    miss_until(game, people[1], allowed - 1)
    assert game.seats.get(user=people[1]).absent_since is None
    miss_until(game, people[1], 1)
    seat = game.seats.get(user=people[1])
    assert seat.absent_since is not None
    assert (seat.missed, seat.takeovers) == (0, 1)
    assert "takeover" in events(game)


def test_only_an_own_action_resets_the_count() -> None:
    people = [guest(f"Tamu {n}") for n in range(4)]
    game = match_of(people, options=LONG)
    miss_until(game, people[0], 1)
    assert game.seats.get(user=people[0]).missed == 1
    play_until(game, people[0])
    play_once(game)
    assert game.seats.get(user=people[0]).missed == 0


def test_a_bot_plays_for_the_absent_until_he_takes_back() -> None:
    people = [guest(f"Tamu {n}") for n in range(4)]
    game = match_of(people, options=LONG)
    miss_until(game, people[2], 2)
    while fresh(game).to_move != game.seats.get(user=people[2]).position:
        play_once(game)
    position = position_of(game)
    assert position.game.bot_due_at is not None
    with pytest.raises(NotYourTurn) as caught:
        play_action(
            code=game.code,
            actor=people[2],
            action=first_legal(game),
            seen=(position.state.number, position.state.ply),
        )
    assert caught.value.sentence == NotYourTurn.taken_over
    attendance.take_back(code=game.code, user=people[2])
    assert fresh(game).bot_due_at is None
    # Whoever comes back has a whole turn.
    assert turn_ends_at(game) > timezone.now() + game.turn_length - timedelta(minutes=1)
    play_once(game)
    assert Move.objects.filter(seat__user=people[2], by="player").exists()


def test_after_a_second_takeover_one_missed_turn_suffices_and_the_third_is_leaving() -> None:
    people = [guest(f"Tamu {n}") for n in range(4)]
    game = match_of(people, options=LONG)
    for turns_missed, takeovers in ((2, 1), (2, 2)):
        miss_until(game, people[3], turns_missed)
        assert game.seats.get(user=people[3]).takeovers == takeovers
        attendance.take_back(code=game.code, user=people[3])
    miss_until(game, people[3], 1)
    seat = game.seats.get(user=people[3])
    assert seat.left_at is not None
    with pytest.raises(NotAllowed):
        attendance.take_back(code=game.code, user=people[3])


def test_whoever_left_ranks_last_and_the_score_stays_his() -> None:
    people = [guest(f"Tamu {n}") for n in range(4)]
    game = match_of(people)
    left = game.seats.get(user=people[0]).position
    attendance.leave_match(code=game.code, user=people[0])
    while fresh(game).finished_at is None:
        bots.play_bots(game.code)
        if fresh(game).finished_at is None:
            play_once(game)
    result = fresh(game).result
    assert result is not None
    assert result["left"] == [left]
    assert result["order"][-1] == left
    assert differences(fresh(game)) == []


def test_a_team_that_somebody_left_is_ranked_normally() -> None:
    people = [guest(f"Tamu {n}") for n in range(4)]
    game = match_of(people, options=PRESETS["pasangan"])
    attendance.leave_match(code=game.code, user=people[0])
    while fresh(game).finished_at is None:
        bots.play_bots(game.code)
        if fresh(game).finished_at is None:
            play_once(game)
    result = fresh(game).result
    assert result is not None
    assert sorted(result["order"]) == [0, 1]
    assert len(result["left"]) == 1


def stopped_game(people: list[Any]) -> Game:
    game = match_of(people, options=LONG)
    while fresh(game).stopped_at is None:
        bots.play_bots(game.code)
        if fresh(game).stopped_at is None:
            miss(game)
    return fresh(game)


def test_when_everyone_is_away_the_table_stops_and_no_clock_runs() -> None:
    game = stopped_game([guest(), guest()])
    assert (game.deadline_at, game.bot_due_at, game.finished_at) == (None, None, None)
    stored = Move.objects.count()
    with time_machine.travel(timezone.now() + timedelta(days=60), tick=False):
        bots.play_bots(game.code)
    assert Move.objects.count() == stored


def test_a_stopped_table_goes_on_when_somebody_takes_back() -> None:
    people = [guest(), guest()]
    game = stopped_game(people)
    attendance.take_back(code=game.code, user=people[1])
    after = fresh(game)
    assert after.stopped_at is None
    assert (after.deadline_at is None) != (after.bot_due_at is None)


@pytest.mark.parametrize(
    ("people", "days"),
    [
        (lambda: [guest()], 30),
        (lambda: [guest(), guest()], 30),
        (lambda: [guest() for _ in range(4)], 7),
        (lambda: [person()], 7),
        (lambda: [guest(), person()], 7),
    ],
)
def test_a_stopped_table_closes_in_the_end_on_its_standing(people: Any, days: int) -> None:
    game = stopped_game(people())
    assert game.stopped_at is not None
    closing = game.stopped_at + timedelta(days=days)
    with time_machine.travel(closing - SECOND, tick=False):
        keep_beating()
        sweeps.sweep()
        assert fresh(game).finished_at is None
        assert table_view(fresh(game), game.host).closes_at == closing
    with time_machine.travel(closing, tick=False):
        keep_beating()
        sweeps.sweep()
    after = fresh(game)
    assert after.result is not None
    assert after.result["reason"] == "closed"
    assert len(after.result["left"]) == game.seats.exclude(user=None).count()
    # Every dealt round reveals its seed in the end, finished or not.
    assert not after.rounds.filter(finished_at=None).exists()
    assert differences(after) == []


def test_downtime_is_added_to_the_wait_of_a_stopped_table() -> None:
    game = stopped_game([person()])
    assert game.closes_at is not None
    keep_beating()
    with time_machine.travel(game.closes_at + timedelta(days=1), tick=False):
        sweeps.sweep()
        after = fresh(game)
        assert after.finished_at is None
        assert after.closes_at is not None
        assert after.closes_at > timezone.now() + timedelta(days=6)


def test_a_hundred_tables_that_wait_long_do_not_hold_up_one_that_is_due() -> None:
    due = stopped_game([person()])
    waiting = match_of([guest()])
    long_after = timezone.now() + timedelta(days=20)
    Game.objects.filter(pk=waiting.pk).update(deadline_at=None, bot_due_at=None)
    assert due.closes_at is not None
    for _ in range(sweeps.AT_ONCE):
        stopped = Game.objects.get(pk=waiting.pk)
        stopped.pk, stopped.code, stopped.token = None, uuid4(), None
        stopped.stopped_at, stopped.closes_at = due.created_at, long_after
        stopped.save(force_insert=True)
    with time_machine.travel(due.closes_at, tick=False):
        keep_beating()
        assert sweeps.sweep()["closed"] == 1
    assert fresh(due).finished_at is not None


def test_leaving_by_the_third_takeover_ends_what_leaving_would_end() -> None:
    people = [guest(f"Tamu {n}") for n in range(2)]
    game = match_of(people, options=LONG)
    attendance.vote_cancel(code=game.code, user=people[0])
    game.seats.filter(user=people[1]).update(takeovers=2)
    miss_until(game, people[1], 1)
    result = fresh(game).result
    assert result is not None
    assert result["reason"] == "cancelled"


def test_a_lone_player_who_leaves_by_his_third_takeover_closes_the_match() -> None:
    someone = guest()
    game = match_of([someone], options=LONG)
    game.seats.filter(user=someone).update(takeovers=2)
    miss_until(game, someone, 1)
    result = fresh(game).result
    assert result is not None
    assert (result["reason"], fresh(game).stopped_at) == ("closed", None)


def test_when_the_last_person_leaves_the_match_closes() -> None:
    someone = guest()
    game = match_of([someone], options=LONG)
    attendance.leave_match(code=game.code, user=someone)
    result = fresh(game).result
    assert result is not None
    assert result["reason"] == "closed"


def test_a_match_is_given_up_only_by_all_who_are_still_there() -> None:
    people = [guest(f"Tamu {n}") for n in range(3)]
    game = match_of(people, options=LONG)
    for someone in people[:2]:
        attendance.vote_cancel(code=game.code, user=someone)
        attendance.vote_cancel(code=game.code, user=someone)
    assert fresh(game).finished_at is None
    assert events(game).count("voted_cancel") == 2
    attendance.leave_match(code=game.code, user=people[2])
    result = fresh(game).result
    assert result is not None
    assert (result["reason"], result["order"]) == ("cancelled", [])


def test_nobody_comes_back_past_a_deadline_that_no_sweep_has_seen() -> None:
    people = [guest(f"Tamu {n}") for n in range(4)]
    game = match_of(people)
    mover = mover_of(game)
    with time_machine.travel(turn_ends_at(game), tick=False):
        keep_beating()
        attendance.vote_cancel(code=game.code, user=people[0])
    assert Move.objects.filter(by="timeout").count() == 1
    assert Seat.objects.get(pk=mover.pk).missed == 1


def test_outsiders_neither_leave_nor_vote_nor_take_back() -> None:
    game = match_of([guest()])
    for service in (attendance.leave_match, attendance.vote_cancel, attendance.take_back):
        with pytest.raises(NotAllowed):
            service(code=game.code, user=guest("Orang luar"))


def test_a_table_without_people_at_it_never_counts_as_left_by_all() -> None:
    host = guest("Tuan")
    game, _token = table.create_table(host=host, options=LONG, turn_seconds=3600)
    game.seats.all().delete()
    table.fill_with_bots(code=game.code, user=host, level="pemula")
    table.start(code=game.code, user=host)
    assert fresh(game).stopped_at is None
    assert fresh(game).bot_due_at is not None
