"""Finished rounds: all hands open, their proof, and the record of a match."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from games.engine import match
from games.engine.dealing import Deal, deal_context, deal_once, draw_seats, redeal_due
from games.engine.match import Result
from games.engine.options import Options
from games.engine.record import MatchRecord, RoundRecord, SeatRecord, read_end
from games.engine.rules import positions, start_round
from games.engine.state import RoundState
from games.models import Game, Round, Seat

from .access import Viewer
from .positions import dealt, final_state, moves_of, seats_of


@dataclass(frozen=True, slots=True)
class RoundPage:
    """A revealed round. `state` is its last position; `abandoned` when its match ended first.

    `totals` are those after the round; `next_starter` holds the right to start the next one,
    None after the last. `cut_at` says by seat when its phrase was set; `drawn` are the seats
    that round 1's seed drew, in order of joining, () where they were chosen and in later rounds;
    `joined` the names in that order; `drawn_rightly` whether the seed draws them so.
    """

    code: UUID
    number: int
    options: Options
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    you: int | None
    right: int | None
    state: RoundState
    deal: Deal
    totals_before: tuple[int, ...]
    totals: tuple[int, ...]
    next_starter: int | None
    seed_hex: str
    commitment: str
    phrases: tuple[str, ...]
    cut_at: tuple[datetime | None, ...]
    drawn: tuple[int, ...]
    joined: tuple[str, ...]
    drawn_rightly: bool
    dealt_at: datetime
    finished_at: datetime
    abandoned: bool
    last_number: int
    result: Result | None


def round_page(game: Game, number: int, viewer: Viewer) -> RoundPage | None:
    """Round `number`, or None where there is none or it is not revealed yet (R20)."""
    rounds = list(game.rounds.exclude(finished_at=None).order_by("number"))
    round_ = next((r for r in rounds if r.number == number), None)
    if round_ is None or round_.finished_at is None:
        return None
    seats = seats_of(game)
    options = game.rules
    state = final_state(options, round_, moves_of(round_, seats))
    ends = [read_end(r.end) for r in rounds if r.end is not None and r.number <= number]
    over = state.end is None or match.is_over(options, ends)
    before = ends[:-1] if state.end else ends
    drawn = _drawn(game) if number == 1 else []
    return RoundPage(
        code=game.code,
        number=number,
        options=options,
        names=tuple(seat.name for seat in seats),
        kinds=tuple("bot" if seat.user is None else "human" for seat in seats),
        you=next((s.position for s in seats if viewer.pk and s.user_id == viewer.pk), None),
        right=round_.right,
        state=state,
        deal=dealt(round_),
        totals_before=match.totals(options, before),
        totals=match.totals(options, ends),
        next_starter=None if over else match.next_right(options, state),
        seed_hex=bytes(round_.seed).hex(),
        commitment=round_.commitment,
        phrases=tuple(round_.phrases),
        cut_at=tuple(at and datetime.fromisoformat(at) for at in round_.cut_at),
        drawn=tuple(drawn),
        joined=tuple(seats[position].name for position in drawn),
        drawn_rightly=_draws(bytes(round_.seed), game, drawn),
        dealt_at=round_.dealt_at,
        finished_at=round_.finished_at,
        abandoned=round_.end is None,
        last_number=game.round_number,
        result=game.match_result,
    )


def _drawn(game: Game) -> list[int]:
    """The seats that were drawn, in order of joining; [] where they were chosen (R2)."""
    started = (event for event in game.events if event["kind"] == "started")
    return next((event.get("drawn", []) for event in started), [])


def _draws(seed: bytes, game: Game, drawn: list[int]) -> bool:
    """Whether the seed draws these seats."""
    order = draw_seats(seed, str(game.code), range(len(drawn)))
    return [order.index(joiner) for joiner in range(len(drawn))] == drawn


def round_states(page: RoundPage) -> list[RoundState]:
    """All positions of the round, from the deal to its last action."""
    return positions(start_round(page.options, page.deal, page.number, page.right), page.state.log)


def nonce_deals(page: RoundPage) -> list[tuple[int, bool]]:
    """Every nonce up to the one that was dealt, and whether its hands were due again (R5)."""
    seed = bytes.fromhex(page.seed_hex)
    checked = []
    for nonce in range(page.deal.nonce + 1):
        context = deal_context(str(page.code), page.number, nonce, page.phrases)
        hands = deal_once(page.options, seed, context, nonce).hands
        checked.append((nonce, redeal_due(page.options, hands)))
    return checked


def match_record(game: Game) -> MatchRecord:
    """The record of a match with its finished rounds, the same for whoever asks."""
    seats = seats_of(game)
    rounds = game.rounds.filter(end__isnull=False).order_by("number")
    return MatchRecord(
        code=str(game.code),
        options=game.rules,
        seats=tuple(_seat_record(seat) for seat in seats),
        rounds=tuple(_round_record(game.rules, round_, seats) for round_ in rounds),
        result=game.match_result,
    )


def _seat_record(seat: Seat) -> SeatRecord:
    return SeatRecord(seat.name, "bot" if seat.user is None else "human", seat.bot_level)


def _round_record(options: Options, round_: Round, seats: list[Seat]) -> RoundRecord:
    return RoundRecord(
        seed=bytes(round_.seed),
        phrases=tuple(round_.phrases),
        deal=dealt(round_),
        final=final_state(options, round_, moves_of(round_, seats)),
    )
