"""From what a viewer may know to what a template draws. Pure: no queries, no request."""

from .board import Board, boards, small_board
from .rounds import ReplayScreen, RoundScreen, replay_screen, round_screen
from .rules import PRESET_NAMES, match_words, preset_name, preset_of, rules_paragraph
from .sample import sample_boards
from .table import TableScreen, entry_words, names, seat_badges, table_screen
from .words import LEVEL_NAMES, duration, listed

__all__ = [
    "LEVEL_NAMES",
    "PRESET_NAMES",
    "Board",
    "ReplayScreen",
    "RoundScreen",
    "TableScreen",
    "boards",
    "duration",
    "entry_words",
    "listed",
    "match_words",
    "names",
    "preset_name",
    "preset_of",
    "replay_screen",
    "round_screen",
    "rules_paragraph",
    "sample_boards",
    "seat_badges",
    "small_board",
    "table_screen",
]
