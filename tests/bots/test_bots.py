"""Bots play by the rules, know only what their seat may know, and differ in strength."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from games.bots import bot_of
from games.engine.dealing import Deal, deal
from games.engine.options import LEVELS, Options
from games.engine.rules import apply, apply_forced, legal_actions, start_round
from games.engine.state import RoundState
from games.engine.visibility import seat_view
from tests.selfplay import OPTION_SETS, positions, seed_of

CODE = "00000000-0000-0000-0000-000000000001"


def fresh_deal(options: Options, number: int) -> Deal:
    return deal(options, seed_of(number), CODE, 1, [""] * options.players)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", OPTION_SETS)
def test_a_bot_chooses_only_legal_actions(level: str, name: str) -> None:
    options, choose, rng = OPTION_SETS[name], bot_of(level), Random(1)
    for number in range(8):
        right = None if number % 2 else number % options.players
        state = start_round(options, fresh_deal(options, number), 2 - number % 2, right)

        def bot(state: RoundState, rng: Random) -> object:
            assert state.turn is not None
            action = choose(seat_view(state, state.turn), rng)
            assert action in legal_actions(state)
            return action

        *_, last = positions(state, rng, timeouts=0.1, choose=bot)  # type: ignore[arg-type]
        assert last.end is not None


def with_hidden_tiles_dealt_anew(state: RoundState, viewer: int, rng: Random) -> RoundState:
    """The same position to `viewer`: what he cannot see lies elsewhere, in the same numbers."""
    others = [seat for seat in range(state.options.players) if seat != viewer]
    hidden = [tile for seat in others for tile in state.counted[seat]]
    opened = len(state.rest[:1])
    hidden += state.rest[opened:]
    rng.shuffle(hidden)
    hands, dead, moved = list(state.hands), list(state.dead), {}
    for seat in others:
        hands[seat] = frozenset(hidden.pop() for _ in hands[seat])
        moved[seat] = [hidden.pop() for _ in dead[seat]]
        dead[seat] = tuple(moved[seat])
    log = tuple(
        entry._replace(action=entry.action._replace(tile=moved[entry.seat].pop(0)))
        if entry.action.act == "discard" and entry.seat != viewer
        else entry
        for entry in state.log
    )
    rest = (*state.rest[:opened], *hidden)
    return replace(state, hands=tuple(hands), dead=tuple(dead), rest=rest, log=log)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", ["klasik", "lewat", "berlima", "pasangan", "both out, passing"])
def test_tiles_that_a_seat_cannot_see_do_not_change_its_choice(level: str, name: str) -> None:
    options, choose = OPTION_SETS[name], bot_of(level)
    compared = 0
    for number in range(6):
        rng = Random(number)
        start = start_round(options, fresh_deal(options, number), 1)
        for state in positions(start, rng, timeouts=0.1):
            if state.turn is None or len(legal_actions(state)) < 2:
                continue
            elsewhere = with_hidden_tiles_dealt_anew(state, state.turn, rng)
            views = [seat_view(one, state.turn) for one in (state, elsewhere)]
            assert views[0] == views[1]
            assert choose(views[0], Random(number)) == choose(views[1], Random(number))
            compared += elsewhere != state
    assert compared > 20


def round_score(options: Options, deal: Deal, levels: list[str], rng: Random) -> tuple[int, ...]:
    state = apply_forced(start_round(options, deal, 1))
    while state.turn is not None:
        action = bot_of(levels[state.turn])(seat_view(state, state.turn), rng)
        state = apply_forced(apply(state, state.turn, action))
    assert state.end is not None
    return state.end.scores


@pytest.mark.parametrize("name", ["klasik", "klasik-7", "lewat"])
def test_warung_beats_pemula_on_the_same_deals(name: str) -> None:
    """Every deal is played twice with the seats exchanged, so that luck cancels out."""
    options, rng = OPTION_SETS[name], Random(2026)
    warung = pemula = 0
    for number in range(120):
        dealt = fresh_deal(options, number)
        for first in (0, 1):
            levels = ["warung" if seat % 2 == first else "pemula" for seat in range(4)]
            scores = round_score(options, dealt, levels, rng)
            warung += sum(scores[first::2])
            pemula += sum(scores[1 - first :: 2])
    assert warung < 0.85 * pemula, (warung, pemula)


def test_there_is_a_bot_for_every_level_and_no_other() -> None:
    assert [bot_of(level).__module__ for level in LEVELS] == [
        f"games.bots.{level}" for level in LEVELS
    ]
    with pytest.raises(KeyError):
        bot_of("peramal")
