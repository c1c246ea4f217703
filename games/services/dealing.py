"""Commitments, and the deal of a round (R18–R20)."""

from __future__ import annotations

import secrets
from datetime import datetime

from games.engine.dealing import commitment, deal
from games.engine.rules import apply_forced, start_round
from games.models import Game, Round, Seat
from games.selectors import Position, rfc3339, seats_of

from . import clocks, ledger


def commit_next_seed(game: Game) -> None:
    """Draw the next round's seed and publish its fingerprint, before anybody can still cut."""
    seed = secrets.token_bytes(32)
    game.next_seed = seed
    game.next_commitment = commitment(seed)


def deal_round(game: Game, right: int | None, now: datetime) -> Position:
    """Deal the next round with the committed seed and the phrases set until now.

    `right` is the seat with the right to start, None in round 1. Nothing is saved of `game`.
    """
    # Read now: phrases change without a new version of the game.
    seats = seats_of(game)
    options, number, seed = game.rules, game.round_number + 1, bytes(game.next_seed)
    phrases = [seat.phrase for seat in seats]
    dealt = deal(options, seed, str(game.code), number, phrases)
    if right is None and options.rest:
        right = dealt.drawn_starter
    round_ = Round.objects.create(
        game=game,
        number=number,
        seed=seed,
        commitment=game.next_commitment,
        nonce=dealt.nonce,
        context=dealt.context,
        phrases=phrases,
        cut_at=[seat.phrase_set_at and rfc3339(seat.phrase_set_at) for seat in seats],
        hands=[[str(tile) for tile in hand] for hand in dealt.hands],
        rest=[str(tile) for tile in dealt.rest],
        right=right,
        dealt_at=now,
    )
    game.round_number, game.ply = number, 0
    if dealt.nonce:
        clocks.note(game, "redeal", now, round=number, nonce=dealt.nonce)
    commit_next_seed(game)
    _forget_phrases(seats)
    opened = apply_forced(start_round(options, dealt, number, right), at=rfc3339(now))
    position = Position(game, seats, round_, opened)
    ledger.append(position, now)
    return position


def _forget_phrases(seats: list[Seat]) -> None:
    """A phrase cuts one deal; kept for the next, it would be known before that commitment."""
    cut = [seat for seat in seats if seat.phrase]
    for seat in cut:
        seat.phrase, seat.phrase_set_at = "", None
    if cut:
        Seat.objects.bulk_update(cut, ["phrase", "phrase_set_at"])
