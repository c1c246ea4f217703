"""From an empty table to the first deal, and to the rematch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.errors import GapleError
from accounts.models import User
from games.engine.dealing import clean_phrase, draw_seats
from games.engine.errors import EngineError
from games.engine.match import CANCELLED
from games.engine.options import LEVELS, PRESETS, Options
from games.errors import NotAllowed, SeatTaken, Stale, Unreadable, told
from games.models import Game, Seat
from games.selectors import seats_of

from . import clocks, dealing, finishing, invites, ledger


def create_table(
    *,
    host: User,
    options: Options,
    turn_seconds: int,
    public: bool = False,
    fixed_seats: bool = False,
    auto_start: bool = False,
    token: UUID | None = None,
) -> tuple[Game, str]:
    """A table with its host on seat 0, and the token of its invitation link.

    The first deal is committed to here, before anybody can cut (R18). `token` is the one-time
    token of the form: sent again, it gives the table that it made the first time.
    """
    if public and fixed_seats:
        raise GapleError(_("At an open table the seats are drawn."))

    def make() -> Game:
        game = Game(
            host=host,
            options=options.as_dict(),
            turn_seconds=turn_seconds,
            public=public,
            fixed_seats=fixed_seats,
            auto_start=auto_start,
            token=token,
        )
        invites.renew(game)
        dealing.commit_next_seed(game)
        game.save()
        _seat(game, 0, user=host)
        return game

    game = _made_once(token, host, make)
    return game, invites.current(game) or ""


def play_now(*, user: User, token: UUID | None = None) -> Game:
    """A match against three bots, dealt at once; `token` as in create_table."""

    def make() -> Game:
        options = PRESETS["klasik"]
        game = Game(host=user, options=options.as_dict(), token=token)
        dealing.commit_next_seed(game)
        game.save()
        _seat(game, 0, user=user)
        _fill(game, seats_of(game), options.absent_level)
        _deal_first(game)
        ledger.save_summary(game)
        return game

    return _made_once(token, user, make)


def join(
    *,
    code: UUID,
    user: User,
    token: str | None = None,
    position: int | None = None,
    phrase: str | None = None,
) -> None:
    """Take a free seat: at an open table, by the invitation's token, or as one of the rematch.

    Whoever holds a seat keeps it; where seats are chosen he moves to `position`. A seat is never
    given twice.
    """
    cut = _clean(phrase)
    with _gathering(code) as game:
        seats = seats_of(game)
        own = next((seat for seat in seats if seat.user_id == user.pk), None)
        if own is None and not _admitted(game, user, token):
            raise NotAllowed(_("This invitation is not valid any more. Ask for a new link."))
        if own is None:
            own = _seat(game, _free_place(game, seats, position), user=user)
        elif game.fixed_seats and position is not None and position != own.position:
            own.position = _free_place(game, seats, position)
            own.save(update_fields=("position",))
        if cut is not None:
            _cut(own, cut)
        if game.auto_start and game.seats.count() == game.rules.players:
            _deal_first(game)


def set_phrase(*, code: UUID, user: User, phrase: str) -> None:
    """Cut the next deal (R18). Nobody else sees the phrase before that deal."""
    cut = _clean(phrase) or ""
    with transaction.atomic(durable=True):
        game = Game.objects.locked().get(code=code)
        own = game.seats.filter(user=user, left_at=None).first()
        if own is None:
            raise NotAllowed
        if game.finished_at is not None:
            raise Stale
        _cut(own, cut)


def leave(*, code: UUID, user: User) -> None:
    """Get up before the first deal. The host cancels instead."""
    with _gathering(code) as game:
        if user.pk == game.host_id:
            raise NotAllowed(_("The host cannot leave the table, but can cancel it."))
        freed, _rows = game.seats.filter(user=user).delete()
        if not freed:
            raise NotAllowed(_("You have no seat at this table."))


def fill_with_bots(*, code: UUID, user: User, level: str) -> None:
    """Put a bot on every free seat; the host's right. Starts a table that starts when full."""
    if level not in LEVELS:
        raise Unreadable(_("There is no bot of that level."))
    with _gathering(code) as game:
        _check_host(game, user)
        _fill(game, seats_of(game), level)
        if game.auto_start:
            _deal_first(game)


def free_seat(*, code: UUID, user: User, position: int) -> None:
    """Take somebody's seat away before the start; the host's right."""
    with _gathering(code) as game:
        _check_host(game, user)
        freed, _rows = game.seats.filter(position=position).exclude(user=user).delete()
        if not freed:
            raise GapleError(_("There is nobody to send away from that seat."))


def renew_invitation(*, code: UUID, user: User) -> str:
    """A new link; the old one stops working. The host's right."""
    with _gathering(code) as game:
        _check_host(game, user)
        return invites.renew(game)


def start(*, code: UUID, user: User) -> None:
    """Deal the first round at a full table; the host's right."""
    with _gathering(code) as game:
        _check_host(game, user)
        if game.seats.count() < game.rules.players:
            raise GapleError(_("Some seats are still free. Invite somebody or fill in bots."))
        _deal_first(game)


def cancel(*, code: UUID, user: User) -> None:
    """Give up a table before its first deal; the host's right."""
    with _gathering(code) as game:
        _check_host(game, user)
        _give_up(game)


def cancel_unstarted(*, code: UUID) -> None:
    """Give up a table that nobody started."""
    with _gathering(code) as game:
        _give_up(game)


def open_replays(*, code: UUID, user: User) -> None:
    """Open a private match's finished rounds to anyone who has their address; the host's right."""
    with transaction.atomic(durable=True):
        game = Game.objects.locked().get(code=code)
        _check_host(game, user)
        game.replays_open = True
        game.version += 1
        game.save(update_fields=("replays_open", "version"))


