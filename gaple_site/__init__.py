"""The project: settings, addresses, servers. It knows the apps; no app knows it."""

# Loading it here makes `shared_task` and `current_app` find our Celery app in every process.
from gaple_site.celery import app as celery_app

__all__ = ["celery_app"]
