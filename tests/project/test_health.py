"""/healthz and /readyz, as monitors see them."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.conf import LazySettings
from django.db import OperationalError
from django.test import Client

from games.models import Heartbeat
from gaple_site import health

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)


def test_the_process_is_up(client: Client) -> None:
    assert client.get("/healthz").content == b"ok\n"
    assert client.post("/healthz").status_code == 405


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("age", "status", "sweep"),
    [
        (None, 503, "has not run yet"),
        (timedelta(seconds=3), 200, "ok"),
        (timedelta(seconds=95), 503, "last ran 95 s ago"),
    ],
)
def test_it_is_ready_while_the_sweep_runs(
    client: Client, age: timedelta | None, status: int, sweep: str
) -> None:
    if age is not None:
        Heartbeat.objects.update_or_create(pk=1, defaults={"beat_at": NOW - age})
    with time_machine.travel(NOW, tick=False):
        answer = client.get("/readyz")
    assert answer.status_code == status
    assert answer.content.decode() == f"database: ok\nbroker: ok\nsweep: {sweep}\n"


@pytest.mark.django_db
def test_a_fault_is_named_without_addresses_or_passwords(
    client: Client, monkeypatch: pytest.MonkeyPatch, settings: LazySettings
) -> None:
    def fail() -> str:
        raise OperationalError("password of gaple@db.internal is s3cr3t")

    monkeypatch.setattr(health, "_ask_database", fail)
    settings.CELERY_BROKER_URL = "redis://user:s3cr3t@127.0.0.1:1/0"
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert b"database: does not answer (OperationalError)\n" in answer.content
    assert b"broker: does not answer (ConnectionError)\n" in answer.content
    assert b"s3cr3t" not in answer.content


@pytest.mark.django_db
@pytest.mark.redis
def test_a_redis_that_answers_is_a_ready_broker(
    client: Client, settings: LazySettings, redis_url: str
) -> None:
    settings.CELERY_BROKER_URL = redis_url
    assert b"broker: ok\n" in client.get("/readyz").content
