"""Guests, accounts, and how the one becomes the other, over HTTP."""

from __future__ import annotations

import re
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from accounts import throttle
from accounts.models import User
from games.models import Game, Seat
from games.services import attendance
from tests.factories import match_of, person, play_until_person

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "sangat-rahasia-42"


def play_now(client: Client) -> Game:
    response = client.post(reverse("games:play_now"))
    assert response.status_code == 302
    return Game.objects.latest("pk")


def sign_up(client: Client, name: str = "Budi", **changes: str) -> object:
    data = {"username": name, "email": "budi@example.org", "password1": PASSWORD}
    return client.post(reverse("accounts:sign_up"), data | {"password2": PASSWORD} | changes)


def signed_in(client: Client) -> User | None:
    pk = client.session.get("_auth_user_id")
    return User.objects.get(pk=pk) if pk else None


@pytest.mark.parametrize("name", ["Sekar Ayu", "Ida B. Putu", "O’Brien", "அருண்", "สมชาย", "R2-D2"])
def test_names_of_many_kinds_are_names(client: Client, name: str) -> None:
    assert sign_up(client, name).status_code == 302  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["a" * 45 + "!", "a  b", "-a", "a\u202eb", "a\x00b", "<i>"])
def test_what_is_no_name_is_refused(client: Client, name: str) -> None:
    response = client.get(reverse("games:paragraph"), {"name": name, "preset": "klasik"})
    assert response.status_code == 200
    assert sign_up(client, name).status_code == 422  # type: ignore[attr-defined]
    assert not User.objects.exists()


def test_a_name_may_have_two_words(client: Client) -> None:
    assert sign_up(client, "Sekar Ayu").status_code == 302  # type: ignore[attr-defined]
    assert User.objects.get().name == "Sekar Ayu"


def test_times_are_shown_in_the_zone_of_the_settings(client: Client) -> None:
    account = person("Budi", zone="Asia/Jayapura")
    client.force_login(account)
    client.post(reverse("games:play_now"))
    game = Game.objects.latest("pk")
    while game.deadline_at is None:
        game = play_until_person(game)
    page = client.get(game.get_absolute_url()).content.decode()
    local = game.deadline_at.astimezone(ZoneInfo("Asia/Jayapura"))
    assert f"{local:%H.%M}" in page
    assert "WIT" in page


def test_one_tap_makes_a_guest_who_keeps_his_seat(client: Client) -> None:
    game = play_now(client)
    guest = signed_in(client)
    assert guest is not None
    assert guest.is_guest
    assert guest.name
    assert Seat.objects.get(game=game, user__isnull=False).user == guest
    assert client.get(game.get_absolute_url()).status_code == 200


def test_a_guest_who_signs_up_keeps_seats_and_history(client: Client) -> None:
    game = play_now(client)
    guest, key = signed_in(client), client.session.session_key
    sign_up(client)
    account = signed_in(client)
    assert account == guest
    assert account is not None
    assert (account.is_guest, account.username, account.email) == (
        False,
        "Budi",
        "budi@example.org",
    )
    assert game.seats.filter(user=account).exists()
    # The session is rotated, so that a copied cookie does not become an account.
    assert client.session.session_key != key


def test_claiming_ends_the_other_sessions_of_the_guest(client: Client) -> None:
    play_now(client)
    thief = Client()
    thief.cookies["sessionid"] = client.cookies["sessionid"].value
    assert thief.get(reverse("games:mine")).status_code == 200
    sign_up(client)
    assert thief.get(reverse("games:mine")).status_code == 302
    assert client.get(reverse("games:mine")).status_code == 200


def test_a_stranger_signs_up_signs_out_and_signs_in_again(client: Client) -> None:
    sign_up(client)
    assert signed_in(client) is not None
    client.post(reverse("accounts:sign_out"))
    assert signed_in(client) is None
    data = {"username": "Budi", "password": PASSWORD}
    client.post(reverse("accounts:sign_in"), data)
    assert signed_in(client) == User.objects.get(username="Budi")


