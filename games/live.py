"""The event stream: `GET /events/?code=…&code=…` tells open pages that a game has changed.

An event says only which game and which version; the page fetches its own view of it. However
many tabs are open, a process asks the database once every half second (`Hub`), and a slow
reader costs nothing: what waits for it is the newest version of each game, never a backlog.
"""

from __future__ import annotations

import asyncio
import json
import logging
import signal
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from types import FrameType
from typing import TYPE_CHECKING
from urllib.parse import parse_qs
from uuid import UUID

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import AnonymousUser
from django.db import close_old_connections, connections
from django.http import parse_cookie
from django.utils.crypto import constant_time_compare

from accounts.models import User
from games.models import Game
from games.selectors import may_watch

if TYPE_CHECKING:
    from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope

POLL_SECONDS = 0.5
# After a failed poll, so that a database that is away is not asked, and logged, twice a second.
PAUSE_SECONDS = 5
HEARTBEAT_SECONDS = 20
# The page then connects again, and whether it may watch is asked again: a session that ended
# elsewhere keeps no stream for longer.
LIFETIME_SECONDS = 600
MAX_GAMES = 200

HEARTBEAT = b": still here\n\n"

Versions = dict[UUID, int]

logger = logging.getLogger(__name__)


class Refused(Exception):
    """The stream is not opened; carries the HTTP status and a sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


class Stream:
    """One open page: the games it watches, and the versions it has yet to be told."""

    def __init__(self, versions: Versions) -> None:
        self.known = dict(versions)
        self.waiting = dict(versions)
        self.ended = False
        self.wake = asyncio.Event()
        self.wake.set()

    def learn(self, versions: Versions) -> None:
        for code in self.known.keys() & versions.keys():
            if self.known[code] != versions[code]:
                self.known[code] = self.waiting[code] = versions[code]
                self.wake.set()

    def end(self) -> None:
        self.ended = True
        self.wake.set()

    def take(self) -> bytes:
        """Return what waits, as server-sent events, and forget it."""
        events = "".join(
            f"event: game\ndata: {json.dumps({'code': str(code), 'version': version})}\n\n"
            for code, version in self.waiting.items()
        )
        self.waiting.clear()
        self.wake.clear()
        return events.encode()


class Hub:
    """All streams of this process, and the one poller that feeds them."""

    def __init__(self) -> None:
        self.streams: set[Stream] = set()
        self.ended = False
        self._poller: asyncio.Task[None] | None = None

    def add(self, stream: Stream) -> None:
        self.streams.add(stream)
        if self.ended:
            stream.end()
        if self._poller is None:
            self._poller = asyncio.create_task(self._poll())

    def remove(self, stream: Stream) -> None:
        self.streams.discard(stream)
        if not self.streams and self._poller is not None:
            self._poller.cancel()
            self._poller = None

    def end(self) -> None:
        """End every stream, and each that comes later: the process is about to stop."""
        self.ended = True
        for stream in self.streams:
            stream.end()

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            codes = set[UUID]().union(*(stream.known for stream in self.streams))
            try:
                versions = await asyncio.get_running_loop().run_in_executor(
                    _poller_thread, _poll_versions, codes
                )
            except Exception:
                # Streams outlive a database that is restarted; the next answer brings them up
                # to date.
                logger.exception("The versions of watched games could not be read.")
                await asyncio.sleep(PAUSE_SECONDS)
                continue
            for stream in self.streams:
                stream.learn(versions)


hub = Hub()

# The poller has a thread, and so a database connection, of its own; access checks have another,
# so that a crowd that reconnects waits for each other and not for the pages.
_poller_thread = ThreadPoolExecutor(1, thread_name_prefix="live-poller")
_access_thread = ThreadPoolExecutor(1, thread_name_prefix="live-access")


async def serve(scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """Answer one request for a stream, until the browser leaves or the process stops."""
    try:
        codes = _codes_asked_for(scope)
        versions = await asyncio.get_running_loop().run_in_executor(
            _access_thread, _admit, _session_key(scope), codes
        )
    except Refused as refusal:
        await _refuse(refusal, send)
        return
    stream = Stream(versions)
    hub.add(stream)
    listener = asyncio.create_task(_end_on_disconnect(stream, receive))
    try:
        await _start(send)
        await _feed(stream, send)
    finally:
        listener.cancel()
        hub.remove(stream)


def end_streams_on_signals() -> None:
    """End all streams at SIGTERM and SIGINT, then do what the server does.

    A server that stops gracefully waits for open answers, and a stream would stay open for ever.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _ending_streams(loop, signal.getsignal(number)))


