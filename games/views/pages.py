"""The front page, lists, and the rules."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts import throttle
from accounts.errors import GapleError
from accounts.models import User
from accounts.services import person_of
from games.http import private_page
from games.presenters import sample_boards
from games.selectors import finished_games, listed, my_games, next_waiting, open_tables
from games.services import table


@private_page
@require_safe
def front(request: HttpRequest) -> HttpResponse:
    """What the site is. People who are in already go to their games."""
    if request.user.is_authenticated:
        return redirect("games:mine")
    return render(request, "games/front.html", {"boards": sample_boards()})


@private_page
@require_POST
def play_now(request: HttpRequest) -> HttpResponse:
    """One tap: a guest if nobody is signed in, three bots, dealt."""
    try:
        throttle.check(request, throttle.TABLES)
        token = _uuid(request.POST.get("token"))
        with person_of(request, token=token) as user:
            game = table.play_now(user=user, token=token)
    except GapleError as refusal:
        messages.error(request, str(refusal.sentence))
        return redirect("games:front")
    return redirect("games:table", code=game.code)


@private_page
@login_required
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    games = my_games(request.user)
    # The list knows already what every page counts.
    context = {"games": games, "waiting": len(games.yours)}
    return render(request, "games/mine.html", context)


@private_page
@login_required
@require_safe
def finished(request: HttpRequest) -> HttpResponse:
    """All matches of a person that are over, thirty a page."""
    assert isinstance(request.user, User)
    page = Paginator(finished_games(request.user), 30).get_page(request.GET.get("page"))
    on_page = finished_games(request.user).filter(pk__in=[game.pk for game in page])
    games = listed(on_page, request.user)
    return render(request, "games/finished.html", {"page": page, "games": games})


@private_page
@login_required
@require_safe
def next_game(request: HttpRequest) -> HttpResponse:
    """To the game with least time left, once around past ?after=."""
    assert isinstance(request.user, User)
    code = next_waiting(request.user, after=_uuid(request.GET.get("after")))
    if code is None:
        messages.info(request, _("No game waits for you now."))
        return redirect("games:mine")
    return redirect("games:table", code=code)


@private_page
@require_safe
def tables(request: HttpRequest) -> HttpResponse:
    return render(request, "games/open_tables.html", {"games": open_tables(request.user)})


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    return render(request, "games/rules.html")


def _uuid(text: str | None) -> UUID | None:
    try:
        return UUID(text or "")
    except ValueError:
        return None
