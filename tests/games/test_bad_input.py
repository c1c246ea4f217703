"""Whatever is sent: a clear sentence, the right status, and nothing changed."""

from __future__ import annotations

import html
import re
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.core import mail
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.engine.options import PRESETS
from games.engine.rules import legal_actions
from games.engine.tiles import DECK
from games.errors import _ENGINE_SENTENCES, NotAllowed, NotYourTurn, SeatTaken, Stale, Unreadable
from games.forms import CLASHES, NewTableForm
from games.models import Game
from games.services import table
from tests.factories import (
    browser_of,
    first_legal,
    guest,
    match_of,
    mover_of,
    person,
    play_once,
    play_out,
    position_of,
)
from tests.games.walk import HX, Viewer, addresses, answer, buttons, superuser, undone, walk

pytestmark = pytest.mark.django_db
Text = str | Promise

LONG = "panjang " * 1250
NASTY = (
    "",
    "a\x00b",
    "a\x07b",
    "\u202eterbalik",
    "<script>alert(1)</script>",
    "😀" * 50,
    LONG,
    "-1",
    "9" * 40,
    "9" * 5000,
    "1e9",
    "\u0663",
    "{}",
)


# --- what is stored, and what is said -------------------------------------------------------------


def stored() -> dict[str, list[str]]:
    """Every row of every table."""
    models: list[type[Model]] = apps.get_models(include_auto_created=True)
    return {m._meta.label: sorted(map(_written, m._base_manager.values())) for m in models}


def _written(row: dict[str, Any]) -> str:
    plain = {k: bytes(v) if isinstance(v, memoryview) else v for k, v in row.items()}
    return repr(sorted(plain.items()))


def refused(client: Client, url: str, data: Any, status: int, sentence: Text, **how: Any) -> None:
    """Send it as a page in one language, as htmx in the other; nothing of it may be stored."""
    before, said = stored(), set()
    for language, headers in (("id", {}), ("en", HX)):
        response = client.post(url, data, headers={"Accept-Language": language} | headers, **how)
        assert response.status_code == status
        with translation.override(language):
            words = str(sentence)
        said.add(words)
        assert words in html.unescape(response.content.decode())
    assert stored() == before
    assert len(said) == 2, f"{said} is the same in both languages"


def at(game: Game, button: str) -> str:
    return reverse(f"games:{button}", args=[game.code])


# --- playing --------------------------------------------------------------------------------------


@pytest.fixture
def game() -> Game:
    """A public match of four people."""
    return match_of([person(f"Pemain {n}") for n in range(4)], public=True)


def move(game: Game, **changes: str) -> dict[str, str]:
    state = position_of(game).state
    asked = {"action": str(first_legal(game)), "token": str(uuid4())}
    asked |= {"round": str(state.number), "ply": str(state.ply)}
    return {name: value for name, value in (asked | changes).items() if value != "(missing)"}


@pytest.mark.parametrize(
    ("field", "value", "status", "sentence"),
    [
        ("action", "(missing)", 400, Unreadable.sentence),
        ("action", "", 400, Unreadable.sentence),
        ("action", "P 7-9@L", 400, Unreadable.sentence),
        ("action", "P 5-3@L", 400, _ENGINE_SENTENCES["tile"]),
        ("action", "P 1-2@X", 400, Unreadable.sentence),
        ("action", "D 1-2@L", 400, Unreadable.sentence),
        ("action", "P \u0661-\u0662@L", 400, Unreadable.sentence),
        ("action", "menyerah", 400, Unreadable.sentence),
        ("action", "a\x00b", 400, Unreadable.sentence),
        ("action", LONG, 400, Unreadable.sentence),
        ("token", "(missing)", 400, Unreadable.sentence),
        ("token", "satu", 400, Unreadable.sentence),
        ("token", LONG, 400, Unreadable.sentence),
        ("round", "(missing)", 400, Unreadable.sentence),
        ("round", "satu", 400, Unreadable.sentence),
        ("round", "9" * 5000, 400, Unreadable.sentence),
        ("round", "2", 409, Stale.sentence),
        ("round", "-1", 409, Stale.sentence),
        ("ply", "(missing)", 400, Unreadable.sentence),
        ("ply", "1.5", 400, Unreadable.sentence),
        ("ply", "0", 409, Stale.sentence),
        ("ply", "-3", 409, Stale.sentence),
        ("ply", "9" * 40, 409, Stale.sentence),
    ],
)
def test_a_move_that_cannot_be_read_or_comes_too_late(
    field: str, value: str, status: int, sentence: Text, game: Game
) -> None:
    play_once(game)
    client = browser_of(mover_of(game).user)
    refused(client, at(game, "act"), move(game, **{field: value}), status, sentence)


