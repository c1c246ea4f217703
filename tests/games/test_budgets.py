"""How many queries a request takes, session and person included, however much is stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games.engine.options import PRESETS, Match, Options
from games.models import Game
from games.services import table
from tests.factories import (
    browser_of,
    first_legal,
    fresh,
    guest,
    match_of,
    mover_of,
    person,
    play_once,
    play_out,
    position_of,
)
from tests.games.walk import HX

pytestmark = pytest.mark.django_db
TRANSACTIONS = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK")


def queries_of(ask: Callable[[], Any], expected: int = 200) -> list[str]:
    """What is asked of the database; the borders of transactions are not questions."""
    with CaptureQueriesContext(connection) as captured:
        assert ask().status_code == expected
    asked = [query["sql"] for query in captured]
    return [sql for sql in asked if not sql.startswith(TRANSACTIONS)]


def part_of(game: Game, user: User | None) -> list[str]:
    client, url = browser_of(user), reverse("games:table", args=[game.code])
    return queries_of(lambda: client.get(url, headers=HX))


@pytest.fixture
def people() -> list[User]:
    return [person(f"Pemain {n}") for n in range(4)]


def test_the_part_of_a_running_table_takes_six_queries(people: list[User]) -> None:
    game = match_of(people, public=True)
    for _ in range(9):
        play_once(game)
    assert len(part_of(game, people[0])) <= 6
    assert len(part_of(game, None)) <= 6


def test_the_part_of_a_later_round_takes_no_more(people: list[User]) -> None:
    options = Options(match=Match("rounds", n=5))
    game = play_out(match_of(people, options=options), stop_after_round=3)
    assert game.round_number == 4
    assert len(part_of(game, people[0])) <= 6


def test_the_part_of_a_gathering_or_a_finished_table_takes_no_more(people: list[User]) -> None:
    options = PRESETS["klasik"]
    gathering, _token = table.create_table(host=people[0], options=options, turn_seconds=3600)
    assert len(part_of(gathering, people[0])) <= 6
    finished = play_out(match_of(people))
    assert len(part_of(finished, people[0])) <= 6
    table.rematch(code=finished.code, user=people[1])
    assert len(part_of(finished, people[0])) <= 6


def test_a_table_that_has_not_changed_takes_three_queries(people: list[User]) -> None:
    game = match_of(people)
    client, url = browser_of(people[0]), reverse("games:table", args=[game.code])
    waiting = int(mover_of(game).user == people[0])
    same = {"v": f"{game.version}.{waiting}"}
    assert len(queries_of(lambda: client.get(url, same, headers=HX), 204)) <= 3


def test_a_move_in_mid_round_takes_fourteen_queries_with_the_table_it_shows(
    people: list[User],
) -> None:
    game = match_of(people)
    for _ in range(6):
        play_once(game)
    state, mover = position_of(game).state, mover_of(game).user
    data = {"action": str(first_legal(game)), "token": str(uuid4())}
    data |= {"round": str(state.number), "ply": str(state.ply)}
    client, url = browser_of(mover), reverse("games:act", args=[game.code])
    assert len(queries_of(lambda: client.post(url, data, headers=HX))) <= 14
    assert fresh(game).ply > state.ply


def test_my_games_take_five_queries_whatever_their_number() -> None:
    me = person("Aku")

    def asked() -> list[str]:
        client = browser_of(me)
        return queries_of(lambda: client.get(reverse("games:mine")))

    for n in range(3):
        running = match_of([me, guest(f"Tamu {n}")])
        for _ in range(n):
            if mover_of(running).user is not None:
                play_once(running)
        table.create_table(host=me, options=PRESETS["lewat"], turn_seconds=3600)
        play_out(match_of([me]))
    other = play_out(match_of([guest("Kawan"), me]))
    table.rematch(code=other.code, user=other.host)
    assert len(asked()) <= 5


@pytest.mark.parametrize("signed_in", [False, True])
def test_open_tables_take_as_many_queries_for_twenty_as_for_two(signed_in: bool) -> None:
    viewer = person("Pengunjung") if signed_in else None

    def open_some(count: int) -> None:
        for n in range(count):
            host = guest(f"Tuan {n}")
            table.create_table(host=host, options=PRESETS["klasik"], turn_seconds=3600, public=True)

    def asked() -> int:
        client = browser_of(viewer)
        return len(queries_of(lambda: client.get(reverse("games:open_tables"))))

    open_some(2)
    two = asked()
    open_some(18)
    assert asked() == two
