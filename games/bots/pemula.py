"""Pemula: any legal action, each as likely as the next."""

from random import Random

from games.engine.actions import Action
from games.engine.visibility import SeatView


def choose(view: SeatView, rng: Random) -> Action:
    return rng.choice(view.legal)