@pytest.mark.parametrize("name", ["budi", "BUDI", "guest-1234", "x" * 25, "<b>Budi</b>", " ", ""])
def test_a_name_that_is_taken_or_none_is_refused_with_a_sentence(client: Client, name: str) -> None:
    person("Budi")
    before = User.objects.count()
    response = sign_up(client, name)
    assert response.status_code == 422  # type: ignore[attr-defined]
    assert b"errorlist" in response.content or b"problem" in response.content  # type: ignore[attr-defined]
    assert User.objects.count() == before


def test_signing_in_takes_a_guests_seat_along(client: Client) -> None:
    account = person("Budi")
    game = play_now(client)
    client.post(reverse("accounts:sign_in"), {"username": "Budi", "password": "rahasia-7"})
    assert signed_in(client) == account
    assert game.seats.filter(user=account).exists()


def test_signing_in_is_refused_where_it_would_give_two_seats(client: Client) -> None:
    account = person("Budi")
    play_now(client)
    guest = signed_in(client)
    assert guest is not None
    match_of([guest, account])
    data = {"username": "Budi", "password": "rahasia-7"}
    response = client.post(reverse("accounts:sign_in"), data)
    assert response.status_code == 422
    assert signed_in(client) == guest
    assert "hanya punya satu kursi" in response.content.decode()


def test_a_guest_and_his_account_may_have_shared_a_match_that_is_over(client: Client) -> None:
    account = person("Budi")
    play_now(client)
    guest = signed_in(client)
    assert guest is not None
    shared = match_of([guest, account])
    for someone in (guest, account):
        attendance.vote_cancel(code=shared.code, user=someone)
    client.post(reverse("accounts:sign_in"), {"username": "Budi", "password": "rahasia-7"})
    assert signed_in(client) == account
    assert set(shared.seats.exclude(user=None).values_list("user", flat=True)) == {
        guest.pk,
        account.pk,
    }


def test_a_form_sent_twice_by_a_stranger_makes_one_guest_and_one_match() -> None:
    once = {"token": str(uuid4())}
    for _ in range(2):
        assert Client().post(reverse("games:play_now"), once).status_code == 302
    assert User.objects.count() == 1
    assert Game.objects.count() == 1


def test_capitals_do_not_matter_when_signing_in(client: Client) -> None:
    account = person("Budi")
    client.post(reverse("accounts:sign_in"), {"username": "bUDI", "password": "rahasia-7"})
    assert signed_in(client) == account


def test_a_new_address_for_mails_asks_for_the_password(client: Client) -> None:
    account = person("Budi", email="alt@example.org")
    client.force_login(account)
    data = {"name": "Budi", "zone": "Asia/Jakarta", "theme": "light", "email": "neu@example.org"}
    assert client.post(reverse("accounts:settings"), data).status_code == 422
    account.refresh_from_db()
    assert account.email == "alt@example.org"
    client.post(reverse("accounts:settings"), data | {"password": "rahasia-7"})
    account.refresh_from_db()
    assert account.email == "neu@example.org"


def test_guessing_passwords_is_slowed_down(client: Client) -> None:
    person("Budi")
    wrong = {"username": "Budi", "password": "salah"}
    statuses = [client.post(reverse("accounts:sign_in"), wrong).status_code for _ in range(21)]
    assert statuses == [422] * 20 + [429]
    # From another address the person himself still comes in.
    elsewhere = Client(REMOTE_ADDR="10.1.1.1")
    right = {"username": "Budi", "password": "rahasia-7"}
    assert elsewhere.post(reverse("accounts:sign_in"), right).status_code == 302


def test_making_guests_is_slowed_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttle, "GUESTS", throttle.GUESTS._replace(rate="3/h"))
    for _ in range(3):
        play_now(Client())
    before = User.objects.count()
    response = Client().post(reverse("games:play_now"), follow=True)
    assert User.objects.count() == before
    assert b"messages" in response.content


