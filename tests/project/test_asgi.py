"""The entry reads bodies before it takes a thread."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from gaple_site import asgi

pytestmark = pytest.mark.django_db(transaction=True)
SCOPE: dict[str, Any] = {
    "type": "http",
    "asgi": {"version": "3.0"},
    "http_version": "1.1",
    "method": "POST",
    "scheme": "http",
    "path": "/play-now/",
    "raw_path": b"/play-now/",
    "root_path": "",
    "query_string": b"",
    "headers": [(b"host", b"localhost"), (b"content-type", b"application/x-www-form-urlencoded")],
    "client": ("127.0.0.1", 1),
    "server": ("127.0.0.1", 8000),
}


def answer_to(*parts: bytes, ends: bool = True) -> tuple[int, bytes]:
    """Status and body of what the entry answers to a body sent in parts."""
    sent: list[dict[str, Any]] = []
    waiting = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    if ends:
        waiting[-1]["more_body"] = False

    async def receive() -> dict[str, Any]:
        if not waiting:
            await asyncio.sleep(3600)
        return waiting.pop(0)

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def ask() -> None:
        await asyncio.wait_for(asgi.application(SCOPE, receive, send), 30)  # type: ignore[arg-type]

    asyncio.run(ask())
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent[1:])


def test_a_body_in_parts_reaches_the_page_whole() -> None:
    # Without a token it is refused by the page itself, which has read it.
    status, body = answer_to(b"a=1&", b"b=2")
    assert status == 403
    assert b"<h1" in body


def test_a_body_that_does_not_arrive_takes_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "BODY_SECONDS", 0.05)
    status, body = answer_to(b"a", ends=False)
    assert status == 408
    assert b"send it again" in body


def test_a_body_too_large_is_refused_before_it_is_read_to_its_end() -> None:
    status, body = answer_to(*[b"x" * 100_000] * 50, ends=False)
    assert status == 413
    assert b"more than any form here takes" in body
