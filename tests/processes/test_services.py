"""A match with real processes: two web, two workers, one beat, PostgreSQL and Redis."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from contextlib import ExitStack
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
CELERY = ("celery", "--app", "gaple_site")
WORKER = (
    "--pool=threads",
    "--concurrency=2",
    "--queues=celery,bots",
    "--without-gossip",
    "--without-mingle",
)


class House:
    """Processes that share a database and a broker, each with its output in a file."""

    def __init__(self, folder: Path, env: dict[str, str], stack: ExitStack) -> None:
        self.folder = folder
        self.env = env
        self.addresses: list[str] = []
        self._stack = stack

    def start(self, name: str, *command: str) -> Popen[bytes]:
        output = self.folder / f"{name}.log"
        return self._stack.enter_context(running("-m", *command, env=self.env, output=output))

    def start_web(self) -> tuple[str, Popen[bytes]]:
        port = free_port()
        web = self.start(
            f"web{port}", "uvicorn", "gaple_site.asgi:application", "--port", str(port)
        )
        wait_for_port(port, web)
        return f"http://localhost:{port}", web

    def start_worker(self, name: str) -> Popen[bytes]:
        return self.start(name, *CELERY, "worker", f"--hostname={name}@test", *WORKER)


@pytest.fixture(scope="module")
def house(
    tmp_path_factory: pytest.TempPathFactory, postgres_url: str, redis_url: str
) -> Iterator[House]:
    with psycopg.connect(postgres_url, autocommit=True) as server:
        server.execute(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")
        server.execute(f"CREATE DATABASE {DATABASE}")
    with redis.from_url(redis_url) as broker:
        broker.flushdb()
    folder = tmp_path_factory.mktemp("house")
    env = environment(
        DATABASE_URL=urlsplit(postgres_url)._replace(path=f"/{DATABASE}").geturl(),
        CELERY_BROKER_URL=redis_url,
        GAPLE_DATA=str(folder),
        SECRET_KEY="the same for every process " * 3,
    )
    for command in (("migrate", "--no-input"), ("collectstatic", "--no-input")):
        done = manage(*command, env=env)
        assert done.returncode == 0, done.stderr
    with ExitStack() as stack:
        house = House(folder, env, stack)
        house.addresses = [house.start_web()[0] for _ in range(2)]
        house.start_worker("worker1")
        house.start("beat", *CELERY, "beat", "--pidfile=")
        yield house


@pytest.fixture
def host(house: House) -> Iterator[Person]:
    with Person(house.addresses) as host:
        yield host


@pytest.fixture
def friend(house: House) -> Iterator[Person]:
    with Person(house.addresses[::-1]) as friend:
        yield friend


def test_a_match_is_played_to_its_end_though_a_worker_is_killed(
    house: House, host: Person, friend: Person
) -> None:
    worker = house.start_worker("worker2")
    table = set_the_table(host, friend)

    play_until([host, friend], table, enough=4)
    worker.kill()
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


def events_of(address: str, table: str) -> str:
    code = table.strip("/").rpartition("/")[2]
    return f"{address}/events/?code={code}"


def test_a_move_is_told_by_the_streams_of_both_servers(
    house: House, host: Person, friend: Person
) -> None:
    table = set_the_table(host, friend)
    with (
        host.client.stream("GET", events_of(house.addresses[0], table)) as one,
        friend.client.stream("GET", events_of(house.addresses[1], table)) as other,
    ):
        told = [
            (line for line in stream.iter_lines() if line.startswith("data: "))
            for stream in (one, other)
        ]
        before = [next(versions) for versions in told]
        play_until([host, friend], table, enough=1)
        assert all(next(versions) not in before for versions in told)


def test_open_streams_do_not_hold_up_a_stop(house: House, host: Person, friend: Person) -> None:
    table = set_the_table(host, friend)
    address, web = house.start_web()
    with host.client.stream("GET", events_of(address, table)) as stream:
        lines = stream.iter_lines()
        assert next(lines) == "event: game"
        web.send_signal(signal.SIGTERM)
        # uvicorn would wait for this stream for ever; it ends, and well, because we end it.
        assert web.wait(timeout=60) in {0, -signal.SIGTERM}
        assert list(lines)


def test_strangers_are_not_let_into_the_stream(house: House, host: Person, friend: Person) -> None:
    table = set_the_table(host, friend)
    assert httpx.get(events_of(house.addresses[0], table)).status_code == 404
