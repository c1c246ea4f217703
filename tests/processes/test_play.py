"""`manage.py play`: the whole house as one process, started, asked, refused, stopped, restarted."""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.processes.houses import ROOT, environment, manage, running
from tests.services import free_port, wait_for_port

pytestmark = pytest.mark.processes


@contextmanager
def playing(data: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    data.mkdir(exist_ok=True)
    command = ("manage.py", "play", "--port", str(port))
    with running(
        *command, env=environment(GAPLE_DATA=str(data)), output=data / "output"
    ) as process:
        wait_for_port(port, process)
        yield process


def stop(process: subprocess.Popen[bytes], by: signal.Signals) -> None:
    process.send_signal(by)
    assert process.wait(timeout=60) == 0


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_and_either_signal_ends_it_well(
    tmp_path: Path, port: int, by: signal.Signals
) -> None:
    with playing(tmp_path, port) as process:
        front_page = httpx.get(f"http://localhost:{port}/")
        assert front_page.status_code == 200
        assert front_page.headers["content-type"].startswith("text/html")
        stop(process, by)
    output = (tmp_path / "output").read_text()
    assert f"http://localhost:{port}" in output
    assert ".venv/bin/python manage.py createsuperuser" in output
    assert "Traceback" not in output


def test_its_static_files_are_there_and_kept_for_ever(tmp_path: Path, port: int) -> None:
    with playing(tmp_path, port) as process:
        front_page = httpx.get(f"http://localhost:{port}/").text
        style = re.search(r'href="(/static/[^"]+\.css)"', front_page)
        assert style
        answer = httpx.get(f"http://localhost:{port}{style[1]}")
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
        stop(process, signal.SIGTERM)


def test_worker_and_beat_run_in_the_same_process(tmp_path: Path, port: int) -> None:
    with playing(tmp_path, port) as process:
        transport = httpx.HTTPTransport(retries=3)
        with httpx.Client(transport=transport, timeout=30) as visitor:
            while "sweep: ok" not in visitor.get(f"http://localhost:{port}/readyz").text:
                assert process.poll() is None
        stop(process, signal.SIGTERM)


def test_it_leaves_nothing_outside_its_data(tmp_path: Path, port: int) -> None:
    """Apart from `staticfiles`, which belongs to the sources and not to the games."""
    before = set(ROOT.iterdir())
    with playing(tmp_path, port) as process:
        stop(process, signal.SIGTERM)
    kept = {path.name for path in tmp_path.iterdir()} - {"output"}
    assert kept - {"gaple.sqlite3-shm", "gaple.sqlite3-wal"} == {
        "gaple.sqlite3",
        "play.lock",
        "secret-key",
    }
    assert set(ROOT.iterdir()) - before <= {ROOT / "staticfiles"}


def test_a_second_start_on_the_same_data_is_refused(tmp_path: Path, port: int) -> None:
    with playing(tmp_path, port) as process:
        second = manage(
            "play", "--port", str(free_port()), env=environment(GAPLE_DATA=str(tmp_path))
        )
        assert second.returncode == 1
        assert "already runs on the data" in second.stderr
        assert str(process.pid) in second.stderr
        stop(process, signal.SIGINT)


def test_a_killed_one_starts_again(tmp_path: Path, port: int) -> None:
    with playing(tmp_path, port) as process:
        process.kill()
        process.wait(timeout=60)
    with playing(tmp_path, port) as process:
        assert httpx.get(f"http://localhost:{port}/").status_code == 200
        stop(process, signal.SIGTERM)


def test_a_taken_port_is_named(tmp_path: Path, port: int) -> None:
    with playing(tmp_path / "one", port) as process:
        second = manage(
            "play", "--port", str(port), env=environment(GAPLE_DATA=str(tmp_path / "other"))
        )
        assert second.returncode == 1
        assert f"make play PORT={port + 1}" in second.stderr
        stop(process, signal.SIGINT)
