"""How often one address may try things that cost, or that could be guessed."""

from __future__ import annotations

from typing import NamedTuple

from django.http import HttpRequest
from django_ratelimit.core import is_ratelimited

from .errors import Throttled


class Limit(NamedTuple):
    group: str
    rate: str
    key: str = "ip"


# A family shares one address, and sits down together.
GUESTS = Limit("guests", "30/h")
SIGN_IN = Limit("sign-in", "30/h")
SIGN_IN_NAME = Limit("sign-in-name", "100/h", "post:username")
SIGN_UP = Limit("sign-up", "20/h")
RESET = Limit("reset", "10/h")


def check(request: HttpRequest, limit: Limit) -> None:
    """Count this try; raise Throttled when it is one too many."""
    if is_ratelimited(request, group=limit.group, key=limit.key, rate=limit.rate, increment=True):
        raise Throttled
