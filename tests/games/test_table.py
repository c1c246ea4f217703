"""From an empty table to the first deal, invitations, phrases, rematches."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts import services as people
from accounts.errors import GapleError
from accounts.models import User
from games.engine.dealing import commitment, deal, draw_seats
from games.engine.options import PRESETS, Match, Options
from games.errors import NotAllowed, SeatTaken, Stale
from games.models import Game, Seat
from games.selectors import (
    my_games,
    next_waiting,
    open_tables,
    round_page,
    table_view,
    waiting_count,
)
from games.services import attendance, invites, table
from tests.factories import fresh, guest, match_of, mover_of, person, play_once, play_out

pytestmark = pytest.mark.django_db(transaction=True)
KLASIK = PRESETS["klasik"]


def gathering(host: User, **choices: object) -> tuple[Game, str]:
    return table.create_table(host=host, options=KLASIK, turn_seconds=86400, **choices)  # type: ignore[arg-type]


def test_one_tap_is_a_match_against_three_bots() -> None:
    someone = guest()
    game = fresh(table.play_now(user=someone))
    assert game.status == "playing"
    assert game.seats.filter(user=someone).count() == 1
    assert game.seats.filter(bot_level="warung").count() == 3


def test_the_commitment_stands_before_anybody_can_cut_and_is_kept() -> None:
    host = guest()
    game, _token = gathering(host)
    published = game.next_commitment
    table.set_phrase(code=game.code, user=host, phrase="  kopi tubruk ")
    table.fill_with_bots(code=game.code, user=host, level="pemula")
    table.start(code=game.code, user=host)
    round_ = game.rounds.get()
    assert round_.commitment == published == commitment(bytes(round_.seed))
    seat = game.seats.get(user=host)
    assert round_.phrases[seat.position] == "kopi tubruk"
    assert round_.cut_at[seat.position] is not None
    # The next deal is committed to, and nobody's old phrase cuts it.
    assert fresh(game).next_commitment not in ("", published)
    assert (seat.phrase, seat.phrase_set_at) == ("", None)


def test_a_deal_follows_from_seed_code_number_and_phrases() -> None:
    game = play_out(match_of([guest()], options=PRESETS["lewat"]), stop_after_round=2)
    for round_ in game.rounds.all():
        dealt = deal(game.rules, bytes(round_.seed), str(game.code), round_.number, round_.phrases)
        assert [[str(t) for t in hand] for hand in dealt.hands] == round_.hands
        assert dealt.context == round_.context


def test_seats_are_drawn_from_the_committed_seed() -> None:
    host = guest("Tuan")
    game, token = gathering(host)
    joined = [host] + [guest(f"Tamu {n}") for n in range(3)]
    for someone in joined[1:]:
        table.join(code=game.code, user=someone, token=token)
    seed = bytes(fresh(game).next_seed)
    table.start(code=game.code, user=host)
    drawn = [seat.user for seat in game.seats.order_by("position")]
    assert drawn == draw_seats(seed, str(game.code), joined)
    finished = play_out(fresh(game))
    page = round_page(finished, 1, host)
    assert page is not None
    assert page.joined == tuple(someone.name for someone in joined)
    assert page.drawn_rightly


def test_a_drawing_that_does_not_follow_from_the_seed_is_shown() -> None:
    host = guest("Tuan")
    game = play_out(fresh(table.play_now(user=host)))
    game.events[0]["drawn"].reverse()
    page = round_page(game, 1, host)
    assert page is not None
    assert not page.drawn_rightly


def test_chosen_seats_stay_as_chosen() -> None:
    host = guest("Tuan")
    game, token = gathering(host, fixed_seats=True)
    partner = guest("Pasangan")
    table.join(code=game.code, user=partner, token=token, position=2)
    with pytest.raises(SeatTaken):
        table.join(code=game.code, user=guest(), token=token, position=2)
    table.fill_with_bots(code=game.code, user=host, level="pemula")
    table.start(code=game.code, user=host)
    assert game.seats.get(position=0).user == host
    assert game.seats.get(position=2).user == partner


def test_who_sits_may_move_to_a_free_seat_where_seats_are_chosen() -> None:
    host = guest("Tuan")
    game, token = gathering(host, fixed_seats=True)
    someone = guest()
    table.join(code=game.code, user=someone, token=token, position=1)
    table.join(code=game.code, user=someone, position=3)
    assert game.seats.get(user=someone).position == 3


def test_an_invitation_lasts_until_the_start_and_can_be_replaced() -> None:
    host = guest("Tuan")
    game, first = gathering(host)
    second = table.renew_invitation(code=game.code, user=host)
    assert invites.find(first) is None
    assert invites.find(second) == game
    assert invites.current(fresh(game)) == second
    with pytest.raises(NotAllowed):
        table.join(code=game.code, user=guest(), token=first)
    with time_machine.travel(timezone.now() + timedelta(days=31)):
        assert invites.find(second) is None
        with pytest.raises(NotAllowed):
            table.join(code=game.code, user=guest(), token=second)
    table.fill_with_bots(code=game.code, user=host, level="pemula")
    table.start(code=game.code, user=host)
    assert invites.find(second) is None


def test_the_stored_row_alone_admits_nobody() -> None:
    _game, token = gathering(guest())
    stored = [str(value) for value in Game.objects.values_list().get()]
    assert not any(token in value for value in stored)


def test_the_code_of_a_private_table_seats_nobody() -> None:
    game, _token = gathering(guest())
    with pytest.raises(NotAllowed):
        table.join(code=game.code, user=guest())


def test_an_open_table_that_starts_when_full_starts_by_itself() -> None:
    game, _token = gathering(guest(), public=True, auto_start=True)
    assert [row.code for row in open_tables(guest())] == [game.code]
    for number in range(3):
        table.join(code=game.code, user=guest(f"Tamu {number}"), phrase=f"potong {number}")
    assert fresh(game).status == "playing"
    assert sorted(game.rounds.get().phrases) == ["", "potong 0", "potong 1", "potong 2"]
    assert open_tables(guest()) == []


def test_a_table_with_free_seats_does_not_start() -> None:
    host = guest()
    game, _token = gathering(host)
    with pytest.raises(GapleError):
        table.start(code=game.code, user=host)
    assert fresh(game).status == "open"


def test_only_the_host_rules_his_table() -> None:
    host, other = guest("Tuan"), guest("Lain")
    game, token = gathering(host)
    table.join(code=game.code, user=other, token=token)
    for forbidden in (
        lambda: table.start(code=game.code, user=other),
        lambda: table.cancel(code=game.code, user=other),
        lambda: table.fill_with_bots(code=game.code, user=other, level="pemula"),
        lambda: table.free_seat(code=game.code, user=other, position=0),
        lambda: table.renew_invitation(code=game.code, user=other),
        lambda: table.open_replays(code=game.code, user=other),
    ):
        with pytest.raises(NotAllowed):
            forbidden()


def test_the_host_frees_seats_but_not_his_own() -> None:
    host, other = guest("Tuan"), guest("Lain")
    game, token = gathering(host)
    table.join(code=game.code, user=other, token=token)
    with pytest.raises(GapleError):
        table.free_seat(code=game.code, user=host, position=0)
    table.free_seat(code=game.code, user=host, position=1)
    assert list(game.seats.values_list("user", flat=True)) == [host.pk]


def test_before_the_start_people_leave_and_the_host_cancels() -> None:
    host, other = guest("Tuan"), guest("Lain")
    game, token = gathering(host)
    table.join(code=game.code, user=other, token=token)
    table.leave(code=game.code, user=other)
    assert game.seats.count() == 1
    with pytest.raises(NotAllowed):
        table.leave(code=game.code, user=host)
    table.cancel(code=game.code, user=host)
    after = fresh(game)
    assert after.result == {"order": [], "reason": "cancelled", "left": []}
    with pytest.raises(Stale):
        table.join(code=game.code, user=other, token=token)


def test_after_the_first_deal_the_host_cancels_no_more() -> None:
    host = guest()
    game = match_of([host])
    with pytest.raises(Stale):
        table.cancel(code=game.code, user=host)


def test_a_phrase_is_seen_by_nobody_else_before_its_deal() -> None:
    host, other = guest("Tuan"), guest("Lain")
    game, token = gathering(host)
    table.join(code=game.code, user=other, token=token, phrase="rahasia saya")
    assert table_view(fresh(game), other).your_phrase == "rahasia saya"
    assert table_view(fresh(game), host).your_phrase == ""
    assert "rahasia saya" not in repr(table_view(fresh(game), host))


@pytest.mark.parametrize("phrase", ["x" * 41, "a\nb", "a\x00b"])
def test_a_phrase_that_is_none_is_refused(phrase: str) -> None:
    host = guest()
    game, _token = gathering(host)
    with pytest.raises(GapleError):
        table.set_phrase(code=game.code, user=host, phrase=phrase)
    assert game.seats.get().phrase == ""


def test_a_rematch_seats_the_same_bots_and_asks_the_same_people() -> None:
    host, other = guest("Tuan"), guest("Lain")
    game = match_of([host, other])
    for someone in (host, other):
        attendance.vote_cancel(code=game.code, user=someone)
    following = table.rematch(code=game.code, user=other)
    assert fresh(following).status == "open"
    assert [row.code for row in my_games(host).invitations] == [following.code]
    assert table.rematch(code=game.code, user=host) == following
    assert fresh(following).status == "playing"
    assert following.seats.exclude(bot_level=None).count() == 2
    with pytest.raises(NotAllowed):
        table.rematch(code=game.code, user=guest())


def test_a_rematch_keeps_the_pairs_where_seats_are_chosen() -> None:
    people = [guest(f"Tamu {n}") for n in range(4)]
    game = match_of(people, options=PRESETS["pasangan"])
    for someone in people:
        attendance.vote_cancel(code=game.code, user=someone)
    before = fresh(game).version
    for someone in reversed(people):
        following = table.rematch(code=game.code, user=someone)
    assert fresh(following).status == "playing"
    assert [seat.user for seat in following.seats.order_by("position")] == people
    # Pages of the match before are told.
    assert fresh(game).version > before
    # Whoever presses again comes to the table that has started.
    assert table.rematch(code=game.code, user=people[0]) == following


def test_a_rematch_that_was_cancelled_leaves_room_for_another() -> None:
    host, other = guest("Tuan"), guest("Lain")
    game = match_of([host, other])
    for someone in (host, other):
        attendance.vote_cancel(code=game.code, user=someone)
    first = table.rematch(code=game.code, user=host)
    table.cancel(code=first.code, user=host)
    assert table.rematch(code=game.code, user=other) != first


def test_a_rematch_against_bots_alone_starts_at_once() -> None:
    someone = guest()
    game = play_out(match_of([someone]))
    assert fresh(table.rematch(code=game.code, user=someone)).status == "playing"


def test_a_guest_who_signs_in_brings_his_seats_along() -> None:
    someone, account = guest(), person()
    game = match_of([someone, guest()])
    people.merge(someone, account)
    assert Seat.objects.filter(game=game, user=account).count() == 1
    assert fresh(game).host == account
    while mover_of(game).user != account:
        play_once(game)
    play_once(game)


def test_one_person_never_gets_two_seats_by_signing_in() -> None:
    someone, account = guest(), person()
    game = match_of([someone, account])
    before = list(Seat.objects.values())
    with pytest.raises(SeatTaken):
        people.merge(someone, account)
    assert list(Seat.objects.values()) == before
    assert User.objects.get(pk=someone.pk).is_active
    assert fresh(game).host == someone


def test_games_that_wait_are_counted_and_come_by_least_time_left() -> None:
    someone = guest()
    games = [
        match_of([someone, guest(), guest(), guest()], turn_seconds=seconds)
        for seconds in (604800, 300, 86400)
    ]
    for game in games:
        while mover_of(game).user != someone:
            play_once(game)
    slow, quick, middle = (game.code for game in games)
    assert waiting_count(someone) == 3
    assert next_waiting(someone) == quick
    assert next_waiting(someone, after=quick) == middle
    assert next_waiting(someone, after=slow) == quick
    assert [row.code for row in my_games(someone).yours] == [quick, middle, slow]


def test_the_next_round_is_dealt_with_the_end_of_the_last() -> None:
    game = match_of([guest()], options=Options(match=Match("rounds", n=2)))
    game = play_out(game, stop_after_round=1)
    first, second = game.rounds.all()
    assert first.finished_at == second.dealt_at
    assert game.to_move is not None
