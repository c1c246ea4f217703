"""What monitors ask: is the process up, and can it serve."""

from collections.abc import Callable
from datetime import timedelta

import redis
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.models import Heartbeat

# The sweep runs every two seconds. A busy worker may be late; this late it is stuck.
SWEEP_IS_LATE = timedelta(seconds=60)


@require_safe
@never_cache
def alive(request: HttpRequest) -> HttpResponse:
    """Answer as long as the process does. A restart is the cure when it does not."""
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """Answer 200 when database, broker and sweep work, else 503; one line for each."""
    checks: dict[str, Callable[[], str]] = {
        "database": _ask_database,
        "broker": _ask_broker,
        "sweep": _ask_sweep,
    }
    faults = {name: _fault(check) for name, check in checks.items()}
    lines = [f"{name}: {fault or 'ok'}\n" for name, fault in faults.items()]
    status = 503 if any(faults.values()) else 200
    return HttpResponse("".join(lines), content_type="text/plain", status=status)


def _fault(check: Callable[[], str]) -> str:
    try:
        return check()
    except Exception as fault:
        # Whatever is wrong, a monitor wants to hear that it is; the message may hold an
        # address with a password, its kind does not.
        return f"does not answer ({type(fault).__name__})"


def _ask_database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return ""


def _ask_broker() -> str:
    if settings.CELERY_BROKER_URL.startswith("redis"):
        with redis.from_url(
            settings.CELERY_BROKER_URL, socket_connect_timeout=2, socket_timeout=2
        ) as client:
            client.ping()
    return ""


def _ask_sweep() -> str:
    beat_at = Heartbeat.objects.filter(pk=1).values_list("beat_at", flat=True).first()
    if beat_at is None:
        return "has not run yet"
    age = timezone.now() - beat_at
    if age < -SWEEP_IS_LATE:
        return "last ran in the future: a clock is wrong"
    return f"last ran {age.total_seconds():.0f} s ago" if age > SWEEP_IS_LATE else ""
