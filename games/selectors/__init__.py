"""Reads that span models. What a viewer may know is decided here and in engine.visibility."""

from .access import may_open, may_open_replays, may_watch
from .lists import (
    ListedGame,
    MyGames,
    finished_games,
    listed,
    my_games,
    next_waiting,
    open_tables,
    waiting_count,
)
from .positions import Position, dealt, final_state, load, moves_of, rfc3339, seats_of
from .rounds import RoundPage, match_record, nonce_deals, round_page, round_states
from .tables import FinishedRound, SeatInfo, TableView, table_view

__all__ = [
    "FinishedRound",
    "ListedGame",
    "MyGames",
    "Position",
    "RoundPage",
    "SeatInfo",
    "TableView",
    "dealt",
    "final_state",
    "finished_games",
    "listed",
    "load",
    "match_record",
    "may_open",
    "may_open_replays",
    "may_watch",
    "moves_of",
    "my_games",
    "next_waiting",
    "nonce_deals",
    "open_tables",
    "rfc3339",
    "round_page",
    "round_states",
    "seats_of",
    "table_view",
    "waiting_count",
]
