"""Every address of the site as one viewer asks for it, and what he must not find there."""

from __future__ import annotations

import base64
import html
import re
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connection, models, transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.models import User
from games.engine.actions import DISCARD
from games.engine.errors import EngineError
from games.engine.rules import legal_actions
from games.engine.state import RoundState
from games.engine.tiles import DECK, Tile
from games.models import Game, Heartbeat, Move, Round, Seat
from games.presenters import rules_paragraph
from games.selectors import final_state, load, moves_of, seats_of
from games.services import invites
from tests.factories import fresh, person

HX = {"HX-Request": "true"}
_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>[^)]*\)")


@contextmanager
def undone() -> Iterator[None]:
    """Whatever happens inside is rolled back. Services may open their transactions in it."""
    block = transaction.atomic()
    block._from_testcase = True  # type: ignore[attr-defined]
    with block:
        yield
        transaction.set_rollback(True)


def deal_known_tiles(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Let the match `number` be the same at every run: its seeds, and its code."""
    drawn = Random(number)
    monkeypatch.setattr(secrets, "token_bytes", drawn.randbytes)
    code = Game._meta.get_field("code")
    monkeypatch.setattr(code, "_get_default", lambda: UUID(int=drawn.getrandbits(128)))


# --- people ---------------------------------------------------------------------------------------


@dataclass
class Viewer:
    """Somebody with a browser; `user` is None for whoever is not signed in."""

    name: str
    user: User | None = None
    client: Client = field(default_factory=Client)

    def __post_init__(self) -> None:
        if self.user is not None:
            self.client.force_login(self.user)

    def __str__(self) -> str:
        return self.name


def staff(name: str, *rights: str) -> User:
    """A member of staff with these rights, each "app.codename"."""
    user = person(name, is_staff=True)
    for right in rights:
        app, codename = right.split(".")
        user.user_permissions.add(
            Permission.objects.get(content_type__app_label=app, codename=codename)
        )
    return user


def moderator(name: str = "Moderator") -> User:
    """Staff who may look at everything that the admin has of games."""
    models_ = ("game", "seat", "round", "move", "discard", "heartbeat", "outage")
    return staff(name, "accounts.view_user", *(f"games.view_{model}" for model in models_))


def superuser(name: str = "Kepala") -> User:
    return person(name, is_staff=True, is_superuser=True)


# Lists of the admin, and questions that would tell a hidden column one guess at a time.
GUESSES: dict[str, tuple[str, ...]] = {
    "admin/games/move/": ("tile=3-5", "tile__gt=3", "tile__in=3-5", "round__hands__contains=3-5"),
    "admin/games/discard/": ("tile=3-5", "tile__startswith=3", "token__isnull=1"),
    "admin/games/round/": (
        "seed__startswith=a",
        "hands__contains=3-5",
        "hands__0__0=3-5",
        "rest__contains=3",
        "phrases__contains=a",
        "moves__tile=3-5",
    ),
    "admin/games/game/": (
        "next_seed__startswith=a",
        "invite_hash__gt=a",
        "invite_salt__gt=a",
        "rounds__hands__contains=3-5",
        "seats__phrase__startswith=a",
        "moves__tile=3-5",
    ),
    "admin/games/seat/": (
        "phrase__startswith=a",
        "phrase_set_at__isnull=1",
        "game__next_seed__gt=a",
        "moves__tile=3-5",
    ),
    "admin/accounts/user/": (
        "password__startswith=a",
        "seats__phrase__startswith=a",
        "moves__tile=3-5",
        "seats__game__next_seed__gt=a",
    ),
    "admin/auth/group/": ("user__password__startswith=a", "user__moves__tile=3-5"),
}
LEDGERS = ("admin/games/move/", "admin/games/discard/")

# --- addresses ------------------------------------------------------------------------------------


def routes(resolver: Any = None, prefix: str = "") -> Iterator[str]:
    """Every route of the site, as the resolver has it."""
    for pattern in (resolver or get_resolver()).url_patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield route
        else:
            assert isinstance(pattern, URLResolver)
            yield from routes(pattern, route)


def addresses(game: Game) -> list[str]:
    """Every address that belongs to the site, with the parameters that `game` gives them.

    A route with a parameter that is not known here raises KeyError: whoever adds one says here
    how it is walked.
    """
    return [url for route in routes() for url in _filled(route, game)]


def _filled(route: str, game: Game) -> list[str]:
    names = [low or high for low, high in _PARAMETER.findall(route)]
    fillings: list[dict[str, str]] = [{}]
    for name in names:
        values = _values(name, route, game)
        fillings = [filling | {name: value} for filling in fillings for value in values]
    plain = _PARAMETER.sub(lambda match: "{" + (match[1] or match[2]) + "}", route)
    paths = ["/" + plain.strip("^$").replace("^", "").format(**values) for values in fillings]
    return [path + query for path in paths for query in _queries(route, game)]


def _values(name: str, route: str, game: Game) -> list[str]:
    numbers = [str(n) for n in range(1, game.round_number + 2)]
    return {
        "code": lambda: [str(game.code)],
        "number": lambda: numbers,
        "token": lambda: ["no-such-token", invites.current(game) or "none"],
        "uidb64": lambda: [base64.urlsafe_b64encode(str(game.host_id).encode()).decode()],
        "app_label": lambda: ["accounts", "auth", "games"],
        "url": lambda: ["nothing/"],
        "id": lambda: [str(game.host_id)],
        "object_id": lambda: _objects(route, game),
        "content_type_id": lambda: [str(ContentType.objects.get_for_model(Game).pk)],
    }[name]()


def _objects(route: str, game: Game) -> list[str]:
    """Rows of the model that an address of the admin is about."""
    _admin, app, *rest = route.split("/")
    if app == "r":
        return [str(game.pk)]
    model = apps.get_model(app, rest[0])
    rows: dict[type[models.Model], Any] = {
        Game: Game.objects.filter(pk=game.pk),
        Seat: game.seats.all(),
        Round: game.rounds.all(),
        User: User.objects.filter(pk=game.host_id),
        Group: Group.objects.all(),
        Heartbeat: Heartbeat.objects.all(),
    }
    found = rows.get(model, model._default_manager.all())
    if issubclass(model, Move):
        # Of the running round the first placement, and all that is face down.
        act = models.Q(act=DISCARD) | models.Q(ply=0)
        found = model._default_manager.filter(act, game=game, round__finished_at=None)
    keys = [str(key) for key in found.values_list("pk", flat=True)]
    # Other pages than the row's own say nothing of its columns: one row is enough for them.
    return keys if route.endswith("/change/") else keys[:1]


def _queries(route: str, game: Game) -> list[str]:
    """What may stand behind the question mark, beside nothing."""
    if route == "t/<uuid:code>/":
        return ["", f"?v={game.version}", "?tile=3-5"]
    if route.endswith("/replay/"):
        return ["", "?ply=999"]
    if route in GUESSES:
        columns = ("6", "-6", "4.5.7.8") if route in LEDGERS else ("1.2.3.4.5.6.7",)
        guesses = (f"?{guess}" for guess in GUESSES[route])
        return ["", "?q=3-5", *guesses, *(f"?o={column}" for column in columns)]
    if route == "admin/autocomplete/":
        fields = "app_label=games&model_name=move&field_name="
        return ["", *(f"?{fields}{name}&term=3" for name in ("game", "round", "seat"))]
    return [""]


# --- walking --------------------------------------------------------------------------------------

_CHANGING = (
    (re.compile(r'(name="csrfmiddlewaretoken" value=")[^"]+'), r"\1…"),
    (re.compile(r'(name="token" value=")[^"]+'), r"\1…"),
    (re.compile(r"last ran \d+ s"), "last ran … s"),
)


def answer(response: Any) -> str:
    """All that a browser is told, without the tokens that change at every request."""
    content = response.content.decode(errors="replace")
    for pattern, instead in _CHANGING:
        content = pattern.sub(instead, content)
    headers = sorted((k, v) for k, v in response.headers.items() if k not in ("Expires", "Date"))
    cookies = sorted(key for key in response.cookies if key != "csrftoken")
    return f"{response.status_code} {headers} {cookies}\n{content}"


def walk(viewer: Viewer, urls: Iterable[str]) -> dict[str, str]:
    """What the viewer gets at these addresses, and at a table as htmx asks for its part."""
    found = {}
    staff = viewer.user is not None and viewer.user.is_staff
    for url in urls:
        if url.startswith("/admin/") and "?" in url and not staff:
            # The same way to the sign-in, whatever he asks.
            continue
        found[url] = _got(viewer, url)
        if _TABLE.match(url):
            found[f"{url} (part)"] = _got(viewer, url, HX)
    return found


_TABLE = re.compile(r"/t/[^/]+/(\?|$)")


def _got(viewer: Viewer, url: str, headers: dict[str, str] | None = None) -> str:
    # What an earlier page had to say would be said here.
    viewer.client.cookies.pop("messages", None)
    return answer(viewer.client.get(url, headers=headers))


def press_everything(viewer: Viewer, game: Game) -> Iterator[tuple[Game, str, str]]:
    """Every button of a table as this viewer presses it, each undone again.

    Yields the game as it stands then, the address and the answer.
    """
    position = load(game) if game.to_move is not None else None
    data = {"token": str(uuid4()), "position": "1", "phrase": "potong", "sure": "on"}
    if position is not None and position.state.turn is not None:
        data |= {"round": str(position.state.number), "ply": str(position.state.ply)}
        data["action"] = str(legal_actions(position.state)[0])
    for number, url in enumerate(buttons(game)):
        with undone():
            response = viewer.client.post(url, data, headers=HX if number % 4 else {})
            yield fresh(game), f"POST {url} {data.get('action')}", answer(response)


def buttons(game: Game) -> list[str]:
    """Every address at a table to which something is sent."""
    of_tables = (route for route in routes() if route.startswith("t/<uuid:code>/"))
    sent = (route for route in of_tables if "<int" not in route and not route.endswith(".json"))
    return ["/" + route.replace("<uuid:code>", str(game.code)) for route in sent]


# --- secrets --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Secrets:
    """What a viewer must not find: tiles, and texts such as seeds and phrases."""

    tiles: frozenset[Tile]
    texts: frozenset[str]

    def found_in(self, text: str) -> set[str]:
        plain = html.unescape(text)
        tiles = {str(tile) for tile in tiles_in(plain) & self.tiles}
        return tiles | {secret for secret in self.texts if secret in plain}

    def without_tiles(self) -> Secrets:
        return Secrets(frozenset(), self.texts)


def secrets_of(game: Game, user: User | None) -> Secrets:
    """What `user` may not know of the match now, from its rows alone."""
    texts = set()
    for seat in game.seats.all():
        if seat.phrase and (user is None or seat.user_id != user.pk):
            texts.add(seat.phrase)
    texts |= _written(bytes(game.next_seed)) | {game.invite_salt, game.invite_hash or ""}
    if not (user is not None and user.pk == game.host_id and game.started_at is None):
        texts.add(invites.current(game) or "")
    tiles: set[Tile] = set()
    running = game.rounds.filter(finished_at=None).first()
    if running is not None:
        texts |= _written(bytes(running.seed))
        state = _state(game, running)
        known = {laid.tile for laid in state.line}
        own = next((s for s in game.seats.all() if user is not None and s.user_id == user.pk), None)
        if own is not None and own.left_at is None:
            known |= {*state.hands[own.position], *state.dead[own.position]}
        tiles = set(DECK) - known
    return Secrets(frozenset(tiles), frozenset(texts - {""}))


def _state(game: Game, round_: Round) -> RoundState:
    return final_state(game.rules, round_, moves_of(round_, seats_of(game)))


def _written(seed: bytes) -> set[str]:
    """A seed as it might be written."""
    return {
        seed.hex(),
        seed.hex().upper(),
        base64.b64encode(seed).decode().rstrip("="),
        base64.urlsafe_b64encode(seed).decode().rstrip("="),
        repr(seed),
        str(list(seed)),
    }


# "3-5", "held-3-5", "(3, 5)", "[3, 5]", "3|5", "low=3, high=5", but neither dates nor UUIDs.
_PAIR = re.compile(
    r"(?<![0-9a-fA-F])(?<!\d[-–])([0-6])"
    r"(?:[-–×]|(?<=[\[(]\d)(?:, ?|\|)|, high=)"
    r"([0-6])(?![0-9a-fA-F]|[-–]\d)"
)
# The two halves of a drawn tile, and the name of a tile in the layout.
_DRAWN = re.compile(r'href="#[vh]([0-6])"[^<]*/?><use href="#[vh]([0-6])"')
_NAMED = re.compile(r'id="\w+-([0-6])([0-6])u?"')


def tiles_in(text: str) -> set[Tile]:
    """Every tile that is written or drawn in a text."""
    pairs = [match for form in (_PAIR, _DRAWN, _NAMED) for match in form.findall(text)]
    return {Tile(*sorted((int(one), int(other)))) for one, other in pairs}


_SPRITE = re.compile(r'<svg class="sprite".*?</svg>', re.DOTALL)
# Numbers of other kinds: the admin's icons and headings, the stored rules, the version of a page.
_NO_TILES = re.compile(r' d="[^"]*"|fieldset-\d-\d-heading|"first_lead": "[06]-[06]"|\?v=\d+-\d+')


def sprite_of(page: str) -> list[str]:
    return _SPRITE.findall(page)


def without_rules(game: Game, page: str) -> str:
    """A page without what is the same for everybody: the drawings, and the rules in words."""
    text = html.unescape(_SPRITE.sub("", page))
    for sentence in rules_paragraph(game.rules, game.turn_seconds):
        text = text.replace(sentence, "")
    return _NO_TILES.sub("", text)


# --- another deal that looks the same -------------------------------------------------------------


def disguise(game: Game, user: User | None, rng: Random) -> int:
    """Change everything about the match that `user` may not know, and nothing else.

    His hidden tiles change places as often as the actions until now allow; seeds, other people's
    phrases and the link are new. Returns how many tiles lie elsewhere.
    """
    round_ = game.rounds.get(finished_at=None)
    moves = moves_of(round_, seats_of(game))
    hidden = sorted(secrets_of(game, user).tiles)
    moved: dict[str, str] = {}
    for _try in range(60):
        one, other = rng.sample(hidden, 2)
        swapped = dict(moved)
        swapped[str(one)] = moved.get(str(other), str(other))
        swapped[str(other)] = moved.get(str(one), str(one))
        if _stands(game, round_, moves, swapped):
            moved = swapped
    _store(game, round_, moves, moved)
    Game.objects.filter(pk=game.pk).update(next_seed=rng.randbytes(32), invite_salt="new")
    for seat in game.seats.all():
        if user is None or seat.user_id != user.pk:
            Seat.objects.filter(pk=seat.pk).update(
                phrase="kata lain", phrase_set_at=game.created_at
            )
    return sum(old != new for old, new in moved.items())


def _stands(game: Game, round_: Round, moves: list[Move], moved: dict[str, str]) -> bool:
    """Whether the same actions are legal, and lead to the same turn, with the tiles moved."""
    before = final_state(game.rules, round_, moves)
    other_round = Round(number=round_.number, right=round_.right, nonce=round_.nonce)
    other_round.context = round_.context
    other_round.hands, other_round.rest = _moved_deal(round_, moved)
    other_moves = [_moved(move, moved) for move in moves]
    try:
        after = final_state(game.rules, other_round, other_moves)
    except EngineError:
        return False
    same = (before.turn, before.line, before.starter, before.end)
    return same == (after.turn, after.line, after.starter, after.end)


def _moved_deal(round_: Round, moved: dict[str, str]) -> tuple[list[list[str]], list[str]]:
    hands = [[moved.get(tile, tile) for tile in hand] for hand in round_.hands]
    return hands, [moved.get(tile, tile) for tile in round_.rest]


def _moved(move: Move, moved: dict[str, str]) -> Move:
    other = Move(seat=move.seat, act=move.act, tile=move.tile, end=move.end, by=move.by, at=move.at)
    if move.act == DISCARD and move.tile:
        other.tile = moved.get(move.tile, move.tile)
    return other


def _store(game: Game, round_: Round, moves: list[Move], moved: dict[str, str]) -> None:
    hands, rest = _moved_deal(round_, moved)
    Round.objects.filter(pk=round_.pk).update(hands=hands, rest=rest, seed=bytes(32))
    changed = [m for m in moves if m.act == DISCARD and m.tile and moved.get(m.tile, "") != m.tile]
    with _writable_ledger() as ledger:
        # By way of names that no tile has: no two rows may name one tile, not even in between.
        for n, move in enumerate(changed):
            ledger.filter(pk=move.pk).update(tile=f"~{n}")
        for move in changed:
            assert move.tile is not None
            ledger.filter(pk=move.pk).update(tile=moved.get(move.tile, move.tile))


@contextmanager
def _writable_ledger() -> Iterator[models.QuerySet[Move]]:
    """The ledger as only a test may have it: past the model's guard and the database's."""
    trigger = "ALTER TABLE games_move {} TRIGGER games_move_append_only"
    on_postgres = connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        if on_postgres:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute(trigger.format("DISABLE"))
        yield models.QuerySet(Move)
        if on_postgres:
            cursor.execute(trigger.format("ENABLE"))
