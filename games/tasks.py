"""Thin: take ids, call a service. Each task may be lost, late, or run twice."""

from __future__ import annotations

from uuid import UUID

from celery import shared_task

from .services import bots, sweeps, tidying


@shared_task(name="games.tasks.sweep")
def sweep() -> None:
    sweeps.sweep()


@shared_task(name="games.tasks.play_bots")
def play_bots(code: str) -> None:
    bots.play_bots(UUID(code))


@shared_task(name="games.tasks.tidy")
def tidy() -> None:
    tidying.tidy()