def test_a_tile_of_somebody_else(game: Game) -> None:
    state, client = position_of(game).state, browser_of(mover_of(game).user)
    assert state.turn is not None
    foreign = next(tile for tile in DECK if tile not in state.hands[state.turn])
    for action in (f"P {foreign}@L", f"D {foreign}"):
        sent = move(game, action=action)
        refused(client, at(game, "act"), sent, 422, _ENGINE_SENTENCES["not_held"])


def test_a_pass_or_a_discard_while_a_tile_fits(game: Game) -> None:
    while legal_actions(position_of(game).state)[0].act != "place":
        play_once(game)
    state, client = position_of(game).state, browser_of(mover_of(game).user)
    assert state.turn is not None
    sent = move(game, action="pass")
    refused(client, at(game, "act"), sent, 422, _ENGINE_SENTENCES["cannot_pass"])
    sent = move(game, action=f"D {min(state.hands[state.turn])}")
    refused(client, at(game, "act"), sent, 422, _ENGINE_SENTENCES["must_place"])


def test_a_move_out_of_turn_or_by_nobody(game: Game) -> None:
    mover = mover_of(game)
    for seat in game.seats.exclude(pk=mover.pk):
        sent = {"seat": str(mover.position), "position": str(mover.position)}
        asked = move(game) | sent
        refused(browser_of(seat.user), at(game, "act"), asked, 409, NotYourTurn.sentence)
    outsider = browser_of(person("Orang luar"))
    refused(outsider, at(game, "act"), move(game), 409, NotYourTurn.sentence)
    nobody = _("You have no seat at this table.")
    refused(Client(), at(game, "act"), move(game), 403, nobody)


def test_a_move_in_a_match_that_is_over() -> None:
    game = play_out(match_of([person("Pemain")]))
    sent = {"action": "P 0-0@L", "round": "1", "ply": str(game.ply), "token": str(uuid4())}
    refused(browser_of(game.host), at(game, "act"), sent, 409, Stale.sentence)


def test_a_move_at_a_table_that_has_not_begun() -> None:
    game, _token = table.create_table(
        host=person("Tuan"), options=PRESETS["klasik"], turn_seconds=300
    )
    sent = {"action": "P 0-0@L", "round": "1", "ply": "0", "token": str(uuid4())}
    refused(browser_of(game.host), at(game, "act"), sent, 409, Stale.sentence)


# --- phrases, names, seats ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phrase", "code"),
    [
        (LONG, "phrase_length"),
        ("😀" * 41, "phrase_length"),
        ("a\x00b", "phrase_control"),
        ("a\x07b", "phrase_control"),
        ("a\nb", "phrase_control"),
        ("a\u2028b", "phrase_control"),
    ],
)
def test_a_phrase_that_cannot_be_dealt_with(phrase: str, code: str, game: Game) -> None:
    client = browser_of(game.host)
    refused(client, at(game, "phrase"), {"phrase": phrase}, 422, _ENGINE_SENTENCES[code])


BAD_NAMES = ("<b>Tebal</b>", "\u202eterbalik", "😀", "a\x07b", "_", "a  b", "-", "A\u200bB")


@pytest.fixture
def gathering() -> Game:
    game, _token = table.create_table(
        host=person("Tuan"), options=PRESETS["pasangan"], turn_seconds=300, public=True
    )
    return game


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_name_that_is_none_seats_nobody(name: str, gathering: Game) -> None:
    sentence = _(
        "A name has letters and digits, with single spaces, dots, hyphens or apostrophes between."
    )
    refused(Client(), at(gathering, "join"), {"name": name}, 422, sentence)
    preset = {"preset": "klasik", "turn_seconds": "300", "name": name}
    refused(Client(), reverse("games:new"), preset, 422, sentence)


