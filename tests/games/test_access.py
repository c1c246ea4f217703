"""Who may open what, and do what: docs/access.md is the matrix, and every cell of it is tried."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import connections
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import live
from games.engine.options import Match, Options
from games.models import Game
from games.services import attendance, bots, invites, table
from tests.factories import (
    first_legal,
    fresh,
    guest,
    mover_of,
    person,
    play_once,
    play_out,
    position_of,
)
from tests.games.walk import HX, Viewer, moderator, staff, superuser, undone

pytestmark = pytest.mark.django_db
MATRIX = (Path(settings.BASE_DIR) / "docs" / "access.md").read_text()
OPTIONS = Options(match=Match("rounds", n=2))
STATUS = {"yes": {200, 302}, "no": {403}, "late": {409}, "full": {409, 422}, "404": {404}}


def rows_of(first_cell: str) -> list[dict[str, str]]:
    """The rows of the tables whose heading begins with this cell."""
    found: list[dict[str, str]] = []
    for block in re.findall(r"(?:^\|.*\n)+", MATRIX, re.MULTILINE):
        lines = [line.strip("|").split("|") for line in block.splitlines()]
        heading, _rule, *rows = [[cell.strip() for cell in line] for line in lines]
        if heading[0] == first_cell:
            found += [dict(zip(heading, row, strict=True)) for row in rows]
    return found


LOOKING = {
    (kind, row["viewer"]): {word.strip() for word in cell.split(",")} - {"–"}
    for row in rows_of("viewer")
    for kind, cell in row.items()
    if kind != "viewer"
}
DOING = {
    (row["when"], row["action"], who): cell
    for row in rows_of("action")
    for who, cell in row.items()
    if who not in ("action", "when")
}


# --- tables and people ----------------------------------------------------------------------------


@dataclass
class Place:
    """A table, the people who have to do with it, and the link to it."""

    game: Game
    people: dict[str, User]
    token: str = ""

    def viewer(self, name: str) -> Viewer:
        strangers: dict[str, Any] = {
            "account": lambda: person("Orang luar"),
            "guest": lambda: guest("Tamu lewat"),
            "anonymous": lambda: None,
            "invited": lambda: None,
            "moderator": moderator,
            "staff": lambda: staff("Pegawai", "accounts.view_user"),
            "superuser": superuser,
        }
        return Viewer(name, self.people.get(name) or strangers[name]())


def place(kind: str) -> Place:
    """A table of this kind: "private open", "public ended", "opened running", "rematch open"."""
    sort, _space, when = kind.partition(" ")
    if sort == "rematch":
        here = _rematch()
    else:
        host, player, left = (person(name) for name in ("Tuan", "Pemain", "Pulang"))
        here = _gathered(host, [player, left], public=sort == "public")
    if when == "open":
        if "left" in here.people:
            table.leave(code=here.game.code, user=here.people["left"])
        return here
    _start(here)
    if sort == "opened":
        table.open_replays(code=here.game.code, user=here.people["host"])
    if when == "ended":
        play_out(here.game)
    here.game = fresh(here.game)
    return here


def _gathered(host: User, others: list[User], *, public: bool) -> Place:
    game, token = table.create_table(
        host=host, options=OPTIONS, turn_seconds=3600, public=public, fixed_seats=not public
    )
    for someone in others:
        table.join(code=game.code, user=someone, token=token)
    names = dict(zip(("player", "left"), others, strict=False))
    return Place(game, {"host": host} | names, token)


def _rematch() -> Place:
    """The rematch of a match of three people, one of whom has not sat down again."""
    people = [person(name) for name in ("Tuan", "Pemain", "Diajak")]
    game, token = table.create_table(host=people[0], options=OPTIONS, turn_seconds=3600)
    for someone in people[1:]:
        table.join(code=game.code, user=someone, token=token)
    table.fill_with_bots(code=game.code, user=people[0], level="pemula")
    table.start(code=game.code, user=people[0])
    for someone in people:
        attendance.vote_cancel(code=game.code, user=someone)
    following = table.rematch(code=game.code, user=people[0])
    table.rematch(code=game.code, user=people[1])
    names = dict(zip(("host", "player", "asked"), people, strict=True))
    return Place(fresh(following), names)


def _start(here: Place) -> None:
    """Deal; let one leave; play into the second round, until the host is to move."""
    game, host = here.game, here.people["host"]
    table.fill_with_bots(code=game.code, user=host, level="pemula")
    if fresh(game).started_at is None:
        table.start(code=game.code, user=host)
    if "left" in here.people:
        attendance.leave_match(code=game.code, user=here.people["left"])
    play_out(game, stop_after_round=1)
    while mover_of(game).user != host:
        if fresh(game).bot_due_at is not None:
            bots.play_bots(game.code)
        else:
            play_once(game)


# --- looking --------------------------------------------------------------------------------------


def opened(here: Place, viewer: Viewer, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """What of the table this viewer can open; each kind of page must be open or shut as one."""
    code, number = here.game.code, 1
    pages = {
        "table": [reverse("games:table", args=[code])],
        "rounds": [
            *(
                reverse(f"games:{name}", args=[code, number])
                for name in ("round", "replay", "deal")
            ),
            reverse("games:record", args=[code]),
        ],
    }
    found = set()
    for name, urls in pages.items():
        answers = [viewer.client.get(url).status_code for url in urls]
        if name == "table":
            answers.append(viewer.client.get(urls[0], headers=HX).status_code)
            answers.append(_stream(here.game, viewer, monkeypatch))
        if here.game.started_at is None and name == "rounds":
            # No round is there yet; the record is one without rounds, for those of the table.
            answers = [status for status in answers if status != 200]
        assert set(answers) in ({200}, {404}), f"{viewer} {name} {answers}"
        if set(answers) == {200}:
            found.add(name)
    if viewer.name == "invited" and _link(here, viewer):
        found.add("link")
    if str(code) in viewer.client.get(reverse("games:open_tables")).content.decode():
        found.add("list")
    return found


def _stream(game: Game, viewer: Viewer, monkeypatch: pytest.MonkeyPatch) -> int:
    """What the event stream answers. It would close the connection that the test shares."""
    monkeypatch.setattr(connections, "close_all", lambda: None)
    cookie = viewer.client.cookies.get(settings.SESSION_COOKIE_NAME)
    try:
        live._admit(cookie.value if cookie else None, {game.code})
    except live.Refused as refusal:
        return refusal.status
    return 200


def _link(here: Place, viewer: Viewer) -> bool:
    status = viewer.client.get(reverse("games:invitation", args=[here.token])).status_code
    assert status in (200, 410)
    return status == 200


@pytest.mark.parametrize("kind", sorted({kind for kind, _who in LOOKING}))
def test_a_table_opens_what_the_matrix_says(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = {who: what for (k, who), what in LOOKING.items() if k == kind and who != "asked"}
    here = place(kind)
    found = {who: opened(here, here.viewer(who), monkeypatch) for who in expected}
    assert found == expected


@pytest.mark.parametrize("when", ["open", "running", "ended"])
def test_a_rematch_opens_what_the_matrix_says(when: str, monkeypatch: pytest.MonkeyPatch) -> None:
    here = place(f"rematch {when}")
    kinds = {"host", "player", "asked", "account", "anonymous", "moderator", "staff"}
    expected = {who: LOOKING[f"private {when}", who] for who in kinds}
    assert {who: opened(here, here.viewer(who), monkeypatch) for who in kinds} == expected


def test_the_matrix_names_every_kind_of_table_and_viewer() -> None:
    sorts = ("private", "public")
    assert {kind for kind, _who in LOOKING} == {
        *(f"{sort} {when}" for sort in sorts for when in ("open", "running", "ended")),
        "opened running",
        "opened ended",
    }
    assert len({who for _kind, who in LOOKING}) == 11


def test_a_link_that_was_replaced_or_is_too_old_opens_nothing() -> None:
    here = place("private open")
    anyone = Viewer("anyone")
    assert _link(here, anyone)
    Game.objects.update(invite_expires_at=here.game.created_at)
    assert not _link(here, anyone)
    new = table.renew_invitation(code=here.game.code, user=here.people["host"])
    assert not _link(here, anyone)
    here.token = new
    assert _link(here, anyone)
    assert invites.find(str(here.game.code)) is None


# --- doing ----------------------------------------------------------------------------------------


def pressed(here: Place, viewer: Viewer, action: str) -> int:
    """What the button answers; whatever it did is undone."""
    data = {"position": "1", "phrase": "potong", "level": "pemula", "sure": "on"}
    if here.game.started_at is not None:
        data |= {"round": str(here.game.round_number), "ply": str(here.game.ply)}
        data |= {"token": str(uuid4()), "action": "pass"}
    if here.game.to_move is not None and position_of(here.game).state.turn is not None:
        data["action"] = str(first_legal(here.game))
    with undone():
        url = reverse(f"games:{action}", args=[here.game.code])
        return viewer.client.post(url, data).status_code


@pytest.mark.parametrize("when", ["open", "running", "ended"])
def test_at_a_public_table_everybody_may_do_what_the_matrix_says(when: str) -> None:
    here = place(f"public {when}")
    expected = {(a, who): cell for (w, a, who), cell in DOING.items() if w == when}
    viewers = {who: here.viewer(who) for who in sorted({who for _action, who in expected})}
    found = {}
    for action, who in expected:
        status = pressed(here, viewers[who], action)
        found[action, who] = next(word for word, those in STATUS.items() if status in those)
        if status == 409 and expected[action, who] == "full":
            found[action, who] = "full"
    assert {k: v for k, v in found.items() if v != expected[k]} == {}


@pytest.mark.parametrize("when", ["open", "running", "ended"])
def test_at_a_private_table_no_outsider_finds_a_button(when: str) -> None:
    here = place(f"private {when}")
    actions = sorted({action for _when, action, _who in DOING})
    for who in ("account", "anonymous", "staff"):
        viewer = here.viewer(who)
        assert {action: pressed(here, viewer, action) for action in actions} == dict.fromkeys(
            actions, 404
        )
    watching = here.viewer("moderator")
    assert pressed(here, watching, "join") in STATUS["no" if when == "open" else "late"]


def test_the_code_of_a_private_table_seats_nobody() -> None:
    here = place("private open")
    before = here.game.seats.count()
    for who in ("account", "anonymous", "moderator", "superuser"):
        viewer = here.viewer(who)
        viewer.client.post(reverse("games:join", args=[here.game.code]))
        assert here.game.seats.count() == before
    assert Client().get(reverse("games:invitation", args=[str(here.game.code)])).status_code == 410
