"""`manage.py play`: the whole house in one process, with nothing else installed or running."""

import fcntl
import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import uvicorn
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

EVERYWHERE = {"0.0.0.0", "::"}


class Command(BaseCommand):
    help = (
        "Serve Gaple from one process: pages, event streams, worker and beat. "
        "Migrates and collects static files first. Ctrl-C ends it; games go on at the next start."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--host", default="127.0.0.1", help="0.0.0.0 lets other devices in the house play too"
        )
        parser.add_argument("--port", default=8000, type=int)

    def handle(self, *args: Any, host: str, port: int, **options: Any) -> None:
        if not settings.CELERY_BROKER_URL.startswith("memory://"):
            raise CommandError(
                "CELERY_BROKER_URL names a broker: start web, worker and beat on their own, as "
                "docs/operations.md describes. `play` is the house without services."
            )
        signal.signal(signal.SIGINT, _stop)
        signal.signal(signal.SIGTERM, _stop)
        try:
            with _alone(settings.DATA_DIR / "play.lock"), _listening(host, port) as listener:
                self._prepare()
                self._open_the_door(host, port)
                _serve(listener)
        except KeyboardInterrupt:
            self.stdout.write("Stopped. The games wait; start again to go on.")

    def _prepare(self) -> None:
        call_command("migrate", interactive=False, verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)

    def _open_the_door(self, host: str, port: int) -> None:
        """Let requests for this address in, and say where it is."""
        addresses = [f"http://localhost:{port}"]
        if host in EVERYWHERE:
            here = _addresses_in_the_house()
            addresses += [f"http://{address}:{port}" for address in here]
            settings.ALLOWED_HOSTS += [*here, socket.gethostname(), f"{socket.gethostname()}.local"]
        elif host not in {"localhost", "127.0.0.1", "::1"}:
            addresses = [f"http://{host}:{port}"]
            settings.ALLOWED_HOSTS.append(host)
        if "GAPLE_ORIGIN" not in os.environ:
            # Links in mails should work on the other phones as well.
            settings.GAPLE_ORIGIN = addresses[-1]

        self.stdout.write(f"Gaple is served at {addresses[0]}")
        for address in addresses[1:]:
            self.stdout.write(f"and for other devices in the house at {address}")
        self.stdout.write(
            "The first admin is made with: .venv/bin/python manage.py createsuperuser\n"
            "Ctrl-C ends it."
        )


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    """Both signals end the process the same way, with exit code 0.

    uvicorn handles them itself while it runs and raises them again when it is done.
    """
    raise KeyboardInterrupt


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold the lock on this data, or refuse: two beats and two workers would share no broker.

    The kernel drops the lock however the process ends, so a crash leaves nothing to clean up.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.seek(0)
            raise CommandError(
                f"Gaple already runs on the data in {path.parent} (process {lock.read().strip()}). "
                "Stop that one first, or name other data with GAPLE_DATA=…"
            ) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


@contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
        except (OSError, OverflowError) as fault:
            raise CommandError(
                f"Cannot listen at {host}, port {port} ({fault}). "
                f"Another port: make play PORT={port + 1}"
            ) from None
        yield listener


def _addresses_in_the_house() -> list[str]:
    """Return this machine's address in the local network, if it has one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Sends nothing: it only asks the kernel which of our addresses leads out.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return []
        address: str = probe.getsockname()[0]
        return [address]


def _serve(listener: socket.socket) -> None:
    # Somebody at home wants to see the address, not each request. Written into the settings
    # because the two imports below and the worker each set logging up again from there.
    for name in ("uvicorn.access", "uvicorn.error", "celery.worker"):
        settings.LOGGING["loggers"][name] = {"level": "WARNING"}
    # Imported here: this loads all of the site, which `play --help` and a refusal do not need.
    from gaple_site.asgi import application
    from gaple_site.embedded import worker_and_beat

    config = uvicorn.Config(
        application,
        # Ours is set up already, and redacts.
        log_config=None,
        # There is no proxy before this house, so nobody may name another address than his own.
        proxy_headers=False,
        timeout_graceful_shutdown=5,
    )
    with worker_and_beat():
        uvicorn.Server(config).run(sockets=[listener])
