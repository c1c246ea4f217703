"""Throttles count in Redis, and let people in while it is away."""

import logging
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.http import HttpRequest
from django.test import RequestFactory
from django_ratelimit.core import is_ratelimited

NOBODY_LISTENS = "redis://127.0.0.1:1/0"


def use_redis(settings: LazySettings, location: str) -> None:
    shared = {"BACKEND": "gaple_site.cache.ForgivingRedisCache", "LOCATION": location}
    settings.CACHES = {"default": shared}


def tries(count: int) -> list[bool]:
    request: HttpRequest = RequestFactory().post("/", REMOTE_ADDR="10.0.0.1")
    rules: dict[str, Any] = {"group": "test", "key": "ip", "rate": "2/h", "increment": True}
    return [is_ratelimited(request, **rules) for _ in range(count)]


@pytest.mark.redis
def test_one_try_too_many_is_refused(settings: LazySettings, redis_url: str) -> None:
    use_redis(settings, redis_url)
    cache.clear()
    assert tries(3) == [False, False, True]


def test_nobody_is_kept_out_while_redis_is_away(
    settings: LazySettings, caplog: pytest.LogCaptureFixture
) -> None:
    use_redis(settings, NOBODY_LISTENS)
    with caplog.at_level(logging.WARNING, "gaple_site.cache"):
        assert tries(3) == [False, False, False]
    assert "nothing is throttled" in caplog.text
    assert cache.get("anything", "default") == "default"