@pytest.mark.parametrize("name", ["a" * 1000, "a\x00b", LONG])
def test_a_name_that_is_too_long_seats_nobody(name: str, gathering: Game) -> None:
    before = stored()
    for url in (at(gathering, "join"), reverse("games:new")):
        response = Client().post(url, {"name": name, "preset": "klasik", "turn_seconds": "300"})
        assert response.status_code == 422
    assert stored() == before


@pytest.mark.parametrize("position", ["-1", "5", "9" * 40, "dua", "\x00"])
def test_a_forged_seat_seats_nobody(position: str, gathering: Game) -> None:
    before = stored()
    response = browser_of(None).post(at(gathering, "join"), {"position": position})
    assert response.status_code == 422
    assert b'role="alert"' in response.content
    assert stored() == before


def test_a_seat_that_is_taken_or_does_not_exist_is_given_to_nobody() -> None:
    host = person("Tuan")
    game, token = table.create_table(
        host=host, options=PRESETS["klasik"], turn_seconds=300, fixed_seats=True
    )
    url = reverse("games:invitation", args=[token])
    for position in ("0", "4"):
        refused(Client(), url, {"position": position}, 409, SeatTaken.sentence)
    refused(browser_of(host), at(game, "join"), {"position": "4"}, 409, SeatTaken.sentence)


def test_nobody_is_seated_twice(gathering: Game) -> None:
    client = browser_of(person("Tamu"))
    for _time in range(3):
        assert client.post(at(gathering, "join"), {"position": "2"}).status_code == 302
    assert gathering.seats.count() == 2
    new = Client()
    for _time in range(3):
        assert new.post(at(gathering, "join")).status_code == 302
    assert gathering.seats.count() == 3


def test_a_full_table_seats_nobody_and_leaves_no_guest(gathering: Game) -> None:
    for n in range(3):
        table.join(code=gathering.code, user=guest(f"Tamu {n}"))
    full = _("This table is full.")
    refused(Client(), at(gathering, "join"), {"name": "Kelima"}, 409, full)
    refused(browser_of(person("Keenam")), at(gathering, "join"), {}, 409, full)


def test_a_bad_phrase_at_the_door_leaves_no_guest(gathering: Game) -> None:
    sent = {"name": "Tamu", "phrase": "a\x07b"}
    refused(Client(), at(gathering, "join"), sent, 422, _ENGINE_SENTENCES["phrase_control"])


# --- the host's rights ----------------------------------------------------------------------------


def test_the_host_cannot_leave_and_cannot_free_what_is_not_taken(gathering: Game) -> None:
    client = browser_of(gathering.host)
    stays = _("The host cannot leave the table, but can cancel it.")
    refused(client, at(gathering, "leave"), {}, 403, stays)
    for position in ("0", "1", "4", "-1", "9" * 40):
        nobody = _("There is nobody to send away from that seat.")
        refused(client, at(gathering, "free_seat"), {"position": position}, 422, nobody)
    for position in ("", "dua", "9" * 5000):
        which = _("Which seat shall be free?")
        refused(client, at(gathering, "free_seat"), {"position": position}, 400, which)
    few = _("Some seats are still free. Invite somebody or fill in bots.")
    refused(client, at(gathering, "start"), {}, 422, few)
    unknown = _("There is no bot of that level.")
    for level in ("juara", "\x00", LONG):
        refused(client, at(gathering, "fill"), {"level": level}, 400, unknown)


def test_nobody_but_the_host_runs_the_table(gathering: Game) -> None:
    player = person("Pemain")
    table.join(code=gathering.code, user=player)
    only = _("Only the host may do that.")
    for button in ("start", "fill", "cancel", "new_link", "open_replays"):
        refused(browser_of(player), at(gathering, button), {}, 403, only)
    refused(browser_of(player), at(gathering, "free_seat"), {"position": "0"}, 403, only)
    seatless = browser_of(person("Orang luar"))
    refused(seatless, at(gathering, "leave"), {}, 403, _("You have no seat at this table."))
    refused(seatless, at(gathering, "phrase"), {"phrase": "a"}, 403, NotAllowed.sentence)


