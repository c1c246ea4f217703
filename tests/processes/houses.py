"""Starting the processes of a house, and a person who plays there as a browser without scripts."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).parents[2]

# A developer's own settings must not reach the house under test.
OURS = ("DATABASE_URL", "CELERY_", "SECRET_KEY", "EMAIL_URL", "GAPLE_", "DJANGO_")


def environment(**ours: str) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    return clean | {"PYTHONUNBUFFERED": "1"} | ours


def manage(*arguments: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@contextmanager
def running(*command: str, env: dict[str, str], output: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a module of Python while the block runs; its output goes to a file.

    Not to a pipe: nobody would read it meanwhile, and a full one stops the process.
    """
    with (
        output.open("ab") as file,
        subprocess.Popen(
            [sys.executable, *command], cwd=ROOT, env=env, stdout=file, stderr=subprocess.STDOUT
        ) as process,
    ):
        try:
            yield process
        finally:
            process.kill()


class Person:
    """Plays by reading pages and posting their forms, each time at another of the servers."""

    def __init__(self, servers: list[str]) -> None:
        self.client = httpx.Client(timeout=60, follow_redirects=True)
        self._servers = cycle(servers)

    def __enter__(self) -> Person:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()

    def get(self, path: str) -> httpx.Response:
        return self.client.get(next(self._servers) + path).raise_for_status()

    def post(self, path: str, **fields: Any) -> httpx.Response:
        token = {"csrfmiddlewaretoken": self.client.cookies.get("csrftoken", "")}
        answer = self.client.post(next(self._servers) + path, data=token | fields)
        return answer.raise_for_status()

    def play_once(self, table: str) -> bool:
        """Make the first move that the page offers; False when it offers none."""
        page = self.get(table).text
        if not re.search(r'name="action"|\?tile=', page):
            return False
        tile = re.search(r"\?tile=\d-\d", page)
        if tile and 'name="action"' not in page:
            page = self.get(table + tile[0]).text
        action = re.search(r'name="action" value="([^"]+)"', page)
        if not action:
            return False
        seen = {name: _hidden(page, name) for name in ("token", "round", "ply")}
        self.post(f"{table}act/", action=action[1], **seen)
        return True


def _hidden(page: str, name: str) -> str:
    field = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert field, f"The page has no field {name}."
    return field[1]


def play_until(persons: list[Person], table: str, enough: int | None = None) -> int:
    """Let the persons play, in turn, until the match is over or enough moves are made."""
    moves = 0
    while (enough is None or moves < enough) and not record(persons[0], table)["result"]:
        played = sum(person.play_once(table) for person in persons)
        moves += played
        if not played:
            # It is a bot's turn, or a bot's worker was just killed.
            time.sleep(0.1)
    return moves


def record(person: Person, table: str) -> dict[str, Any]:
    answer: dict[str, Any] = person.get(f"{table}record.json").json()
    return answer
