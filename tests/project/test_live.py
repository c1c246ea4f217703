"""The event stream: who may watch, what is told, and how a stream ends."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.conf import settings
from django.db import connection, connections
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games import live
from games.models import Game, Seat

pytestmark = pytest.mark.django_db(transaction=True)


class Visitor:
    """The browser's end of one request: collects what is sent, and can leave."""

    def __init__(self, codes: list[object], session_key: str = "", method: str = "GET") -> None:
        query = "&".join(f"code={code}" for code in codes)
        cookie = f"{settings.SESSION_COOKIE_NAME}={session_key}"
        self.scope: Any = {
            "type": "http",
            "method": method,
            "query_string": query.encode(),
            "headers": [(b"cookie", cookie.encode())],
        }
        self.sent: list[Any] = []
        self.body = b""
        self._left = asyncio.Event()
        self._news = asyncio.Event()

    def serve(self) -> Awaitable[None]:
        return live.serve(self.scope, self._receive, self._send)

    def leave(self) -> None:
        self._left.set()

    async def receive_until(self, enough: Callable[[bytes], bool]) -> None:
        async with asyncio.timeout(30):
            while not enough(self.body):
                self._news.clear()
                await self._news.wait()

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"])

    @property
    def told(self) -> list[tuple[UUID, int]]:
        data = [json.loads(line[6:]) for line in self.body.splitlines() if line[:6] == b"data: "]
        return [(UUID(one["code"]), one["version"]) for one in data]

    async def _receive(self) -> Any:
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        self.sent.append(message)
        self.body += message.get("body", b"")
        self._news.set()


@pytest.fixture(autouse=True)
def fresh_hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[live.Hub]:
    """Give each test its own hub and threads, and leave no connection behind."""
    hub = live.Hub()
    threads = [ThreadPoolExecutor(1), ThreadPoolExecutor(1)]
    monkeypatch.setattr(live, "hub", hub)
    monkeypatch.setattr(live, "_poller_thread", threads[0])
    monkeypatch.setattr(live, "_access_thread", threads[1])
    monkeypatch.setattr(live, "POLL_SECONDS", 0.01)
    yield hub
    for thread in threads:
        thread.submit(connections.close_all).result()
        thread.shutdown()


def make_game(*, public: bool = True, version: int = 1) -> Game:
    host, _ = User.objects.get_or_create(username="host")
    return Game.objects.create(
        host=host,
        public=public,
        version=version,
        options={},
        next_seed=bytes(32),
        next_commitment="0" * 64,
    )


def sit(game: Game, player: User) -> None:
    Seat.objects.create(game=game, position=0, user=player, joined_at=timezone.now())


