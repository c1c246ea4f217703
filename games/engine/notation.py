"""The written form of actions: "0:P 4-6@R; 0:D 5-5; 2:pass" (section 13)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from games.engine.actions import DISCARD, PLACE, SKIP, Action, Entry
from games.engine.errors import Unreadable
from games.engine.tiles import Tile

_LINE = re.compile(r"(?P<seat>[0-4]):(?P<action>.+)")
_ACTION = re.compile(r"P (?P<placed>[0-6]-[0-6])@(?P<end>[LR])|D (?P<dead>[0-6]-[0-6])|pass")


def parse_action(text: str) -> Action:
    """Read "P 4-6@R", "D 5-5" or "pass".

    >>> parse_action("P 4-6@R")
    Action(act='place', tile=Tile(low=4, high=6), end='R')
    """
    match = _ACTION.fullmatch(text.strip())
    if match is None:
        raise Unreadable("notation", f"{text[:40]!r} is not an action", action=text[:40])
    if match["placed"]:
        return Action(PLACE, Tile.parse(match["placed"]), match["end"])
    return Action(DISCARD, Tile.parse(match["dead"])) if match["dead"] else SKIP


def parse_log(text: str) -> list[tuple[int, Action]]:
    """Read actions parted by ";" or line ends; Unreadable names the number of the bad one."""
    parsed = []
    parts = (part.strip() for part in re.split(r"[;\n]", text))
    for number, part in enumerate(filter(None, parts), start=1):
        match = _LINE.fullmatch(part)
        if match is None:
            raise Unreadable("notation", f"{part[:40]!r} has no seat", where=f"action {number}")
        try:
            parsed.append((int(match["seat"]), parse_action(match["action"])))
        except Unreadable as error:
            raise Unreadable("notation", str(error), where=f"action {number}") from error
    return parsed


def format_log(entries: Iterable[Entry]) -> str:
    return "; ".join(map(str, entries))
