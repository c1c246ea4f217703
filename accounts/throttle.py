"""How often one address may try things that cost, or that could be guessed."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from ipaddress import ip_address
from typing import NamedTuple

from django.http import HttpRequest
from django_ratelimit.core import is_ratelimited

from .errors import Throttled


class Limit(NamedTuple):
    group: str
    rate: str
    key: str | Callable[[str, HttpRequest], str] = "ip"


def address_and_name(group: str, request: HttpRequest) -> str:
    """Who guesses one person's password from one address, without shutting that person out."""
    typed = request.POST.get("username", "").strip()
    return f"{address(request)} {unicodedata.normalize('NFKC', typed).casefold()}"


def address(request: HttpRequest) -> str:
    """The address that the request came from; one that is none counts as one and the same."""
    try:
        return str(ip_address(request.META["REMOTE_ADDR"]))
    except ValueError:
        return "0.0.0.0"


# Addresses are shared: by a family that sits down together, by a carrier's whole town.
GUESTS = Limit("guests", "300/h")
# Tables of one person, whether he plays them or not.
TABLES = Limit("tables", "120/h", "user_or_ip")
SIGN_IN = Limit("sign-in", "300/h")
SIGN_IN_NAME = Limit("sign-in-name", "20/h", address_and_name)
SIGN_UP = Limit("sign-up", "100/h")
RESET = Limit("reset", "30/h")


def check(request: HttpRequest, limit: Limit) -> None:
    """Count this try; raise Throttled when it is one too many."""
    if is_ratelimited(request, group=limit.group, key=limit.key, rate=limit.rate, increment=True):
        raise Throttled