def session_of(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def answer(visitor_of: Callable[[], Visitor]) -> Visitor:
    """Serve a request that is expected to end by itself."""

    async def run() -> Visitor:
        visitor = visitor_of()
        async with asyncio.timeout(30):
            await visitor.serve()
        return visitor

    return asyncio.run(run())


def watch(
    codes: list[object], act: Callable[[Visitor], Awaitable[None]], session_key: str = ""
) -> Visitor:
    """Open a stream, do something while it is open, and leave."""

    async def run() -> Visitor:
        visitor = Visitor(codes, session_key)
        serving = asyncio.ensure_future(visitor.serve())
        await visitor.receive_until(lambda body: b"\n\n" in body)
        await act(visitor)
        visitor.leave()
        async with asyncio.timeout(30):
            await serving
        return visitor

    return asyncio.run(run())


async def nothing(visitor: Visitor) -> None:
    pass


def test_a_new_stream_is_told_the_present_versions_at_once() -> None:
    one, other = make_game(version=3), make_game(version=8)
    visitor = watch([one.code, other.code], nothing)
    assert sorted(visitor.told) == sorted([(one.code, 3), (other.code, 8)])
    assert visitor.body.startswith(b"event: game\n")
    headers = dict(visitor.sent[0]["headers"])
    assert headers[b"content-type"].startswith(b"text/event-stream")
    assert headers[b"cache-control"] == b"no-store"


def test_a_change_is_told_to_all_who_watch_and_to_nobody_else() -> None:
    one, other = make_game(), make_game()

    async def change(visitor: Visitor) -> None:
        bystander = Visitor([other.code])
        serving = asyncio.ensure_future(bystander.serve())
        await bystander.receive_until(lambda body: b"\n\n" in body)
        await asyncio.to_thread(save_version, one, 2)
        await visitor.receive_until(lambda body: b'"version": 2' in body)
        bystander.leave()
        await serving
        assert bystander.told == [(other.code, 1)]

    assert watch([one.code], change).told == [(one.code, 1), (one.code, 2)]


def save_version(game: Game, version: int) -> None:
    Game.objects.filter(pk=game.pk).update(version=version)
    connection.close()


def test_a_private_table_is_open_to_its_people_only() -> None:
    game = make_game(public=False)
    player = User.objects.create_user("player", password="old")
    stranger = User.objects.create_user("stranger")
    sit(game, player)

    assert watch([game.code], nothing, session_of(player)).told == [(game.code, 1)]
    for session_key in ("", "made-up", session_of(stranger)):
        refused = answer(lambda key=session_key: Visitor([game.code], key))  # type: ignore[misc]
        assert refused.status == 404
        assert refused.told == []


def test_a_changed_password_ends_the_other_sessions_streams_too() -> None:
    game = make_game(public=False)
    player = User.objects.create_user("player", password="old")
    sit(game, player)
    session_key = session_of(player)
    player.set_password("new")
    player.save()
    assert answer(lambda: Visitor([game.code], session_key)).status == 404


def test_one_game_that_is_not_open_closes_the_whole_request() -> None:
    open_game, private_game = make_game(), make_game(public=False)
    refused = answer(lambda: Visitor([open_game.code, private_game.code]))
    assert refused.status == 404
    assert str(open_game.code).encode() not in refused.body


@pytest.mark.parametrize(
    ("codes", "method", "status"),
    [
        ([uuid4()], "GET", 404),
        ([], "GET", 400),
        (["1"], "GET", 400),
        (["%27%22%00"], "GET", 400),
        ([uuid4() for _ in range(live.MAX_GAMES + 1)], "GET", 400),
        ([uuid4()], "POST", 405),
    ],
)
def test_what_cannot_be_watched_is_refused_in_a_sentence(
    codes: list[object], method: str, status: int
) -> None:
    refused = answer(lambda: Visitor(codes, method=method))
    assert refused.status == status
    assert refused.body.decode().strip().endswith((".", "…"))


def test_an_open_stream_holds_no_database_connection() -> None:
    game = make_game()

    async def look(_: Visitor) -> None:
        def is_open() -> bool:
            return connection.connection is not None

        assert not live._access_thread.submit(is_open).result()

    watch([game.code], look)


def test_a_quiet_stream_sends_a_comment_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "HEARTBEAT_SECONDS", 0.01)
    game = make_game()

    async def wait(visitor: Visitor) -> None:
        await visitor.receive_until(lambda body: body.count(live.HEARTBEAT) >= 2)

    assert watch([game.code], wait).told == [(game.code, 1)]


def test_access_is_asked_again_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "LIFETIME_SECONDS", 0.01)
    monkeypatch.setattr(live, "HEARTBEAT_SECONDS", 0.01)
    game = make_game()
    assert answer(lambda: Visitor([game.code])).sent[-1]["more_body"] is False


def test_whoever_leaves_is_forgotten_and_the_last_one_stops_the_poller(
    fresh_hub: live.Hub,
) -> None:
    game = make_game()

    async def look(_: Visitor) -> None:
        assert len(fresh_hub.streams) == 1

    watch([game.code], look)
    assert not fresh_hub.streams
    assert fresh_hub._poller is None


def test_a_stopping_process_ends_open_and_new_streams(fresh_hub: live.Hub) -> None:
    game = make_game()

    async def run() -> None:
        visitor = Visitor([game.code])
        serving = asyncio.ensure_future(visitor.serve())
        await visitor.receive_until(lambda body: b"\n\n" in body)
        fresh_hub.end()
        late = Visitor([game.code])
        async with asyncio.timeout(30):
            await serving
            await late.serve()
        assert visitor.sent[-1]["more_body"] is late.sent[-1]["more_body"] is False

    asyncio.run(run())


def test_streams_outlive_a_database_that_is_away(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(live, "PAUSE_SECONDS", 0.01)
    game = make_game()
    read = live._read_versions
    failures = iter([ConnectionError("away"), ConnectionError("away")])

    def read_or_fail(codes: set[UUID]) -> live.Versions:
        for failure in failures:
            raise failure
        return read(codes)

    async def change(visitor: Visitor) -> None:
        monkeypatch.setattr(live, "_read_versions", read_or_fail)
        await asyncio.to_thread(save_version, game, 2)
        await visitor.receive_until(lambda body: b'"version": 2' in body)

    assert watch([game.code], change).told == [(game.code, 1), (game.code, 2)]
    assert "could not be read" in caplog.text


def test_a_slow_reader_is_told_the_newest_version_only() -> None:
    code = uuid4()
    stream = live.Stream({code: 1})
    for version in range(2, 500):
        stream.learn({code: version})
    assert stream.take().count(b"data: ") == 1
    assert stream.take() == b""
