"""What every page knows."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from .selectors import waiting_count


def once(request: HttpRequest) -> dict[str, Any]:
    """`once`: a one-time token for forms that make something; sent twice, it is made once."""
    return {"once": uuid4()}


def waiting(request: HttpRequest) -> dict[str, Any]:
    """`waiting`: how many games wait for this person, asked only where a page shows it."""
    user = getattr(request, "user", None)
    return {"waiting": SimpleLazyObject(lambda: waiting_count(user) if user else 0)}