def test_what_belongs_before_the_start_is_too_late_after_it(game: Game) -> None:
    late = _("This table has started or was cancelled meanwhile.")
    client = browser_of(game.host)
    for button in ("start", "fill", "cancel", "new_link", "leave", "join"):
        refused(client, at(game, button), {}, 409, late)
    refused(client, at(game, "free_seat"), {"position": "1"}, 409, late)
    refused(client, at(game, "rematch"), {}, 409, Stale.sentence)


# --- other people's tables ------------------------------------------------------------------------


def test_another_persons_private_table_and_one_that_does_not_exist_are_alike() -> None:
    private = match_of([person(f"Pemain {n}") for n in range(2)])
    gone = Game(code=uuid4())
    client = browser_of(person("Orang luar"))
    told = set()
    for game in (private, gone):
        for url in (*buttons(game), at(game, "table"), at(game, "record")):
            before = stored()
            for response in (client.get(url), client.post(url, {"action": "pass"})):
                assert response.status_code in (404, 405)
                text = answer(response).replace(str(game.code), "…")
                told.add((response.status_code, url.rpartition(str(game.code))[2], text))
            assert stored() == before
    by_address = {(status, url) for status, url, _text in told}
    assert len(told) == len(by_address)


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_link_that_is_forged_replaced_or_too_old_opens_nothing(method: str) -> None:
    game, token = table.create_table(
        host=person("Tuan"), options=PRESETS["klasik"], turn_seconds=300
    )
    new = table.renew_invitation(code=game.code, user=game.host)
    Game.objects.filter(pk=game.pk).update(invite_expires_at=game.created_at)
    before = stored()
    for forged in (token, new, str(game.code), "a", "\x00", "%00", "ü" * 50, "a" * 3000):
        url = reverse("games:invitation", args=[forged])
        response = getattr(Client(), method)(url, {"name": "Tamu"})
        assert response.status_code == 410
        assert "<h1>" in response.content.decode()
    assert stored() == before


# --- a new table ----------------------------------------------------------------------------------

GOOD = {"preset": "klasik", "turn_seconds": "86400"}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"size": "5x5", "team_rule": "sum"}, CLASHES["team_rule"]),
        ({"preset": "berlima", "team_rule": "winner"}, CLASHES["team_rule"]),
        ({"size": "4x7", "team_rule": "both_out", "empty_by_discard": "ends"}, None),
        ({"unable": "pass", "empty_by_discard": "ends"}, CLASHES["empty_by_discard"]),
        ({"size": "4x6", "first_lead": "6-6"}, CLASHES["first_lead"]),
        ({"size": "4x6", "next_lead": "any"}, CLASHES["next_lead"]),
        ({"public": "on", "fixed_seats": "on"}, _("At an open table the seats are drawn.")),
        ({"preset": "catur"}, None),
        ({"preset": "(missing)"}, None),
        ({"turn_seconds": "(missing)"}, None),
        ({"turn_seconds": "1"}, None),
        ({"turn_seconds": "9" * 40}, None),
        ({"size": "6x6"}, None),
        ({"match_kind": "rounds", "rounds": "1"}, None),
        ({"match_kind": "rounds", "rounds": "9" * 40}, None),
        ({"match_kind": "rounds", "rounds": "-4"}, None),
        ({"match_kind": "target-7"}, None),
        ({"takeover_after": "0"}, None),
        ({"absent_level": "juara"}, None),
        ({"redeal": "7"}, None),
    ],
)
def test_rules_that_make_no_sense_make_no_table(
    changes: dict[str, str], sentence: Text | None
) -> None:
    sent = {name: value for name, value in (GOOD | changes).items() if value != "(missing)"}
    if sentence is not None:
        refused(Client(), reverse("games:new"), sent, 422, sentence)
        return
    before, form = stored(), NewTableForm(sent)
    response = browser_of(None).post(reverse("games:new"), sent)
    assert response.status_code == 422
    reasons = [str(reason) for errors in form.errors.values() for reason in errors]
    assert reasons
    text = html.unescape(response.content.decode())
    assert any(reason in text for reason in reasons)
    assert stored() == before


