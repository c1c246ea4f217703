"""The settings as a deployment sees them, each in a process of its own."""

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
KEY = "0123456789" * 6


def manage(*arguments: str, data: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=clean | {"GAPLE_DATA": str(data)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_nothing_needs_to_be_set(tmp_path: Path) -> None:
    done = manage("check", "--fail-level", "WARNING", data=tmp_path / "data")
    assert done.returncode == 0, done.stderr


def test_a_public_site_passes_the_deployment_check(tmp_path: Path) -> None:
    done = manage(
        "check",
        "--deploy",
        "--fail-level",
        "WARNING",
        data=tmp_path,
        GAPLE_ORIGIN="https://gaple.example",
        SECRET_KEY=KEY,
        CELERY_BROKER_URL="redis://localhost:1/0",
        DATABASE_URL="postgres://nobody@localhost:1/gaple",
    )
    assert done.returncode == 0, done.stderr


def test_the_key_is_made_once_and_for_its_owner_only(tmp_path: Path) -> None:
    ask = (
        "shell",
        "--no-imports",
        "-c",
        "from django.conf import settings as s; print(s.SECRET_KEY)",
    )
    first, second = manage(*ask, data=tmp_path), manage(*ask, data=tmp_path)
    assert first.stdout == second.stdout
    assert len(first.stdout.strip()) >= 50
    assert stat.S_IMODE((tmp_path / "secret-key").stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "service",
    [
        {"DATABASE_URL": "postgres://nobody@localhost:1/gaple"},
        {"CELERY_BROKER_URL": "redis://localhost:1/0"},
    ],
)
def test_services_need_a_key_that_all_processes_share(
    tmp_path: Path, service: dict[str, str]
) -> None:
    done = manage("check", data=tmp_path, **service)
    assert done.returncode != 0
    assert "SECRET_KEY must be set" in done.stderr


def test_play_is_the_house_without_services(tmp_path: Path) -> None:
    done = manage("play", data=tmp_path, SECRET_KEY=KEY, CELERY_BROKER_URL="redis://localhost:1/0")
    assert done.returncode != 0
    assert "CELERY_BROKER_URL names a broker" in done.stderr


def test_every_variable_is_in_the_example() -> None:
    """A variable that is read and not listed is one that nobody can know of."""
    sources = "".join(
        (ROOT / "gaple_site" / name).read_text() for name in ("settings.py", "env.py")
    )
    read = set(re.findall(r"env\.\w+\(\s*\"([A-Z_]+)\"", sources))
    listed = set(re.findall(r"^([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))
    assert read
    assert read <= listed
