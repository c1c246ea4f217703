"""The only place where a round or a match ends."""

from __future__ import annotations

from datetime import datetime

from games.engine import match
from games.engine.record import end_dict, read_end
from games.engine.state import RoundEnd
from games.models import Game, Seat
from games.selectors import Position

from . import clocks, dealing


def finish_round(position: Position, now: datetime) -> Position:
    """Close the round that just ended; deal the next one, or finish the match (R13–R14).

    Returns the position that stands then.
    """
    game, seats, ended = position.game, position.seats, position.state
    assert ended.end is not None
    position.round.end = end_dict(ended.end)
    position.round.finished_at = now
    position.round.save(update_fields=("end", "finished_at"))
    options = game.rules
    if match.is_over(options, _ends(game)):
        finish_match(game, seats, match.PLAYED, now)
        return position
    following = dealing.deal_round(game, match.next_right(options, ended), now)
    go_on(following, now)
    return following


def go_on(position: Position, now: datetime) -> None:
    """Start the next turn, unless nobody is left to play on for (R17)."""
    if not end_if_given_up(position.game, position.seats, now):
        assert position.state.turn is not None
        clocks.start_turn(position.game, position.seats, position.state.turn, now)


def end_if_given_up(game: Game, seats: list[Seat], now: datetime) -> bool:
    """End the match if all its people have left, or all who stay agree to cancel it (R17)."""
    people = [seat for seat in seats if seat.user_id is not None]
    staying = [seat for seat in people if seat.left_at is None]
    if people and not staying:
        clocks.note(game, "closed", now)
        finish_match(game, seats, match.CLOSED, now)
    elif staying and all(seat.wants_cancel for seat in staying):
        clocks.note(game, "cancelled", now)
        finish_match(game, seats, match.CANCELLED, now)
    return game.finished_at is not None


def finish_match(game: Game, seats: list[Seat], reason: str, now: datetime) -> None:
    """End the match on its standing. A round under way is revealed, and counts for nothing."""
    game.rounds.filter(finished_at=None).update(finished_at=now)
    left = [s.position for s in seats if s.left_at or (reason == match.CLOSED and s.absent_since)]
    order = () if reason == match.CANCELLED else match.order(game.rules, _ends(game), left)
    game.result = match.Result(order, reason, tuple(left)).as_dict()
    game.finished_at = now
    game.to_move = game.turn_started_at = None
    game.deadline_at = game.bot_due_at = game.closes_at = None
    game.invite_hash = game.invite_expires_at = None


def _ends(game: Game) -> list[RoundEnd]:
    ended = game.rounds.filter(end__isnull=False).order_by("number")
    return [read_end(end) for end in ended.values_list("end", flat=True) if end]
