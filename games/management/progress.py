"""A bar for commands that take a while."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
WIDTH = 40


def shown(items: Iterable[T], total: int) -> Iterator[T]:
    """Pass the items on and draw how many of `total` are done; a plain line when not a terminal."""
    out = sys.stderr
    for done, item in enumerate(items, start=1):
        yield item
        if out.isatty():
            filled = WIDTH * done // total
            out.write(f"\r[{'#' * filled}{'.' * (WIDTH - filled)}] {done}/{total}")
            out.flush()
        elif done % max(1, total // 10) == 0:
            out.write(f"{done}/{total}\n")
    if out.isatty():
        out.write("\n")
