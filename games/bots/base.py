"""What every bot is, and which levels there are."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from games.bots import pemula, warung
from games.engine.actions import Action
from games.engine.visibility import SeatView

Bot = Callable[[SeatView, Random], Action]

_BOTS: dict[str, Bot] = {"pemula": pemula.choose, "warung": warung.choose}


def bot_of(level: str) -> Bot:
    """The bot of a level of games.engine.options.LEVELS; KeyError for another name."""
    return _BOTS[level]
