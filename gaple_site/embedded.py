"""The worker and the beat of the embedded default: threads of the process that serves.

Their broker is `memory://`, so this process is the only one that can hear their messages.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from celery.beat import Service
from celery.worker import WorkController, state

from gaple_site.celery import app

QUEUES = ["celery", "bots"]


@contextmanager
def worker_and_beat() -> Iterator[None]:
    """Run both while the block runs; running tasks are finished at its end."""
    # Not celery.apps.worker.Worker: that one takes the signal handlers of the process.
    worker = WorkController(
        app=app,
        pool_cls="threads",
        concurrency=2,
        queues=QUEUES,
        # Talk with other workers; there are none.
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    # It notices within a second that it is to stop.
    beat = Service(  # type: ignore[call-arg]
        app,
        max_interval=1,
        # Has to be said: unlike the command `celery beat`, this ignores the setting.
        scheduler_cls=app.conf.beat_scheduler,
        remote_control=False,
    )
    worker_thread = threading.Thread(target=worker.start, name="celery-worker", daemon=True)
    beat_thread = threading.Thread(target=beat.start, name="celery-beat", daemon=True)
    worker_thread.start()
    beat_thread.start()
    try:
        yield
    finally:
        # The worker's loop looks at this between two messages; there is no method for it.
        state.should_stop = 0  # type: ignore[assignment]
        # Two messages without meaning wake the loop, which would sleep up to four seconds else.
        for _ in range(2):
            app.send_task("celery.accumulate")
        beat.stop()
        worker_thread.join(timeout=10)
        beat_thread.join(timeout=10)