def test_looking_at_pages_makes_no_guest(client: Client) -> None:
    for name in ("games:front", "games:open_tables", "games:rules", "games:new"):
        assert client.get(reverse(name)).status_code == 200
    assert not User.objects.exists()
    assert "sessionid" not in client.cookies


def test_a_forgotten_password_is_set_anew_by_mail(client: Client) -> None:
    account = person("Budi", email="budi@example.org")
    elsewhere = Client()
    elsewhere.force_login(account)
    client.post(reverse("accounts:password_reset"), {"email": "budi@example.org"})
    (message,) = mail.outbox
    link = re.search(r"http://\S+?(/reset/\S+)", str(message.body))
    assert link is not None
    page = client.get(link[1], follow=True)
    assert page.status_code == 200
    # Looking changes nothing: the link still opens the page.
    assert client.get(link[1], follow=True).status_code == 200
    new = {"new_password1": PASSWORD, "new_password2": PASSWORD}
    client.post(page.request["PATH_INFO"], new)
    account.refresh_from_db()
    assert account.check_password(PASSWORD)
    assert elsewhere.get(reverse("games:mine")).status_code == 302
    # A link works once.
    assert b"new_password1" not in client.get(link[1], follow=True).content


def test_asking_for_a_mail_does_not_tell_who_has_an_account(client: Client) -> None:
    person("Budi", email="budi@example.org")
    answers = [
        client.post(reverse("accounts:password_reset"), {"email": address})
        for address in ("budi@example.org", "nobody@example.org")
    ]
    assert answers[0].status_code == answers[1].status_code == 302
    assert answers[0]["Location"] == answers[1]["Location"]


def test_a_new_password_ends_all_other_sessions(client: Client) -> None:
    account = person("Budi")
    elsewhere = Client()
    for browser in (client, elsewhere):
        browser.force_login(account)
    data = {"old_password": "rahasia-7", "new_password1": PASSWORD, "new_password2": PASSWORD}
    client.post(reverse("accounts:password_change"), data)
    assert client.get(reverse("games:mine")).status_code == 200
    assert elsewhere.get(reverse("games:mine")).status_code == 302


def test_settings_are_kept_and_the_language_follows(client: Client) -> None:
    client.force_login(person("Budi"))
    data = {"name": "Budi B", "language": "en", "zone": "Asia/Makassar", "theme": "dark"}
    client.post(reverse("accounts:settings"), data | {"email": ""})
    account = User.objects.get(username="Budi")
    assert (account.name, account.zone, account.theme) == ("Budi B", "Asia/Makassar", "dark")
    assert not account.confirm_moves
    page = client.get(reverse("accounts:settings")).content.decode()
    assert '<html lang="en"' in page
    assert 'data-theme="dark"' in page


@pytest.mark.parametrize(
    ("field", "value"), [("zone", "Mars/Olympus"), ("name", "<i>"), ("theme", "pink")]
)
def test_settings_that_are_none_are_refused(client: Client, field: str, value: str) -> None:
    client.force_login(person("Budi"))
    data = {"name": "Budi", "zone": "Asia/Jakarta", "theme": "light", field: value}
    response = client.post(reverse("accounts:settings"), data)
    assert response.status_code == 422
    assert User.objects.get(username="Budi").theme == "system"


def test_signing_in_leads_only_to_pages_of_this_site(client: Client) -> None:
    person("Budi")
    data = {"username": "Budi", "password": "rahasia-7", "next": "https://evil.example/"}
    response = client.post(reverse("accounts:sign_in"), data)
    assert response["Location"] == "/"


def test_a_banned_person_is_out_at_once(client: Client) -> None:
    account = person("Budi")
    client.force_login(account)
    account.is_active = False
    account.save()
    assert client.get(reverse("games:mine")).status_code == 302
