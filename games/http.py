"""What the views share: who may open a table, and how a refusal is told."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from accounts.errors import GapleError
from accounts.services import person_of
from games.engine.errors import Unreadable
from games.engine.tiles import Tile
from games.forms import SitDownForm
from games.models import Game
from games.presenters import table_screen
from games.selectors import may_open_replays, table_view
from games.services import invites, table

View = Callable[..., HttpResponse]
TableAction = Callable[[HttpRequest, Game], HttpResponse | None]


def table_or_404(request: HttpRequest, code: UUID) -> Game:
    """The game, where this person may open its table; to everybody else there is none."""
    games = Game.objects.watchable_by(request.user).with_waiting_of(request.user)
    game: Game | None = games.select_related("host", "rematch").filter(code=code).first()
    if game is None:
        raise Http404
    return game


def revealed_or_404(request: HttpRequest, code: UUID) -> Game:
    """The game, where this person may open its finished rounds."""
    game = Game.objects.select_related("host").filter(code=code).first()
    if game is None or not may_open_replays(game, request.user):
        raise Http404
    return game


def private_page(view: View) -> View:
    """A page that no cache keeps, and of which htmx is served a part.

    What is sent to it, an action or a phrase, is in no error report.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if isinstance(response, HttpResponseNotAllowed):
            response = _explained(request, response)
        patch_vary_headers(response, ("HX-Request",))
        return response

    return never_cache(sensitive_post_parameters()(wrapped))


def _explained(request: HttpRequest, refusal: HttpResponseNotAllowed) -> HttpResponse:
    """Reloading the answer to a form, or coming back to it by the language menu, ends here."""
    page = render(request, "405.html", status=refusal.status_code)
    page["Allow"] = refusal["Allow"]
    return page


def table_action(act: TableAction) -> View:
    """A POST at a table: done, it leads back to the table; refused, the table says why."""

    @private_page
    @require_POST
    @wraps(act)
    def view(request: HttpRequest, code: UUID) -> HttpResponse:
        game = table_or_404(request, code)
        try:
            response = act(request, game)
        except GapleError as refusal:
            return show_table(request, game.code, refusal=refusal)
        if response is not None:
            return response
        if wants_part(request):
            return show_table(request, game.code)
        return redirect("games:table", code=game.code)

    return view


def wants_part(request: HttpRequest) -> bool:
    """Whether htmx asks for a part of the page; going back in history needs all of it."""
    htmx = getattr(request, "htmx", None)
    return htmx is not None and bool(htmx) and not (htmx.history_restore_request or htmx.boosted)


def show_table(
    request: HttpRequest,
    code: UUID,
    *,
    refusal: GapleError | None = None,
    selected: Tile | None = None,
) -> HttpResponse:
    """The table as it stands now, whole or its part, with one sentence when it refused."""
    game = table_or_404(request, code)
    seen = table_view(game, request.user)
    context: dict[str, Any] = {
        "table": seen,
        "screen": table_screen(seen, selected, confirm_moves=_confirms(request)),
        "selected": selected,
        "token": uuid.uuid4(),
        "problem": str(refusal.sentence) if refusal else None,
        "waiting": game.waiting,  # type: ignore[attr-defined]
    }
    if seen.status == "open":
        context["invite_url"] = _invite_url(request, game) if "new_link" in seen.can else None
    template = "games/lobby.html" if seen.status == "open" else "games/table.html"
    part = "#table" if wants_part(request) else ""
    return render(request, template + part, context, status=refusal.status if refusal else 200)


def _confirms(request: HttpRequest) -> bool:
    return request.user.confirm_moves if request.user.is_authenticated else True


def _invite_url(request: HttpRequest, game: Game) -> str | None:
    token = invites.current(game)
    if token is None:
        return None
    path = reverse("games:invitation", args=[token])
    # A link made at localhost must work on the other phones too.
    here = request.get_host().rpartition(":")[0] or request.get_host()
    at_home = here in ("localhost", "127.0.0.1", "[::1]")
    return settings.GAPLE_ORIGIN + path if at_home else request.build_absolute_uri(path)


def sit_down(
    request: HttpRequest, game: Game, form: SitDownForm, invitation: str | None = None
) -> None:
    """Seat whoever sent the valid form, as a guest if he is nobody yet."""
    data = form.cleaned_data
    with person_of(request, data["name"], data["token"]) as user:
        table.join(
            code=game.code,
            user=user,
            token=invitation,
            position=data["position"],
            phrase=data["phrase"] or None,
        )


def selected_tile(text: str | None) -> Tile | None:
    """The tile named in ?tile=, or none."""
    try:
        return Tile.parse(text) if text else None
    except Unreadable:
        return None