def _ending_streams(
    loop: asyncio.AbstractEventLoop, servers_own: object
) -> Callable[[int, FrameType | None], None]:
    def handle(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(hub.end)
        if callable(servers_own):
            servers_own(number, frame)

    return handle


def _codes_asked_for(scope: HTTPScope) -> set[UUID]:
    if scope["method"] != "GET":
        raise Refused(405, "The event stream is only read, with GET.")
    asked = parse_qs(scope["query_string"].decode("latin-1")).get("code", [])
    if not asked:
        raise Refused(400, "Name the games to watch: /events/?code=…")
    if len(asked) > MAX_GAMES:
        raise Refused(400, f"No more than {MAX_GAMES} games can be watched at once.")
    try:
        return {UUID(code) for code in asked}
    except ValueError:
        raise Refused(400, "The code of a game is a UUID.") from None


def _session_key(scope: HTTPScope) -> str | None:
    header = b"; ".join(value for name, value in scope["headers"] if name == b"cookie")
    key = parse_cookie(header.decode("latin-1")).get(settings.SESSION_COOKIE_NAME)
    return key if key and key.isalnum() else None


def _admit(session_key: str | None, codes: set[UUID]) -> Versions:
    """Return the present versions, or refuse: who may not watch one game learns of none."""
    try:
        user = _user_of(session_key)
        if may_watch(user, codes) != codes:
            raise Refused(404, "There is no such game, or it is not open to you.")
        return _read_versions(codes)
    finally:
        # A stream lives for minutes; a connection kept for it would starve the pages' pool.
        connections.close_all()


def _user_of(session_key: str | None) -> User | AnonymousUser:
    """Whose session this is; a changed password ends it here as on every page.

    Only read: Django's get_user gives a session that was signed with an older key a new name, and
    here nobody would tell the browser.
    """
    session = import_module(settings.SESSION_ENGINE).SessionStore(session_key).load()
    user = User.objects.filter(pk=session.get(SESSION_KEY), is_active=True).first()
    if user is None:
        return AnonymousUser()
    hashes = (user.get_session_auth_hash(), *user.get_session_auth_fallback_hash())
    signed = session.get(HASH_SESSION_KEY, "")
    return user if any(constant_time_compare(signed, h) for h in hashes) else AnonymousUser()


def _poll_versions(codes: Iterable[UUID]) -> Versions:
    # Drops a connection that broke, and gives it back to a pool.
    close_old_connections()
    try:
        return _read_versions(codes)
    finally:
        close_old_connections()


def _read_versions(codes: Iterable[UUID]) -> Versions:
    return dict(Game.objects.filter(code__in=codes).values_list("code", "version"))


async def _end_on_disconnect(stream: Stream, receive: ASGIReceiveCallable) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.end()


async def _feed(stream: Stream, send: ASGISendCallable) -> None:
    closing_time = asyncio.get_running_loop().time() + LIFETIME_SECONDS
    while not stream.ended and asyncio.get_running_loop().time() < closing_time:
        try:
            async with asyncio.timeout(HEARTBEAT_SECONDS):
                await stream.wake.wait()
        except TimeoutError:
            await _send_body(send, HEARTBEAT)
        else:
            await _send_body(send, stream.take())
    await _send_body(send, b"", more=False)


async def _start(send: ASGISendCallable) -> None:
    await send(
        {
            "type": "http.response.start",
            "status": 200,
            "headers": [
                (b"content-type", b"text/event-stream; charset=utf-8"),
                (b"cache-control", b"no-store"),
                # nginx would otherwise collect events until its buffer is full.
                (b"x-accel-buffering", b"no"),
                (b"x-content-type-options", b"nosniff"),
            ],
            "trailers": False,
        }
    )


async def _refuse(refusal: Refused, send: ASGISendCallable) -> None:
    await send(
        {
            "type": "http.response.start",
            "status": refusal.status,
            "headers": [
                (b"content-type", b"text/plain; charset=utf-8"),
                (b"cache-control", b"no-store"),
                (b"x-content-type-options", b"nosniff"),
            ],
            "trailers": False,
        }
    )
    await _send_body(send, f"{refusal.sentence}\n".encode(), more=False)


async def _send_body(send: ASGISendCallable, body: bytes, *, more: bool = True) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": more})