@pytest.mark.parametrize("name", NewTableForm.base_fields)
def test_no_value_of_any_field_breaks_the_form(name: str) -> None:
    client, before = browser_of(person("Tuan")), stored()
    for value in NASTY:
        assert client.get(reverse("games:paragraph"), GOOD | {name: value}).status_code == 200
    for value in ("a\x00b", LONG):
        with undone():
            assert client.post(reverse("games:new"), GOOD | {name: value}).status_code in (302, 422)
    assert stored() == before


# --- whatever else may arrive ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "button"),
    [
        *((field, "act") for field in ("action", "round", "ply", "token")),
        ("phrase", "phrase"),
        ("position", "free_seat"),
        ("level", "fill"),
        ("position", "join"),
        ("phrase", "join"),
    ],
)
def test_no_value_of_any_field_breaks_a_button(
    field: str, button: str, game: Game, gathering: Game
) -> None:
    here = game if button == "act" else gathering
    client = browser_of(mover_of(game).user if here is game else here.host)
    before = stored()
    for value in NASTY:
        with undone():
            response = client.post(at(here, button), move(game) | {field: value})
            assert response.status_code < 500
            if response.status_code >= 400:
                assert stored() == before


@pytest.mark.parametrize("value", NASTY)
def test_no_question_mark_breaks_a_page(value: str, game: Game) -> None:
    client = browser_of(game.host)
    asked = dict.fromkeys(("tile", "v", "ply", "after", "next", "preset", "q", "o"), value)
    pages = [f"games:{name}" for name in ("mine", "next", "open_tables", "paragraph")]
    pages += [f"accounts:{name}" for name in ("sign_in", "sign_up")]
    for page in (at(game, "table"), *map(reverse, pages)):
        assert client.get(page, asked, headers=HX).status_code in (200, 204, 302)


def test_no_question_mark_breaks_a_replay(game: Game) -> None:
    play_out(game)
    client = browser_of(game.host)
    for value in NASTY:
        url = reverse("games:replay", args=[game.code, 1])
        assert client.get(url, {"ply": value}).status_code == 200


def test_numbers_in_an_address_may_be_absurd(game: Game) -> None:
    play_out(game)
    client = browser_of(game.host)
    for number in (0, 2, 99, 10**30):
        for name in ("round", "replay", "deal"):
            url = reverse(f"games:{name}", args=[game.code, number])
            assert client.get(url).status_code == 404


def test_accounts_take_no_nonsense() -> None:
    person("Ada", email="ada@example.org")
    client, before = Client(), stored()
    for value in NASTY:
        names = ("username", "password", "password1", "password2", "email", "old_password")
        data = dict.fromkeys(names, value)
        for name in ("sign_in", "sign_up"):
            response = client.post(reverse(f"accounts:{name}"), data)
            assert response.status_code in (422, 429)
        response = client.post(reverse("accounts:password_reset"), data)
        assert response.status_code in (200, 302, 429)
        url = reverse("accounts:password_reset_confirm", args=["MQ", "a-b"])
        assert client.post(url, data).status_code in (200, 422)
    assert stored() == before
    assert mail.outbox == []


def test_settings_take_no_nonsense(game: Game) -> None:
    client = browser_of(game.host)
    url = reverse("accounts:settings")
    good = {"name": "Pemain", "language": "id", "zone": "Asia/Jakarta", "theme": "dark"}
    before = stored()
    for name in good:
        for value in NASTY if name == "name" else ("a\x00b", LONG):
            with undone():
                response = client.post(url, good | {name: value})
                assert response.status_code in (302, 422)
                if response.status_code == 422:
                    assert stored() == before


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"action=%ff%fe&round=\xff", "application/x-www-form-urlencoded"),
        (b"\xff\xfe\x00", "text/plain"),
        (b'{"action": "pass"}', "application/json"),
        (b"--x\r\nbroken", "multipart/form-data; boundary=x"),
        (b"", "multipart/form-data"),
        (b"a=1", "application/x-www-form-urlencoded; charset=utf-16"),
        (b"a=1", "application/x-www-form-urlencoded; charset=klingon"),
        (b"action=" + b"x" * 300_000, "application/x-www-form-urlencoded"),
        (b"&".join(b"f%d=1" % n for n in range(2000)), "application/x-www-form-urlencoded"),
    ],
)
def test_a_body_that_is_none_is_refused(body: bytes, kind: str, game: Game) -> None:
    client, before = browser_of(mover_of(game).user), stored()
    for url in (at(game, "act"), at(game, "phrase") + "?x=1", reverse("accounts:sign_in")):
        response = client.generic("POST", url, body, kind)
        if url.partition("?")[0] == at(game, "phrase") and response.status_code == 302:
            # Nothing in it is a phrase: the seat has none, as before.
            continue
        assert response.status_code in (400, 422)
        assert "<h1" in response.content.decode() or "role=" in response.content.decode()
    assert stored() == before