def rematch(*, code: UUID, user: User) -> Game:
    """Sit down for the same match with the same people and bots again.

    The first to ask makes the table, everyone else who asks joins it; it starts when full. Where
    seats are chosen, everyone gets his old one.
    """
    following, position = _rematch_table(code, user)
    try:
        join(code=following.code, user=user, position=position)
    except Stale:
        # It has started, perhaps this moment, with the last of the others; he may sit there.
        if not following.seats.filter(user=user).exists():
            raise
    return following


def _rematch_table(code: UUID, user: User) -> tuple[Game, int]:
    """The table of the rematch, and the asker's place in the match before."""
    with transaction.atomic(durable=True):
        # Held until the rematch is made, so two who press at once make one.
        old = Game.objects.locked().get(code=code)
        seats = seats_of(old)
        own = next((seat for seat in seats if seat.user_id == user.pk), None)
        if own is None:
            raise NotAllowed
        if old.finished_at is None:
            raise Stale
        following = Game.objects.filter(rematch_of=old).first()
        if following is None:
            following = _following(old, own, seats)
            old.version += 1
            old.save(update_fields=("version",))
        return following, own.position


def _following(old: Game, host: Seat, seats: list[Seat]) -> Game:
    """A new table like `old`, with its bots and the host at their places."""
    assert host.user is not None
    game = Game(
        host=host.user,
        options=old.options,
        turn_seconds=old.turn_seconds,
        fixed_seats=old.fixed_seats,
        auto_start=True,
        rematch_of=old,
    )
    dealing.commit_next_seed(game)
    game.save()
    for seat in seats:
        if seat.user_id is None or seat is host:
            _seat(game, seat.position, user=seat.user, level=seat.bot_level)
    return game


# --- under the lock -------------------------------------------------------------------------------


def _made_once(token: UUID | None, host: User, make: Callable[[], Game]) -> Game:
    """The game that the form with this token made, made now if it was not yet."""
    made = _made_before(token, host)
    if made is not None:
        return made
    try:
        with transaction.atomic(durable=True):
            return make()
    except IntegrityError as error:
        # Sent twice at once: the database let one of the two make it.
        made = _made_before(token, host)
        if made is None:
            raise Unreadable from error
        return made


def _made_before(token: UUID | None, host: User) -> Game | None:
    return Game.objects.filter(host=host, token=token).first() if token else None


@contextmanager
def _gathering(code: UUID) -> Iterator[Game]:
    """Hold a game that has not started; what changes is seen by all."""
    with transaction.atomic(durable=True):
        game = Game.objects.locked().get(code=code)
        if game.status != "open":
            raise Stale(_("This table has started or was cancelled meanwhile."))
        yield game
        ledger.save_summary(game)


def _give_up(game: Game) -> None:
    now = timezone.now()
    clocks.note(game, "cancelled", now)
    finishing.finish_match(game, seats_of(game), CANCELLED, now)
    # Whoever still wants one may ask for another rematch.
    game.rematch_of = None


def _check_host(game: Game, user: User) -> None:
    if game.host_id != user.pk:
        raise NotAllowed(_("Only the host may do that."))


def _admitted(game: Game, user: User, token: str | None) -> bool:
    if game.public or (token is not None and invites.opens(game, token)):
        return True
    before = game.rematch_of
    return before is not None and before.seats.filter(user=user).exists()


def _free_place(game: Game, seats: list[Seat], wished: int | None) -> int:
    """The wished place where seats are chosen, else the first free one."""
    taken = {seat.position for seat in seats}
    free = [place for place in range(game.rules.players) if place not in taken]
    if not free:
        raise SeatTaken(_("This table is full."))
    if wished is None or not game.fixed_seats:
        return free[0]
    if wished not in free:
        raise SeatTaken
    return wished


def _seat(game: Game, position: int, *, user: User | None = None, level: str | None = None) -> Seat:
    return Seat.objects.create(
        game=game, position=position, user=user, bot_level=level, joined_at=timezone.now()
    )


def _fill(game: Game, seats: list[Seat], level: str) -> None:
    taken = {seat.position for seat in seats}
    for position in range(game.rules.players):
        if position not in taken:
            _seat(game, position, level=level)


def _clean(phrase: str | None) -> str | None:
    try:
        return None if phrase is None else clean_phrase(phrase)
    except EngineError as error:
        raise told(error) from error


def _cut(seat: Seat, phrase: str) -> None:
    seat.phrase = phrase
    seat.phrase_set_at = timezone.now() if phrase else None
    seat.save(update_fields=("phrase", "phrase_set_at"))


def _deal_first(game: Game) -> None:
    """Draw the seats unless they were chosen, and deal round 1 (R2, R18)."""
    now = timezone.now()
    drawn = {} if game.fixed_seats else {"drawn": _draw(game, seats_of(game))}
    game.started_at = now
    game.invite_hash = game.invite_expires_at = None
    clocks.note(game, "started", now, **drawn)
    position = dealing.deal_round(game, None, now)
    assert position.state.turn is not None
    clocks.start_turn(game, position.seats, position.state.turn, now)


def _draw(game: Game, seats: list[Seat]) -> list[int]:
    """Give the seats their drawn order. Written anew, for no two rows may share a place.

    Returns which seat each got, in order of joining; anybody can check it when the seed is open.
    """
    joined = sorted(seats, key=lambda seat: (seat.joined_at, seat.pk))
    drawn = draw_seats(bytes(game.next_seed), str(game.code), joined)
    game.seats.all().delete()
    for position, seat in enumerate(drawn):
        seat.pk, seat.position = None, position
    Seat.objects.bulk_create(drawn)
    return [seat.position for seat in joined]
