"""Hints to the workers. Losing one delays a bot until the next sweep, and nothing else."""

from __future__ import annotations

import logging
from functools import partial
from time import monotonic
from uuid import UUID

from celery import current_app
from django.conf import settings
from django.db import transaction

logger = logging.getLogger(__name__)

# Seconds: how long a hint may take, and how long none is sent after one that took longer.
PATIENCE = 1
QUIET = 30
_quiet_until = 0.0


def nudge(task: str, code: UUID) -> None:
    """Ask a worker to run `task` for this game as soon as the transaction is committed."""
    if settings.GAPLE_NUDGES:
        transaction.on_commit(partial(_send, task, str(code)), robust=True)


def _send(task: str, code: str) -> None:
    global _quiet_until
    began = monotonic()
    if began < _quiet_until:
        return
    try:
        current_app.send_task(task, [code], retry=False)
    except Exception:
        # A broker that is away must not turn a stored move into an error page.
        logger.warning("The broker did not take %s; the sweep will.", task)
    if monotonic() - began > PATIENCE:
        # Nor must one that hangs make everybody wait.
        _quiet_until = monotonic() + QUIET
