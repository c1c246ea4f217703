"""Nobody finds a tile, a seed, a phrase or a link that he may not know (R7, R18, invariant 6).

Two nets: every answer is searched for what its viewer must not know, in every form in which the
site writes or draws it; and the match is replaced by another one that looks the same to him, after
which every answer has to be the same to the last byte.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from celery import current_app
from django.core import mail
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils.log import AdminEmailHandler

from accounts.models import User
from games import live
from games.admin import MoveAdmin
from games.engine import visibility
from games.engine.actions import DISCARD
from games.engine.options import PRESETS, Match, Options
from games.engine.rules import legal_actions
from games.engine.state import RoundState
from games.engine.tiles import DECK
from games.engine.visibility import SeatView
from games.models import Game, Move
from games.selectors import tables
from games.services import attendance, bots, play, sweeps, table
from games.templatetags.gaple import backs
from tests.factories import fresh, guest, match_of, person, play_once, position_of
from tests.games import walk as walking
from tests.games.walk import (
    HX,
    Viewer,
    addresses,
    answer,
    deal_known_tiles,
    disguise,
    moderator,
    press_everything,
    secrets_of,
    sprite_of,
    superuser,
    tiles_in,
    undone,
    walk,
    without_rules,
)

pytestmark = pytest.mark.django_db

# Pages that name tiles of no running round: examples of the rules, and rounds that have ended. The
# first net leaves their tiles alone; the second one has no exceptions.
OPEN_TILES = re.compile(
    r"^/$|^/rules/|^/tables/new/|/round/1/|record\.json|^/admin/games/(round|move|discard)/"
)


def a_match(
    *, preset: str = "klasik", rounds: int = 1, public: bool = False, people: int = 4
) -> Game:
    options = PRESETS[preset]
    if rounds > 1:
        options = replace(options, match=Match("rounds", n=rounds))
    return match_of([person(f"Pemain {n}") for n in range(people)], options=options, public=public)


SEATED = ("seat 0", "seat 1", "seat 2", "seat 3")
OUTSIDERS: dict[str, Callable[[], User | None]] = {
    "anonymous": lambda: None,
    "stranger": lambda: person("Orang luar"),
    "guest": lambda: guest("Tamu lewat"),
    "moderator": moderator,
    "superuser": superuser,
}


def viewer_of(game: Game, name: str) -> Viewer:
    """Somebody at the table, or one of each kind of people who are not."""
    if name in SEATED:
        return Viewer(name, game.seats.get(position=int(name[-1])).user)
    return Viewer(name, OUTSIDERS[name]())


def leaks(game: Game, viewer: Viewer, answers: dict[str, str]) -> dict[str, set[str]]:
    """By address, what the viewer found there and must not know."""
    secrets = secrets_of(game, viewer.user)
    found = {}
    for url, text in answers.items():
        # What he asked for himself may be repeated to him.
        for tile in tiles_in(url):
            text = text.replace(str(tile), "")
        ended = game.round_number > 1 or not url.startswith("/admin/")
        sought = secrets.without_tiles() if ended and OPEN_TILES.search(url) else secrets
        if some := sought.found_in(without_rules(game, text)):
            found[url] = some
    return found


def act(game: Game, rng: Random) -> None:
    """Whoever is to move does something, a person or a bot."""
    if fresh(game).bot_due_at is not None:
        bots.play_bots(game.code)
    else:
        play_once(game, rng.choice(legal_actions(position_of(game).state)))


def played_until(game: Game, enough: Callable[[RoundState], bool], seed: int) -> Game:
    rng = Random(seed)
    while not enough(position_of(game).state):
        act(game, rng)
        assert fresh(game).finished_at is None
    return fresh(game)


def some_dead(state: RoundState) -> bool:
    """Late in a round, with dead tiles of more than one seat."""
    return sum(map(bool, state.dead)) > 1


def late_in_a_match(monkeypatch: pytest.MonkeyPatch) -> Game:
    """A private match in pairs, in its second round; dead tiles, and phrases for the next deal."""
    deal_known_tiles(monkeypatch, 20)
    game = a_match(preset="pasangan", rounds=3)
    game = played_until(game, lambda state: state.number == 2 and some_dead(state), seed=4)
    for seat in game.seats.all():
        assert seat.user is not None
        table.set_phrase(code=game.code, user=seat.user, phrase=f"kata rahasia {seat.position}")
    return fresh(game)


def late_in_a_round(monkeypatch: pytest.MonkeyPatch) -> Game:
    """A match of one round, with dead tiles."""
    deal_known_tiles(monkeypatch, 1)
    return played_until(a_match(), some_dead, seed=1)


# --- the first net --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "public", "people", "number"),
    [
        ("klasik", False, 4, 1),
        ("klasik-7", True, 2, 2),
        ("pasangan", True, 4, 3),
        ("berlima", False, 3, 4),
    ],
)
def test_after_every_action_of_a_whole_match_nobody_sees_a_hidden_tile(
    preset: str,
    public: bool,
    people: int,
    number: int,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    deal_known_tiles(monkeypatch, number)
    game = a_match(preset=preset, public=public, people=people)
    seated = [Viewer(str(seat), seat.user) for seat in game.seats.exclude(user=None)]
    others = [viewer_of(game, name) for name in OUTSIDERS]
    page = reverse("games:table", args=[game.code])
    rng, dead = Random(number), 0
    while game.finished_at is None:
        dead = max(dead, Move.objects.filter(act=DISCARD).count())
        # Two of those who sit there and one of the others, each in turn.
        turn = [seated[(game.ply + n) % len(seated)] for n in range(2)]
        for viewer in [*turn, others[game.ply % len(others)]]:
            headers = HX if game.ply % 4 else {}
            answers = {page: answer(viewer.client.get(page, headers=headers))}
            answers |= {"stream": stream_of(game), "log": caplog.text}
            assert leaks(game, viewer, answers) == {}
        caplog.clear()
        act(game, rng)
        game = fresh(game)
    assert dead > 0


def stream_of(game: Game) -> str:
    """What the event stream sends of the match as it stands now."""
    text = live.Stream(live._read_versions([game.code])).take().decode()
    told = json.loads(text.partition("data: ")[2])
    assert told == {"code": str(game.code), "version": game.version}
    return text


@pytest.mark.parametrize("who", ["seat 0", "seat 1", "anonymous", "superuser"])
def test_no_button_tells_anybody_anything(
    who: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    game = late_in_a_match(monkeypatch)
    Game.objects.filter(pk=game.pk).update(public=True)
    viewer = viewer_of(game, who)
    for after, url, text in press_everything(viewer, game):
        assert leaks(after, viewer, {url: text, "log": caplog.text}) == {}
        caplog.clear()


@pytest.mark.parametrize("who", ["moderator", "superuser"])
def test_no_page_of_the_admin_shows_a_tile_while_the_round_runs(
    who: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = late_in_a_round(monkeypatch)
    viewer = viewer_of(game, who)
    urls = [url for url in addresses(game) if url.startswith("/admin/") and "?" not in url]
    answers = walk(viewer, urls)
    assert leaks(game, viewer, answers) == {}
    # He has seen the pages, not their refusal, and what lies on the table stands there.
    (discard,) = game.moves.filter(act=DISCARD)[:1]
    assert answers[f"/admin/games/discard/{discard.pk}/change/"].startswith("200")
    assert tiles_in(answers["/admin/games/move/"]) >= {position_of(game).state.line[1].tile}


@pytest.mark.parametrize("who", ["seat 0", "seat 1", "anonymous", "superuser"])
def test_a_gathering_table_tells_its_link_to_its_host_alone_and_no_phrase_at_all(who: str) -> None:
    options = Options(match=Match("rounds", n=2))
    game, token = table.create_table(host=person("Tuan"), options=options, turn_seconds=3600)
    for name in ("Ani", "Budi"):
        table.join(code=game.code, user=person(name), token=token, phrase=f"kata {name}")
    game = fresh(game)
    viewer = viewer_of(game, who)
    # Whoever asks for the link's own address has it already.
    answers = walk(viewer, [url for url in addresses(game) if token not in url])
    assert leaks(game, viewer, answers) == {}
    assert any(token in text for text in answers.values()) == (who == "seat 0")


def test_no_mail_tells_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    game = late_in_a_match(monkeypatch)
    User.objects.filter(seats__game=game).update(email="pemain@example.org")
    Client().post(reverse("accounts:password_reset"), {"email": "pemain@example.org"})
    assert len(mail.outbox) == 4
    mails = {str(n): str(sent.message().as_string()) for n, sent in enumerate(mail.outbox)}
    assert leaks(game, Viewer("reader of mails"), mails) == {}


# --- logs and reports -----------------------------------------------------------------------------


def test_an_error_in_the_middle_of_a_match_reports_no_tile(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, settings: Any
) -> None:
    """Neither the log nor the mail to the admins, whatever was posted and wherever it broke."""
    caplog.set_level(logging.DEBUG)
    settings.ADMINS = [("Kepala", "kepala@example.org")]
    game = late_in_a_match(monkeypatch)
    mover = position_of(game).mover
    viewer = Viewer("mover", mover.user, Client(raise_request_exception=False))
    reports = AdminEmailHandler()
    logging.getLogger("django.request").addHandler(reports)
    try:
        with undone():
            monkeypatch.setattr(play, "take_turn", broken)
            url = reverse("games:act", args=[game.code])
            data = {"action": str(legal_actions(position_of(game).state)[0])}
            data |= {"round": str(game.round_number), "ply": str(game.ply)}
            data |= {"token": "0f9a4c1e-1111-4222-8333-944445555666"}
            assert viewer.client.post(url, data).status_code == 500
            monkeypatch.setattr(tables, "seat_view", broken)
            assert viewer.client.get(reverse("games:table", args=[game.code])).status_code == 500
            phrase = {"phrase": "kata rahasia 7"}
            monkeypatch.setattr(table, "set_phrase", broken)
            asked = viewer.client.post(reverse("games:phrase", args=[game.code]), phrase)
            assert asked.status_code == 500
    finally:
        logging.getLogger("django.request").removeHandler(reports)
    assert len(mail.outbox) == 3
    told = {str(n): str(sent.body) for n, sent in enumerate(mail.outbox)} | {"log": caplog.text}
    told = {name: text.replace("wsgi.version = '(1, 0)'", "") for name, text in told.items()}
    assert all("Traceback" in text for text in told.values())
    assert leaks(game, Viewer("operator"), told) == {}
    assert not any("kata rahasia" in text for text in told.values())


def broken(*args: object, **kwargs: object) -> None:
    raise RuntimeError("It broke.")


def test_tasks_carry_the_code_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[object, ...]] = []
    monkeypatch.setattr(transaction, "on_commit", lambda job, **_: job())
    monkeypatch.setattr(
        current_app, "send_task", lambda name, args, **_: sent.append((name, *args))
    )
    game = a_match(people=2)
    rng = Random(1)
    while fresh(game).finished_at is None:
        act(game, rng)
    assert set(sent) == {("games.tasks.play_bots", str(game.code))}


def test_a_sweep_that_finds_nothing_or_something_logs_no_tile(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    game = late_in_a_match(monkeypatch)
    Game.objects.filter(pk=game.pk).update(deadline_at=game.created_at)
    sweeps.sweep()
    monkeypatch.setattr(sweeps, "enforce_deadline", broken)
    Game.objects.filter(pk=game.pk).update(deadline_at=game.created_at)
    sweeps.sweep()
    assert "put off" in caplog.text
    assert leaks(fresh(game), Viewer("operator"), {"log": caplog.text}) == {}


# --- both nets ------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["seat 0", "seat 1", "left", "anonymous", "stranger", "superuser"])
def test_no_address_tells_anything_and_another_deal_gives_the_same_answers(
    who: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    game = late_in_a_match(monkeypatch)
    if who == "left":
        viewer = viewer_of(game, "seat 3")
        assert viewer.user is not None
        attendance.leave_match(code=game.code, user=viewer.user)
    else:
        viewer = viewer_of(game, who)
    Game.objects.filter(pk=game.pk).update(public=who == "anonymous")
    game = fresh(game)
    urls = addresses(game)
    caplog.clear()
    before, logged = walk(viewer, urls), caplog.text
    caplog.clear()
    assert leaks(game, viewer, before | {"log": logged}) == {}
    with undone():
        assert disguise(game, viewer.user, Random(5)) > 5
        after = walk(viewer, urls)
    assert [url for url in before if before[url] != after[url]] == []
    assert caplog.text == logged


# --- what is the same for everybody ---------------------------------------------------------------


def test_the_drawings_of_the_tiles_are_the_same_on_every_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = late_in_a_match(monkeypatch)
    urls = [reverse("games:table", args=[game.code]), "/tables/", "/games/", "/rules/"]
    viewers = [viewer_of(game, name) for name in ("seat 0", "seat 1", "anonymous")]
    sprites = [
        tuple(sprite_of(text))
        for viewer in viewers
        for url, text in walk(viewer, urls).items()
        if text.startswith("200") and not url.endswith("(part)")
    ]
    assert len(sprites) > 7
    assert len(set(sprites)) == 1
    assert all(len(found) == 1 for found in sprites)


def test_a_tile_face_down_is_drawn_alike_whatever_it_is() -> None:
    assert tiles_in(backs(7)) == set()
    one = backs(1).partition("<use")[2]
    for n in range(1, 8):
        drawn = backs(n).split("<use")[1:]
        assert [use.partition(" x=")[0] for use in drawn] == [one.partition(" x=")[0]] * n


# --- the nets hold --------------------------------------------------------------------------------


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> Game:
    return late_in_a_match(monkeypatch)


def test_the_first_net_knows_every_tile_in_every_form() -> None:
    for tile in DECK:
        for a, b in ((tile.low, tile.high), (tile.high, tile.low)):
            forms = (
                f"{a}-{b}",
                f"held-{a}-{b}",
                f"P {a}-{b}@L",
                f"({a}, {b})",
                f"[{a}, {b}]",
                f"[{a}|{b}]",
                f"Tile(low={a}, high={b})",
                f"&quot;{a}-{b}&quot;",
                f'<use href="#h{a}"/><use href="#h{b}" x="20"/>',
                f'<g id="wide-{a}{b}u" class="laid">',
            )
            secrets = walking.Secrets(frozenset({tile}), frozenset())
            for form in forms:
                assert secrets.found_in(form) == {str(tile)}, form


def test_the_first_net_takes_no_other_numbers_for_tiles() -> None:
    others = (
        "2026-11-30 10:05:58",
        "5-10",
        "26f1a3-5bcd 21636369-8b52-4b4a-9597-50923ceb3ffd",
        'viewBox="-10 -10 20 20" x="3" y="5"',
        "v1.3-5",
    )
    for text in others[:4]:
        assert tiles_in(text) == set(), text


def leaky_seat_view(real: Callable[[RoundState, int | None], SeatView], field: str) -> Any:
    """seat_view with one field as it must not be."""

    def leaky(state: RoundState, viewer: int | None) -> SeatView:
        view = real(state, viewer)
        if field == "log":
            return replace(view, log=state.log)
        other = state.turn if viewer is None else (viewer + 1) % len(state.hands)
        assert other is not None
        wrong: dict[str, Any] = {
            "hand": tuple(sorted(state.hands[other])),
            "own_dead": next(dead for n, dead in enumerate(state.dead) if dead and n != viewer),
            "legal": legal_actions(state),
        }
        return replace(view, **{field: wrong[field]})

    return leaky


@pytest.mark.parametrize(
    ("field", "who"),
    [("hand", "anonymous"), ("hand", "seat 1"), ("log", "superuser"), ("own_dead", "seat 1")],
)
def test_a_leak_in_one_field_of_the_view_is_caught_by_both_nets(
    field: str, who: str, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    Game.objects.filter(pk=game.pk).update(public=True)
    viewer = viewer_of(game, who)
    leaky = leaky_seat_view(visibility.seat_view, field)
    page = [reverse("games:table", args=[game.code])]
    assert leaks(game, viewer, walk(viewer, page)) == {}
    monkeypatch.setattr(tables, "seat_view", leaky)
    assert_caught(game, viewer, page)


def test_a_leak_in_one_column_of_the_admin_is_caught_by_both_nets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = late_in_a_round(monkeypatch)
    viewer = Viewer("superuser", superuser())
    monkeypatch.setattr(MoveAdmin, "shown_tile", lambda self, obj: obj.tile or "")
    assert_caught(game, viewer, ["/admin/games/discard/"])


def test_a_list_sorted_by_a_hidden_column_is_caught_by_the_second_net(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    viewer, urls = Viewer("superuser", superuser()), ["/admin/games/discard/"]
    monkeypatch.setattr(MoveAdmin, "ordering", ("tile",))
    before = walk(viewer, urls)
    changed = 0
    for seed in range(5):
        with undone():
            disguise(game, viewer.user, Random(seed))
            changed += walk(viewer, urls) != before
    assert changed


def assert_caught(game: Game, viewer: Viewer, urls: list[str]) -> None:
    before = walk(viewer, urls)
    assert leaks(game, viewer, before).keys() == before.keys()
    with undone():
        disguise(game, viewer.user, Random(5))
        assert walk(viewer, urls) != before


def test_a_leak_in_one_line_of_the_log_is_caught(
    game: Game, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    real = visibility.seat_view

    def talkative(state: RoundState, viewer: int | None) -> SeatView:
        logging.getLogger("games").debug("hands: %s", state.hands)
        return real(state, viewer)

    monkeypatch.setattr(tables, "seat_view", talkative)
    viewer = Viewer("seat 0", game.host)
    walk(viewer, [reverse("games:table", args=[game.code])])
    assert leaks(game, viewer, {"log": caplog.text}).keys() == {"log"}


def test_a_seed_a_phrase_and_a_link_are_caught(game: Game) -> None:
    viewer = Viewer("seat 0", game.host)
    round_ = game.rounds.get(finished_at=None)
    texts = (
        bytes(round_.seed).hex(),
        bytes(game.next_seed).hex(),
        game.invite_salt,
        "kata rahasia 1",
    )
    for text in texts:
        assert leaks(game, viewer, {"page": f"<p>{text}</p>"}).keys() == {"page"}, text


def test_an_address_that_nobody_knows_how_to_walk_is_noticed(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = list(walking.routes())
    monkeypatch.setattr(walking, "routes", lambda: iter([*known, "t/<uuid:code>/<str:secret>/"]))
    with pytest.raises(KeyError, match="secret"):
        addresses(game)


@pytest.fixture(autouse=True)
def no_stray_handlers() -> Iterator[None]:
    """A site that mails its admins would need the same silence: it has no such handler."""
    yield
    loggers = [logging.getLogger(), *map(logging.getLogger, ("django", "django.request", "games"))]
    handlers = [handler for logger in loggers for handler in logger.handlers]
    assert not any(isinstance(handler, AdminEmailHandler) for handler in handlers)
