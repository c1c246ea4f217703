"""Options, deals and play by chance, for the properties."""

from __future__ import annotations

from random import Random

from hypothesis import settings
from hypothesis import strategies as st

from games.engine.dealing import Deal, deal
from games.engine.errors import BadOptions
from games.engine.options import Options
from games.engine.rules import start_round
from games.engine.state import RoundState
from tests.selfplay import positions

moderate = settings(max_examples=60, deadline=None)


@st.composite
def options(draw: st.DrawFn) -> Options:
    """Any set that makes sense."""
    players, tiles = draw(st.sampled_from([(4, 6), (4, 7), (5, 5)]))
    one_of = {
        "unable": ["discard", "pass"],
        "double_blank": ["plain", "own25", "dead25"],
        "team_rule": ["none", "sum", "winner", "both_out"],
        "empty_by_discard": ["continue", "ends"],
        "first_lead": ["0-0", "6-6"],
        "next_lead": ["double", "any"],
        "redeal": ["off", "5", "6"],
        "on_timeout": ["pass", "autoplay"],
    }
    chosen: dict[str, str] = {}
    for name, values in one_of.items():
        value = draw(st.sampled_from(values))
        try:
            Options(players=players, tiles=tiles, **{**chosen, name: value})  # type: ignore[arg-type]
        except BadOptions:
            continue
        chosen[name] = value
    return Options(players=players, tiles=tiles, **chosen)  # type: ignore[arg-type]


@st.composite
def rounds(
    draw: st.DrawFn, *, allowed: st.SearchStrategy[Options] | None = None, timeouts: bool = True
) -> tuple[Deal, list[RoundState]]:
    """A deal and all positions of a round played from it."""
    chosen = draw(options() if allowed is None else allowed)
    number = draw(st.sampled_from([1, 2]))
    right = None if number == 1 else draw(st.integers(0, chosen.players - 1))
    dealt = deal(chosen, draw(st.binary(min_size=32, max_size=32)), "code", number, [""])
    state = start_round(chosen, dealt, number, right)
    rng = Random(draw(st.integers(0, 2**32)))
    share = draw(st.sampled_from([0.0, 0.1, 0.6])) if timeouts else 0.0
    return dealt, [state, *positions(state, rng, timeouts=share)]
