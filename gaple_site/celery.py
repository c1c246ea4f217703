"""The Celery app. A message is only a hint: the sweep below finds whatever a broker forgot."""

import os
from datetime import timedelta
from typing import Any

from celery import Celery
from celery.signals import beat_init, setup_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gaple_site.settings")

app = Celery("gaple")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

# Intervals, never wall-clock times: they neither skip nor repeat when clocks change.
# `expires` keeps ticks from piling up while no worker takes them.
app.conf.beat_schedule = {
    "sweep": {
        "task": "games.tasks.sweep",
        "schedule": timedelta(seconds=2),
        "options": {"expires": 10},
    },
    "tidy": {
        "task": "games.tasks.tidy",
        "schedule": timedelta(hours=1),
        "options": {"expires": 3600},
    },
}


@beat_init.connect
def tidy_at_start(**_: Any) -> None:
    """The schedule is kept in memory, so a house that restarts every half hour never came to it."""
    app.send_task("games.tasks.tidy")


@setup_logging.connect
def keep_djangos_logging(**_: Any) -> None:
    """A receiver, even an empty one, keeps Celery from replacing the handlers that redact."""
