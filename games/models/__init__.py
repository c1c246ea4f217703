from .clock import Heartbeat, Outage
from .game import Game, Round, Seat
from .ledger import Discard, Move

__all__ = ["Discard", "Game", "Heartbeat", "Move", "Outage", "Round", "Seat"]
