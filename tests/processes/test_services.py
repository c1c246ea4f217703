"""A match with real processes: two web, two workers, one beat, PostgreSQL and Redis."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest
import redis

from tests.processes.houses import Person, environment, manage, play_until, record, running
from tests.services import free_port, wait_for_port

pytestmark = [pytest.mark.processes, pytest.mark.postgres, pytest.mark.redis]

DATABASE = "gaple_processes"


@dataclass
class House:
    env: dict[str, str]
    addresses: list[str]
    webs: list[Popen[bytes]]
    workers: list[Popen[bytes]]


@pytest.fixture
def house(tmp_path: Path, postgres_url: str, redis_url: str) -> Iterator[House]:
    with psycopg.connect(postgres_url, autocommit=True) as server:
        server.execute(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")
        server.execute(f"CREATE DATABASE {DATABASE}")
    with redis.from_url(redis_url) as broker:
        broker.flushdb()
    env = environment(
        DATABASE_URL=urlsplit(postgres_url)._replace(path=f"/{DATABASE}").geturl(),
        CELERY_BROKER_URL=redis_url,
        GAPLE_DATA=str(tmp_path),
        SECRET_KEY="the same for every process " * 3,
    )
    for command in (("migrate", "--no-input"), ("collectstatic", "--no-input")):
        done = manage(*command, env=env)
        assert done.returncode == 0, done.stderr

    with ExitStack() as stack:

        def start(name: str, *command: str) -> Popen[bytes]:
            output = tmp_path / f"{name}.log"
            return stack.enter_context(running("-m", *command, env=env, output=output))

        ports = [free_port(), free_port()]
        webs = [
            start(f"web{port}", "uvicorn", "gaple_site.asgi:application", "--port", str(port))
            for port in ports
        ]
        workers = [
            start(f"worker{n}", *CELERY, "worker", f"--hostname=worker{n}@test", *WORKER)
            for n in (1, 2)
        ]
        start("beat", *CELERY, "beat", "--pidfile=")
        for port, web in zip(ports, webs, strict=True):
            wait_for_port(port, web)
        yield House(env, [f"http://localhost:{port}" for port in ports], webs, workers)


CELERY = ("celery", "--app", "gaple_site")
WORKER = (
    "--pool=threads",
    "--concurrency=2",
    "--queues=celery,bots",
    "--without-gossip",
    "--without-mingle",
)


def test_a_match_is_played_to_its_end_though_a_worker_is_killed(house: House) -> None:
    host, friend = Person(house.addresses), Person(house.addresses[::-1])
    table = set_the_table(host, friend)

    assert play_until([host, friend], table, enough=4) == 4
    house.workers[0].kill()
    play_until([host, friend], table)

    finished = record(host, table)
    assert finished["result"]["reason"] == "played"
    assert record(friend, table) == finished
    verified = manage("verify_games", env=house.env)
    assert verified.returncode == 0, verified.stdout + verified.stderr


def set_the_table(host: Person, friend: Person) -> str:
    """Make a table of one round, let a friend in by the link, add bots, deal. Return its path."""
    host.get("/tables/new/")
    made = host.post(
        "/tables/new/",
        name="Ayu",
        preset="klasik",
        turn_seconds="3600",
        match_kind="rounds",
        rounds="2",
    )
    table = made.url.path
    link = re.search(r"/i/[^/\"\s]+/", made.text)
    assert link
    friend.get(link[0])
    assert friend.post(link[0], name="Budi").url.path == table
    host.post(f"{table}fill/", level="warung")
    host.post(f"{table}start/")
    return table


def test_a_move_made_at_one_server_is_told_by_the_stream_of_the_other(house: House) -> None:
    host, friend = Person(house.addresses[:1]), Person(house.addresses[:1])
    table = set_the_table(host, friend)
    code = table.strip("/").rpartition("/")[2]
    address = f"{house.addresses[1]}/events/?code={code}"
    with friend.client.stream("GET", address) as stream:
        versions = (line for line in stream.iter_lines() if line.startswith("data: "))
        first = next(versions)
        play_until([host, friend], table, enough=1)
        assert next(versions) != first


def test_open_streams_do_not_hold_up_a_stop(house: House) -> None:
    host, friend = Person(house.addresses[:1]), Person(house.addresses[:1])
    code = set_the_table(host, friend).strip("/").rpartition("/")[2]
    with host.client.stream("GET", f"{house.addresses[0]}/events/?code={code}") as stream:
        lines = stream.iter_lines()
        assert next(lines) == "event: game"
        house.webs[0].send_signal(signal.SIGTERM)
        # uvicorn would wait for this stream for ever; it ends, and well, because we end it.
        assert house.webs[0].wait(timeout=60) in {0, -signal.SIGTERM}
        assert list(lines)


def test_strangers_are_not_let_into_the_stream(house: House) -> None:
    table = set_the_table(Person(house.addresses), Person(house.addresses))
    code = table.strip("/").rpartition("/")[2]
    assert httpx.get(f"{house.addresses[0]}/events/?code={code}").status_code == 404
