"""One table: looking at it, playing, and everything around the match."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.errors import GapleError
from accounts.models import User
from games.engine.errors import EngineError
from games.engine.notation import parse_action
from games.errors import NotAllowed, Unreadable, told
from games.forms import SitDownForm
from games.http import (
    private_page,
    selected_tile,
    show_table,
    sit_down,
    table_action,
    table_or_404,
    wants_part,
)
from games.models import Game
from games.services import attendance
from games.services import table as tables
from games.services.play import play_action


@private_page
@require_safe
def table(request: HttpRequest, code: UUID) -> HttpResponse:
    """The table, whole or its part; nothing when the page shows this version and count already."""
    if wants_part(request) and "v" in request.GET:
        game = table_or_404(request, code)
        waiting = game.waiting  # type: ignore[attr-defined]
        if request.GET["v"] == f"{game.version}.{waiting}":
            return HttpResponse(status=204)
    return show_table(request, code, selected=selected_tile(request.GET.get("tile")))


@private_page
@require_POST
def act(request: HttpRequest, code: UUID) -> HttpResponse:
    """Play an action. A refused one shows the table as it is, with the choice kept."""
    game = table_or_404(request, code)
    text = request.POST.get("action", "")
    try:
        _play(request, game)
    except GapleError as refusal:
        chosen = selected_tile(text.split("@")[0].rpartition(" ")[2])
        return show_table(request, code, refusal=refusal, selected=chosen)
    if wants_part(request):
        return show_table(request, code)
    return redirect("games:table", code=code)


def _play(request: HttpRequest, game: Game) -> None:
    try:
        action = parse_action(request.POST.get("action", ""))
        seen = (int(request.POST.get("round", "")), int(request.POST.get("ply", "")))
        token = UUID(request.POST.get("token", ""))
    except EngineError as error:
        raise told(error, Unreadable) from error
    except ValueError as error:
        raise Unreadable from error
    play_action(code=game.code, actor=_person(request), action=action, seen=seen, token=token)


def _person(request: HttpRequest) -> User:
    """The signed-in person; whoever has no session holds no seat."""
    if not request.user.is_authenticated:
        raise NotAllowed(_("You have no seat at this table."))
    return request.user


@table_action
def join(request: HttpRequest, game: Game) -> None:
    form = SitDownForm(request.POST)
    if not form.is_valid():
        raise GapleError(_first_error(form))
    sit_down(request, game, form)


@table_action
def phrase(request: HttpRequest, game: Game) -> None:
    tables.set_phrase(code=game.code, user=_person(request), phrase=request.POST.get("phrase", ""))
    if not wants_part(request):
        messages.success(request, _("Your phrase will be in the next deal."))


@table_action
def start(request: HttpRequest, game: Game) -> None:
    tables.start(code=game.code, user=_person(request))


@table_action
def fill(request: HttpRequest, game: Game) -> None:
    level = request.POST.get("level") or "warung"
    tables.fill_with_bots(code=game.code, user=_person(request), level=level)


@table_action
def cancel(request: HttpRequest, game: Game) -> HttpResponse:
    tables.cancel(code=game.code, user=_person(request))
    messages.info(request, _("The table is cancelled."))
    return redirect("games:mine")


@table_action
def leave(request: HttpRequest, game: Game) -> HttpResponse:
    tables.leave(code=game.code, user=_person(request))
    messages.info(request, _("You left the table."))
    return redirect("games:mine")


@table_action
def free_seat(request: HttpRequest, game: Game) -> None:
    try:
        position = int(request.POST.get("position", ""))
    except ValueError as error:
        raise Unreadable(_("Which seat shall be free?")) from error
    tables.free_seat(code=game.code, user=_person(request), position=position)


@table_action
def new_link(request: HttpRequest, game: Game) -> None:
    tables.renew_invitation(code=game.code, user=_person(request))


@table_action
def take_back(request: HttpRequest, game: Game) -> None:
    attendance.take_back(code=game.code, user=_person(request))


@table_action
def leave_match(request: HttpRequest, game: Game) -> None:
    if not request.POST.get("sure"):
        raise Unreadable(_("Leaving cannot be undone. Say that you are sure."))
    attendance.leave_match(code=game.code, user=_person(request))


@table_action
def vote_cancel(request: HttpRequest, game: Game) -> None:
    attendance.vote_cancel(code=game.code, user=_person(request))


@table_action
def open_replays(request: HttpRequest, game: Game) -> None:
    tables.open_replays(code=game.code, user=_person(request))


@table_action
def rematch(request: HttpRequest, game: Game) -> HttpResponse:
    following = tables.rematch(code=game.code, user=_person(request))
    return redirect("games:table", code=following.code)


def _first_error(form: SitDownForm) -> str:
    return str(next(iter(form.errors.values()))[0])
