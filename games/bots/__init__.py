"""Bots: each sees one SeatView and a seeded generator, and nothing else."""

from games.bots.base import Bot, bot_of

__all__ = ["Bot", "bot_of"]
