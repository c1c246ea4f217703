"""The entry of every deployment: event streams natively, all pages through Django's WSGI handler.

Django's own ASGI handler adds two milliseconds of CPU to each request, and a stream would hold
a thread or a database connection. So pages run in a fixed pool of threads, as under any WSGI
server, and only `/events/` is asynchronous.
"""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Any, cast

from a2wsgi import WSGIMiddleware
from django.conf import settings
from django.core.wsgi import get_wsgi_application

if TYPE_CHECKING:
    from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope, Scope

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gaple_site.settings")

wsgi_application = get_wsgi_application()

# Models can only be imported once Django is set up, which the line above does.
from games import live  # noqa: E402

# Longer than a phone with one bar needs for a form.
BODY_SECONDS = 20

pages = WSGIMiddleware(cast(Any, wsgi_application), workers=settings.WEB_THREADS)


async def application(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    if scope["type"] == "lifespan":
        await _lifespan(receive, send)
    elif scope["type"] == "http" and scope["path"] == "/events/":
        await live.serve(scope, receive, send)
    elif scope["type"] == "http":
        await _page(_cleaned(scope), receive, send)
    else:
        await send({"type": "websocket.close", "code": 1000, "reason": ""})


async def _page(scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """Read the whole body before a thread is taken: slow senders would hold them all."""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            body = await _body(receive)
    except TimeoutError:
        await _refuse(send, 408, b"The request took too long to arrive. Please send it again.\n")
        return
    if len(body) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
        await _refuse(send, 413, b"That is more than any form here takes.\n")
        return
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Any:
        return messages.pop() if messages else await receive()

    await pages(cast(Any, scope), replay, cast(Any, send))


async def _body(receive: ASGIReceiveCallable) -> bytes:
    """The body, or as much of it as shows that it is too large."""
    body = b""
    while len(body) <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
        message = await receive()
        if message["type"] != "http.request":
            break
        body += message["body"]
        if not message["more_body"]:
            break
    return body


async def _refuse(send: ASGISendCallable, status: int, sentence: bytes) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send(
        {"type": "http.response.start", "status": status, "headers": headers, "trailers": False}
    )
    await send({"type": "http.response.body", "body": sentence, "more_body": False})


def _cleaned(scope: HTTPScope) -> HTTPScope:
    """Drop headers with an underscore.

    WSGI folds `X_Name` and `X-Name` into one variable, so the first could pass for one that a
    proxy has checked.
    """
    headers = [(name, value) for name, value in scope["headers"] if b"_" not in name]
    return {**scope, "headers": headers}


async def _lifespan(receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    await receive()
    # Not at import: only now are the server's own handlers in place, to be called after ours.
    live.end_streams_on_signals()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await send({"type": "lifespan.shutdown.complete"})