@pytest.mark.parametrize("key", ["x", "x" * 32, '"\\000' + "a" * 31 + '"', "'" * 10, "ü" * 20])
def test_a_made_up_session_is_nobodys(key: str, game: Game) -> None:
    before = stored()
    client = Client()
    client.cookies["sessionid"] = key
    for url in (at(game, "table"), reverse("games:open_tables")):
        raw = {"HTTP_COOKIE": f"sessionid={key}"}
        assert Client().get(url, **raw).status_code == 200  # type: ignore[arg-type]
    assert stored() == before


# --- methods, forged forms, and looking -----------------------------------------------------------


def test_a_button_is_no_page(game: Game) -> None:
    """Reloading what a form answered ends here, so it is a page that explains."""
    client, before = browser_of(game.host), stored()
    title = _("Nothing was sent")
    for url in (*buttons(game)[1:], reverse("games:play_now")):
        for language in ("id", "en"):
            response = client.get(url, headers={"Accept-Language": language})
            assert response.status_code == 405
            assert response["Allow"] == "POST"
            with translation.override(language):
                assert f"<h1>{title}</h1>" in response.content.decode()
    assert stored() == before


@pytest.mark.parametrize("method", ["put", "patch", "delete", "options", "trace"])
def test_other_methods_change_nothing(method: str, game: Game) -> None:
    client, before = browser_of(game.host), stored()
    for url in (*buttons(game), "/", "/games/", "/tables/new/", "/rules/", at(game, "record")):
        assert getattr(client, method)(url).status_code == 405
    assert stored() == before


def test_the_head_of_a_page_is_answered_like_the_page(game: Game) -> None:
    client = browser_of(game.host)
    play_out(game)
    pages = [
        at(game, "table"),
        at(game, "record"),
        "/games/",
        "/tables/",
        "/tables/new/",
        "/rules/",
    ]
    for url in (*pages, reverse("games:deal", args=[game.code, 1])):
        response = client.head(url)
        assert response.status_code == 200
        assert response.content == b""


def test_a_form_that_is_not_ours_is_refused_with_what_to_do(game: Game) -> None:
    client = browser_of(mover_of(game).user)
    client.handler.enforce_csrf_checks = True
    sentence = _("Your session changed in another tab. Reload this page and try again.")
    for url in (*buttons(game), "/play-now/", "/tables/new/", "/sign-in/", "/sign-up/"):
        refused(client, url, move(game), 403, sentence)


@pytest.mark.parametrize("who", ["host", "anonymous", "superuser"])
def test_looking_changes_nothing(who: str) -> None:
    people = [person(f"Pemain {n}") for n in range(2)]
    game = play_out(match_of(people, options=PRESETS["lewat"]), stop_after_round=1)
    gathering, _token = table.create_table(
        host=people[0], options=PRESETS["klasik"], turn_seconds=300
    )
    user = {"host": people[0], "anonymous": None, "superuser": superuser()}[who]
    viewer, before = Viewer(who, user), stored()
    urls = addresses(game) + [url for url in addresses(gathering) if url[:3] in ("/t/", "/i/")]
    walk(viewer, {url: None for url in urls if "?" not in url or "/t/" in url})
    assert stored() == before


def test_a_mailed_link_may_be_looked_at_any_number_of_times() -> None:
    """Only the session of the browser that looks remembers it."""
    user = person("Ada", email="ada@example.org")
    Client().post(reverse("accounts:password_reset"), {"email": user.email})
    (path,) = re.findall(r"/reset/\S+", str(mail.outbox[0].body))
    before = stored()
    for _time in range(3):
        answer = Client().get(path, follow=True)
        assert "new_password1" in answer.content.decode()
    after = stored()
    del before["sessions.Session"], after["sessions.Session"]
    assert after == before
