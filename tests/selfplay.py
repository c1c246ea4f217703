"""Whole matches played by chance through the engine, as the server would play them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from random import Random
from uuid import UUID

from games.engine import match
from games.engine.actions import BOT, FORCED, PLAYER, TIMEOUT, Action
from games.engine.dealing import deal
from games.engine.options import PRESETS, Match, Options, pips_stake
from games.engine.record import MatchRecord, RoundRecord, SeatRecord
from games.engine.rules import apply, forced_action, legal_actions, start_round, timeout_action
from games.engine.state import RoundEnd, RoundState

Chooser = Callable[[RoundState, Random], Action]

OPTION_SETS: dict[str, Options] = PRESETS | {
    "one suit of everything": Options(
        tiles=7,
        double_blank="own25",
        team_rule="both_out",
        first_lead="6-6",
        next_lead="any",
        next_starter="rotate",
        redeal="6",
        match=Match("rounds", n=3),
    ),
    "both out, passing": Options(
        tiles=7, unable="pass", team_rule="both_out", match=Match("rounds", n=3)
    ),
    "both out with an opening tile": Options(
        team_rule="both_out", double_blank="dead25", match=Match("rounds", n=2)
    ),
    "a discard ends": Options(empty_by_discard="ends", match=Match("target", points=25)),
    "winner, ends": Options(
        tiles=7, empty_by_discard="ends", team_rule="winner", match=Match("rounds", n=2)
    ),
    "six and passing": Options(unable="pass", next_starter="rotate", match=Match("rounds", n=2)),
    "five with all": Options(
        players=5,
        tiles=5,
        double_blank="dead25",
        empty_by_discard="ends",
        on_timeout="autoplay",
        next_starter="rotate",
        match=Match("target", points=50),
        stake=pips_stake(2, close_bonus=True),
    ),
    "five and passing": Options(players=5, tiles=5, unable="pass", match=Match("rounds", n=2)),
    "rated": Options(tiles=7, on_timeout="autoplay", redeal="5", match=Match("rounds", n=2)),
}


def at_random(state: RoundState, rng: Random) -> Action:
    return rng.choice(legal_actions(state))


def positions(
    state: RoundState,
    rng: Random,
    *,
    timeouts: float = 0.0,
    choose: Chooser = at_random,
) -> Iterator[RoundState]:
    """Every position of a round after `state`; of the free turns this share times out."""
    while (seat := state.turn) is not None:
        at = f"2026-01-{state.number:02}T{state.ply // 60:02}:{state.ply % 60:02}:00Z"
        forced = forced_action(state)
        if forced is not None:
            state = apply(state, seat, forced, by=FORCED, at=at)
        elif rng.random() < timeouts:
            state = apply(state, seat, timeout_action(state), by=TIMEOUT, at=at)
        else:
            by = BOT if seat == 1 else PLAYER
            state = apply(state, seat, choose(state, rng), by=by, at=at)
        yield state


def seed_of(number: int) -> bytes:
    return hashlib.sha256(b"selfplay %d" % number).digest()


def play_match(options: Options, number: int, *, timeouts: float = 0.0) -> MatchRecord:
    """The match `number` under these options; the same number gives the same match."""
    rng = Random(number)
    code = str(UUID(int=number))
    phrases = tuple("" if seat == 1 else f"potong {seat} é" for seat in range(options.players))
    rounds: list[RoundRecord] = []
    ends: list[RoundEnd] = []
    while not ends or not match.is_over(options, ends):
        right = match.next_right(options, rounds[-1].final) if rounds else None
        seed = seed_of(1000 * number + len(rounds))
        dealt = deal(options, seed, code, len(rounds) + 1, phrases)
        state = start_round(options, dealt, len(rounds) + 1, right)
        *_, final = positions(state, rng, timeouts=timeouts)
        rounds.append(RoundRecord(seed, phrases, dealt, final))
        assert final.end is not None
        ends.append(final.end)
    return MatchRecord(
        code=code,
        options=options,
        seats=tuple(
            SeatRecord("Sari", "bot", "warung")
            if seat == 1
            else SeatRecord(f"Tamu {seat}", "human")
            for seat in range(options.players)
        ),
        rounds=tuple(rounds),
        result=match.Result(match.order(options, ends), match.PLAYED),
    )
