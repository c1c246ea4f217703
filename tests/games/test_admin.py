"""The admin shows matches, changes nothing of them, and answers no guess about what is hidden."""

from __future__ import annotations

import html
import re

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.options import ModelAdmin
from django.contrib.auth.models import Group
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from games.admin import HIDDEN, ReadOnlyAdmin
from games.engine.actions import DISCARD
from games.engine.options import Match, Options
from games.models import Game, Heartbeat, Outage
from tests.factories import match_of, person, play_once, play_out, position_of
from tests.games.walk import GUESSES, Viewer, moderator, staff, superuser

pytestmark = pytest.mark.django_db
OURS = [*apps.get_app_config("games").get_models(), *apps.get_app_config("accounts").get_models()]
OF_GAMES = list(apps.get_app_config("games").get_models())


@pytest.fixture
def game() -> Game:
    """A match in its second round or a later one, with dead tiles; the house was closed once."""
    people = [person(f"Pemain {n}") for n in range(4)]
    game = match_of(people, options=Options(match=Match("rounds", n=20)))
    while not (game.round_number > 1 and any(position_of(game).state.dead)):
        play_once(game)
        game.refresh_from_db()
        assert game.finished_at is None
    now = timezone.now()
    Heartbeat.objects.create(beat_at=now)
    Outage.objects.create(began_at=game.created_at, ended_at=now)
    return game


@pytest.fixture
def boss() -> Client:
    return Viewer("superuser", superuser()).client


def admin_of(model: type) -> ModelAdmin:
    return admin.site._registry[model]


def list_of(model: type) -> str:
    options = admin_of(model).opts
    return reverse(f"admin:{options.app_label}_{options.model_name}_changelist")


def page_of(row: object, page: str = "change") -> str:
    options = admin_of(type(row)).opts
    return reverse(f"admin:{options.app_label}_{options.model_name}_{page}", args=[row.pk])  # type: ignore[attr-defined]


def test_every_model_is_registered() -> None:
    assert {model for model in OURS if model not in admin.site._registry} == set()


@pytest.mark.parametrize("model", OF_GAMES)
def test_nobody_adds_changes_or_deletes_a_row_of_a_match(
    model: type, game: Game, boss: Client
) -> None:
    row = model._default_manager.first()  # type: ignore[attr-defined]
    assert row is not None
    stored = list(model._default_manager.values())  # type: ignore[attr-defined]
    request = RequestFactory().get("/admin/")
    request.user = superuser("Kepala kedua")
    its = admin_of(model)
    assert not its.has_add_permission(request)
    assert not its.has_change_permission(request, row)
    assert not its.has_delete_permission(request, row)
    assert its.get_actions(request) == {}
    options = its.opts
    name = f"admin:{options.app_label}_{options.model_name}"
    assert boss.get(reverse(f"{name}_add")).status_code == 403
    chosen = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
    boss.post(list_of(model), chosen)
    for url in (reverse(f"{name}_add"), page_of(row), page_of(row, "delete")):
        assert boss.post(url, {"post": "yes", "public": "on", "tile": "0-0"}).status_code == 403
    assert list(model._default_manager.values()) == stored  # type: ignore[attr-defined]


@pytest.mark.parametrize("model", [*OURS, Group])
def test_every_list_and_every_row_of_it_is_shown(model: type, game: Game, boss: Client) -> None:
    Group.objects.create(name="Penjaga")
    response = boss.get(list_of(model))
    assert response.status_code == 200
    rows = list(model._default_manager.all()[:40])  # type: ignore[attr-defined]
    assert rows
    for row in (rows[0], rows[-1]):
        for page in ("change", "history"):
            answer = boss.get(page_of(row, page))
            assert answer.status_code == 200
            assert b'type="submit"' not in re.sub(
                rb"<form id=\"logout.*?</form>", b"", answer.content, flags=re.DOTALL
            ) or not isinstance(admin_of(model), ReadOnlyAdmin)


@pytest.mark.parametrize("model", [model for model in OURS if admin_of(model).search_fields])
def test_a_search_finds_what_it_names_and_nothing_else(
    model: type, game: Game, boss: Client
) -> None:
    word = str(game.code) if model in OF_GAMES else game.host.username
    found = boss.get(list_of(model), {"q": word}).context["cl"].result_count
    assert found >= 1
    for nothing in ("tak ada", "0-1", bytes(game.next_seed).hex()[:8]):
        assert boss.get(list_of(model), {"q": nothing}).context["cl"].result_count == 0
    for garbled in ("\x00", "'", "%", "a" * 3000):
        assert boss.get(list_of(model), {"q": garbled}).status_code == 200


def test_no_list_answers_a_guess_about_a_hidden_column(game: Game, boss: Client) -> None:
    for route, guesses in GUESSES.items():
        for guess in guesses:
            assert boss.get(f"/{route}?{guess}").status_code == 400, f"{route}?{guess}"


def test_no_column_can_be_asked_for_unless_it_is_shown(game: Game, boss: Client) -> None:
    for model in OF_GAMES:
        its = admin_of(model)
        assert isinstance(its, ReadOnlyAdmin)
        shown = {*its.shown, *its.list_display, "id"}
        columns = {field.name for field in its.opts.get_fields() if field.concrete}
        for column in columns - shown:
            for lookup in ("", "__startswith", "__isnull"):
                asked = {f"{column}{lookup}": "1"}
                assert boss.get(list_of(model), asked).status_code == 400, asked


def test_allowed_filters_work(game: Game, boss: Client) -> None:
    ledger = list_of(game.moves.model)
    dead = boss.get(ledger, {"act__exact": DISCARD}).context["cl"].result_count
    assert dead == game.moves.filter(act=DISCARD).count() > 0
    of_this_game = boss.get(ledger, {"game__id__exact": game.pk}).context["cl"].result_count
    assert of_this_game == game.moves.count()


def test_what_is_hidden_while_a_round_runs_is_open_when_it_has_ended(
    game: Game, boss: Client
) -> None:
    ended, running = game.rounds.order_by("-number")[:2][::-1]
    hidden = str(HIDDEN)
    for row, is_open in ((ended, True), (running, False)):
        text = html.unescape(boss.get(page_of(row)).content.decode())
        assert (bytes(row.seed).hex() in text) == is_open
        assert (str(row.hands) in text) == is_open
        assert (hidden in text) != is_open
    dead = game.moves.filter(round=running, act=DISCARD)[0]
    text = html.unescape(boss.get(page_of(dead)).content.decode())
    assert hidden in text
    play_out(game, stop_after_round=running.number)
    text = html.unescape(boss.get(page_of(dead)).content.decode())
    assert hidden not in text
    assert str(dead.tile) in text


def test_nobody_without_the_right_sees_a_list(game: Game) -> None:
    nobody = [Viewer("player", game.host), Viewer("anonymous"), Viewer("staff", staff("Pegawai"))]
    for viewer in nobody:
        for model in OURS:
            assert viewer.client.get(list_of(model)).status_code in (302, 403)
    looking = Viewer("moderator", moderator())
    assert {looking.client.get(list_of(model)).status_code for model in OURS} == {200}
    assert looking.client.get(list_of(Group)).status_code == 403


def test_people_are_never_deleted(game: Game, boss: Client) -> None:
    assert boss.post(page_of(game.host, "delete"), {"post": "yes"}).status_code == 403
    game.host.refresh_from_db()
