"""The golden games G1 to G6: deals and logs computed by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.engine.dealing import Deal
from games.engine.options import Options
from games.engine.rules import start_round
from games.engine.state import RoundState
from tests.engine.positions import dealt


@dataclass(frozen=True)
class Golden:
    hands: str
    rest: str
    log: str
    options: dict[str, Any]

    @property
    def deal(self) -> Deal:
        return dealt(self.hands, self.rest)

    def start(self, **chosen: Any) -> RoundState:
        """The position after the deal; seat 0 starts where an opening tile lies."""
        return start_round(Options(**(self.options | chosen)), self.deal, 1)


G1 = Golden(
    "0-3 1-2 1-3 4-6 5-5 5-6 / 0-1 1-5 1-6 2-4 2-5 6-6 / "
    "0-2 0-4 1-4 2-3 2-6 3-3 / 0-0 0-5 0-6 2-2 3-5 4-5",
    "4-4 3-4 1-1 3-6",
    "0:P 4-6@R; 1:P 6-6@R; 2:P 0-4@L; 3:P 0-6@L; 0:P 5-6@L; 1:P 1-6@R; 2:P 1-4@R; 3:P 4-5@L; "
    "0:D 5-5; 1:P 2-4@R; 2:P 2-6@R",
    {},
)
G2 = Golden(
    "0-0 1-5 1-6 2-2 2-4 5-6 / 0-2 0-3 0-6 2-6 4-4 6-6 / "
    "0-5 1-1 1-2 2-3 2-5 5-5 / 0-1 1-3 1-4 3-6 4-5 4-6",
    "3-5 0-4 3-3 3-4",
    "0:P 5-6@R; 1:P 0-6@R; 2:P 2-3@L; 3:P 0-1@R; 0:P 1-5@R; 1:P 2-6@L; 2:P 5-5@R; 3:P 4-5@R; "
    "0:P 2-4@R; 1:P 6-6@L; 2:P 2-5@R; 3:P 4-6@L; 0:D 2-2; 1:P 4-4@L; 2:P 0-5@R; 3:P 1-4@L; "
    "0:P 0-0@R; 1:P 0-3@R; 2:P 1-2@L; 3:P 3-6@R; 0:P 1-6@R",
    {},
)
G3 = Golden(
    "0-5 1-1 2-4 2-6 6-6 / 0-1 0-4 1-6 2-3 4-5 / 0-3 1-3 1-4 2-2 5-5 / "
    "0-0 1-5 3-3 3-4 4-6 / 0-2 1-2 3-5 3-6 4-4",
    "0-6 5-6 2-5",
    "0:P 0-5@L; 1:P 4-5@L; 2:P 1-4@L; 3:P 4-6@R; 4:P 1-2@L; 0:P 2-4@L; 1:P 0-4@R; 2:P 0-3@R; "
    "3:P 3-4@L; 4:P 3-5@R; 0:D 2-6; 1:P 2-3@L; 2:P 2-2@L; 3:P 1-5@R; 4:P 0-2@L; 0:P 1-1@R; "
    "1:P 0-1@L; 2:P 1-3@L; 3:P 3-3@L; 4:P 3-6@L; 0:P 6-6@L",
    {"players": 5, "tiles": 5},
)
G4 = Golden(
    "0-0 0-1 0-4 1-6 2-5 4-4 6-6 / 0-3 0-5 1-4 2-3 3-3 3-5 3-6 / "
    "0-2 0-6 1-5 2-6 4-5 4-6 5-5 / 1-1 1-2 1-3 2-2 2-4 3-4 5-6",
    "",
    "0:P 0-0@L; 1:P 0-5@R; 2:P 1-5@R; 3:P 1-2@R; 0:P 0-4@L; 1:P 2-3@R; 2:P 4-5@L; 3:P 1-3@R; "
    "0:P 1-6@R; 1:P 3-5@L; 2:P 4-6@R; 3:P 2-4@R; 0:P 2-5@R; 1:P 3-3@L; 2:P 5-5@R; 3:P 3-4@L; "
    "0:P 4-4@L; 1:P 1-4@L; 2:pass; 3:P 1-1@L; 0:P 0-1@L; 1:P 0-3@L; 2:pass; 3:P 5-6@R; "
    "0:P 6-6@R",
    {"tiles": 7, "unable": "pass"},
)
G5 = Golden(
    "0-1 0-6 1-3 2-3 2-5 4-4 5-6 / 0-2 1-1 1-6 2-2 3-4 3-6 5-5 / "
    "0-3 0-4 1-2 2-4 2-6 3-3 6-6 / 0-0 0-5 1-4 1-5 3-5 4-5 4-6",
    "",
    "3:P 0-0@L; 0:P 0-6@R; 1:P 3-6@R; 2:P 0-3@R; 3:P 0-5@L; 0:P 2-5@L; 1:P 0-2@L; 2:P 0-4@R; "
    "3:P 1-4@R; 0:P 0-1@R",
    {"tiles": 7, "unable": "pass"},
)
G6 = Golden(
    "0-1 0-2 1-4 2-4 2-6 3-5 6-6 / 0-4 0-6 1-5 2-2 2-3 3-4 4-6 / "
    "0-0 0-3 1-3 1-6 3-3 4-4 5-6 / 0-5 1-1 1-2 2-5 3-6 4-5 5-5",
    "",
    "2:P 0-0@L; 3:P 0-5@L; 0:P 0-1@R; 1:P 1-5@R; 2:P 5-6@R; 3:P 2-5@L; 0:P 2-4@L; 1:P 0-4@L; "
    "2:P 0-3@L; 3:P 3-6@L; 0:P 2-6@L; 1:P 4-6@R; 2:P 4-4@R; 3:P 4-5@R; 0:P 0-2@L; 1:P 0-6@L; "
    "2:P 1-6@L; 3:P 5-5@R; 0:P 3-5@R; 1:P 2-3@R; 2:P 1-3@L; 3:P 1-2@R; 0:P 1-4@R; 1:P 3-4@R; "
    "2:P 3-3@R",
    {"tiles": 7},
)
GOLDEN = {"G1": G1, "G2": G2, "G3": G3, "G4": G4, "G5": G5, "G6": G6}
