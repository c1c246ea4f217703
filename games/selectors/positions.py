"""From stored rows to the engine's position: state is the replay of the ledger."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from games.engine.dealing import Deal
from games.engine.options import Options
from games.engine.rules import replay, start_round
from games.engine.state import RoundState
from games.engine.tiles import Tile
from games.models import Game, Move, Round, Seat


@dataclass(slots=True)
class Position:
    """The running round of a match: its rows and the state that follows from them.

    `seats` are by position.
    """

    game: Game
    seats: list[Seat]
    round: Round
    state: RoundState

    @property
    def mover(self) -> Seat:
        assert self.state.turn is not None
        return self.seats[self.state.turn]


def rfc3339(moment: datetime) -> str:
    """A moment in UTC to the millisecond, as records carry it."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def seats_of(game: Game) -> list[Seat]:
    """The seats by position, each with its person; free places have no row."""
    seats = list(game.seats.select_related("user").order_by("position"))
    for seat in seats:
        seat.game = game
    return seats


def dealt(round_: Round) -> Deal:
    """The stored deal. Where the first lead decides who starts, no starter is needed."""
    return Deal(
        hands=tuple(tuple(map(Tile.parse, hand)) for hand in round_.hands),
        rest=tuple(map(Tile.parse, round_.rest)),
        drawn_starter=round_.right or 0,
        nonce=round_.nonce,
        context=round_.context,
    )


def final_state(options: Options, round_: Round, moves: Iterable[Move]) -> RoundState:
    """The state after `moves`, which are the round's in order of ply, with their seats."""
    opened = start_round(options, dealt(round_), round_.number, round_.right)
    return replay(opened, ((m.seat.position, m.action, m.by, rfc3339(m.at)) for m in moves))


def load(game: Game, known: Position | None = None) -> Position:
    """The running round of `game`, from three queries; from none when `known` still stands.

    All that a position shows changes with the game's version; only phrases do not.
    """
    if known is not None and known.game.version == game.version:
        return Position(game, known.seats, known.round, known.state)
    seats = seats_of(game)
    round_ = game.rounds.get(number=game.round_number)
    return Position(game, seats, round_, final_state(game.rules, round_, moves_of(round_, seats)))


def moves_of(round_: Round, seats: list[Seat]) -> list[Move]:
    """The round's moves in order, each with its seat from `seats`."""
    by_pk = {seat.pk: seat for seat in seats}
    moves = list(Move.objects.filter(round=round_).order_by("ply"))
    for move in moves:
        move.seat = by_pk[move.seat_id]
    return moves
