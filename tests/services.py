"""Throw-away PostgreSQL and Redis for tests, and where Chromium is. Nothing here is installed."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# A server that may be used instead of starting one. Tests read where theirs is from the same.
POSTGRES = "GAPLE_TEST_POSTGRES"
REDIS = "GAPLE_TEST_REDIS"
CHROMIUM = "GAPLE_TEST_CHROMIUM"


class Missing(Exception):
    """The service is neither given nor can it be started here; says how to have it."""


@contextmanager
def postgres() -> Iterator[str]:
    """Yield the address of a server on which databases may be made."""
    given = os.environ.get(POSTGRES)
    if given:
        yield given
        return
    binaries = _postgres_binaries()
    as_owner = _as_owner()
    with tempfile.TemporaryDirectory(prefix="gaple-postgres-") as folder:
        if as_owner:
            shutil.chown(folder, "postgres")
        data, port = f"{folder}/data", free_port()
        # Nothing in it outlives the tests, so nothing needs to reach the disk.
        options = (
            f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off "
            "-c synchronous_commit=off -c full_page_writes=off -c max_connections=200"
        )
        initdb = [f"{binaries}/initdb", "--username=gaple", "--auth=trust", "--encoding=UTF8"]
        initdb += ["--locale=C.UTF-8", "--no-sync", f"--pgdata={data}"]
        control = [f"{binaries}/pg_ctl", f"--pgdata={data}", "--wait", f"--log={folder}/log"]
        _run([*as_owner, *initdb], folder)
        _run([*as_owner, *control, f"--options={options}", "start"], folder)
        try:
            yield f"postgres://gaple@127.0.0.1:{port}/postgres"
        finally:
            _run([*as_owner, *control, "--mode=immediate", "stop"], folder)


def _postgres_binaries() -> Path:
    """Debian keeps them out of PATH, a folder for each version; the newest will do."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=_major_version)
    found = shutil.which("initdb")
    if debian:
        return debian[-1].parent
    if found:
        return Path(found).resolve().parent
    raise Missing(
        f"PostgreSQL: install it (Debian: apt-get install postgresql) or set {POSTGRES}=postgres://…"
    )


def _major_version(initdb: Path) -> int:
    version = initdb.parts[-3]
    return int(version) if version.isdecimal() else 0


def _as_owner() -> list[str]:
    """Return what to put before a command: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return []
    if not shutil.which("setpriv") or not _user_exists("postgres"):
        raise Missing("PostgreSQL: it does not run as root, and there is no user postgres to be.")
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"]


def _user_exists(name: str) -> bool:
    return subprocess.run(["id", name], capture_output=True, check=False).returncode == 0


def _run(command: list[str], folder: str) -> None:
    # Its output goes to a file: the server would inherit a pipe and keep it open.
    with tempfile.TemporaryFile() as output:
        done = subprocess.run(command, cwd=folder, stdout=output, stderr=output, check=False)
        if done.returncode:
            output.seek(0)
            raise RuntimeError(f"{' '.join(command)} failed:\n{output.read().decode()}")


@contextmanager
def redis() -> Iterator[str]:
    """Yield the address of a server whose database 0 may be filled and emptied."""
    given = os.environ.get(REDIS)
    if given:
        yield given
        return
    server = shutil.which("redis-server") or shutil.which("valkey-server")
    if not server:
        raise Missing(
            f"Redis: install it (Debian: apt-get install redis-server) or set {REDIS}=redis://…"
        )
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="gaple-redis-") as folder:
        command = [server, "--port", str(port), "--bind", "127.0.0.1", "--dir", folder]
        with subprocess.Popen(
            [*command, "--save", "", "--appendonly", "no"], stdout=subprocess.DEVNULL
        ) as process:
            try:
                wait_for_port(port, process)
                yield f"redis://127.0.0.1:{port}/0"
            finally:
                process.terminate()


def chromium() -> str:
    """Return the path of a Chromium."""
    for name in (os.environ.get(CHROMIUM), "chromium", "chromium-browser", "google-chrome"):
        path = shutil.which(name) if name else None
        if path:
            return path
    raise Missing(
        f"Chromium: install it (Debian: apt-get install chromium) or set {CHROMIUM}=/path/to/it"
    )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for_port(port: int, process: subprocess.Popen[bytes], seconds: float = 60) -> None:
    """Return when the process listens; fail when it ended instead."""
    patience_ends = time.monotonic() + seconds
    while time.monotonic() < patience_ends:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        if process.poll() is not None:
            raise RuntimeError(
                f"{process.args!r} ended with {process.returncode} before it listened."
            )
        time.sleep(0.05)
    raise RuntimeError(f"{process.args!r} did not listen on port {port} in {seconds} seconds.")
