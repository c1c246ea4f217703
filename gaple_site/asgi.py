"""The entry of every deployment: event streams natively, all pages through Django's WSGI handler.

Django's own ASGI handler adds two milliseconds of CPU to each request, and a stream would hold
a thread or a database connection. So pages run in a fixed pool of threads, as under any WSGI
server, and only `/events/` is asynchronous.
"""

from __future__ import annotations

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

pages = WSGIMiddleware(cast(Any, wsgi_application), workers=settings.WEB_THREADS)


async def application(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    if scope["type"] == "lifespan":
        await _lifespan(receive, send)
    elif scope["type"] == "http" and scope["path"] == "/events/":
        await live.serve(scope, receive, send)
    elif scope["type"] == "http":
        await pages(cast(Any, _cleaned(scope)), cast(Any, receive), cast(Any, send))
    else:
        await send({"type": "websocket.close", "code": 1000, "reason": ""})


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
