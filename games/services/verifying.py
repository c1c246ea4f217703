"""Recomputing what is stored of a match from its seeds, phrases and ledger."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from games.engine import match
from games.engine.dealing import commitment, deal
from games.engine.errors import EngineError
from games.engine.record import end_dict
from games.engine.rules import start_round
from games.engine.state import RoundEnd, RoundState
from games.models import Game, Round, Seat
from games.selectors import final_state, moves_of, seats_of


def differences(game: Game) -> list[str]:
    """What is stored otherwise than it follows; [] when all is well. No secret is in it."""
    # Held while it is read: somebody may be playing.
    with transaction.atomic():
        return _differences(Game.objects.locked().get(pk=game.pk))


def _differences(game: Game) -> list[str]:
    seats = seats_of(game)
    rounds = list(game.rounds.order_by("number"))
    found: list[str] = []
    if commitment(bytes(game.next_seed)) != game.next_commitment:
        found.append("the next commitment is not its seed's")
    states: list[RoundState] = []
    for round_ in rounds:
        try:
            states.append(_replayed(game, round_, seats, states[-1] if states else None, found))
        except (EngineError, AttributeError, KeyError, ValueError) as error:
            return [*found, f"round {round_.number} cannot be replayed: {type(error).__name__}"]
    return found + _wrong_summary(game, seats, rounds, states)


def _replayed(
    game: Game, round_: Round, seats: list[Seat], before: RoundState | None, found: list[str]
) -> RoundState:
    options, number = game.rules, round_.number
    seed = bytes(round_.seed)
    dealt = deal(options, seed, str(game.code), number, round_.phrases)
    right = None if before is None else match.next_right(options, before)
    if right is None and options.rest:
        right = dealt.drawn_starter
    stored = {
        "commitment": round_.commitment,
        "nonce": round_.nonce,
        "context": round_.context,
        "hands": round_.hands,
        "rest": round_.rest,
        "right to start": round_.right,
    }
    computed = {
        "commitment": commitment(seed),
        "nonce": dealt.nonce,
        "context": dealt.context,
        "hands": [[str(tile) for tile in hand] for hand in dealt.hands],
        "rest": [str(tile) for tile in dealt.rest],
        "right to start": right,
    }
    found += [f"round {number}: {name}" for name in stored if stored[name] != computed[name]]
    moves = moves_of(round_, seats)
    if [move.ply for move in moves] != list(range(len(moves))):
        found.append(f"round {number}: the actions are not numbered from 0")
    state = final_state(options, round_, moves)
    if start_round(options, dealt, number, right).starter != state.starter:
        found.append(f"round {number}: starter")
    if round_.end != (state.end and end_dict(state.end)):
        found.append(f"round {number}: end")
    if round_.finished_at is None and state.end is not None:
        found.append(f"round {number}: it is over and not marked so")
    return state


def _wrong_summary(
    game: Game, seats: list[Seat], rounds: list[Round], states: list[RoundState]
) -> list[str]:
    """The columns of the match that do not follow from its rounds."""
    ends = [state.end for state in states if state.end is not None]
    running = states[-1] if states and game.finished_at is None else None
    expected: dict[str, Any] = {
        "round_number": len(rounds),
        "ply": states[-1].ply if states else 0,
        "to_move": running.turn if running else None,
    }
    stored = {name: getattr(game, name) for name in expected}
    wrong = [name for name in expected if stored[name] != expected[name]]
    if game.finished_at is not None:
        wrong += [] if _result_follows(game, seats, ends) else ["result"]
    elif ends and match.is_over(game.rules, ends):
        wrong.append("finished_at")
    elif running and game.stopped_at is None:
        by_bot = seats[game.to_move or 0].by_bot
        if by_bot != (game.bot_due_at is not None) or by_bot == (game.deadline_at is not None):
            wrong.append("deadline_at")
    return wrong


def _result_follows(game: Game, seats: list[Seat], ends: list[RoundEnd]) -> bool:
    result = game.match_result
    if result is None:
        return False
    if result.reason == match.CANCELLED:
        return result.order == ()
    over = bool(ends) and match.is_over(game.rules, ends)
    if (result.reason == match.PLAYED) != over:
        return False
    return result.order == match.order(game.rules, ends, result.left)
