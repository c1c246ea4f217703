"""Making a table, and the invitation to it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from accounts import throttle
from accounts.errors import GapleError
from accounts.services import person_of
from games.engine.options import PRESETS
from games.forms import NewTableForm, SitDownForm
from games.http import private_page, sit_down
from games.models import Game
from games.presenters import rules_paragraph
from games.selectors import table_view
from games.services import invites
from games.services import table as tables


@private_page
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """The form of a new table; posted, the table."""
    form = NewTableForm(request.POST if request.method == "POST" else None)
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            game = _create(request, form)
        except GapleError as refusal:
            form.add_error(None, str(refusal.sentence))
            status = refusal.status
        else:
            return redirect("games:table", code=game.code)
    if form.errors and status == 200:
        status = 422
    return render(request, "games/new.html", _form_context(form), status=status)


@private_page
@require_safe
def paragraph(request: HttpRequest) -> HttpResponse:
    """What the choices of the form mean, in plain words."""
    form = NewTableForm(request.GET)
    return render(request, "games/_paragraph.html", {"sentences": _sentences(form)})


@private_page
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Who invites to what; looking joins nobody, the button does."""
    game = invites.find(token)
    if game is None:
        return render(request, "games/invitation.html", {"table": None}, status=410)
    if request.method != "POST":
        if request.user.is_authenticated and game.seats.filter(user=request.user).exists():
            return redirect("games:table", code=game.code)
        return _invitation(request, game, SitDownForm())
    form = SitDownForm(request.POST)
    if not form.is_valid():
        return _invitation(request, game, form, status=422)
    try:
        sit_down(request, game, form, token)
    except GapleError as refusal:
        form.add_error(None, str(refusal.sentence))
        return _invitation(request, game, form, status=refusal.status)
    return redirect("games:table", code=game.code)


def _create(request: HttpRequest, form: NewTableForm) -> Game:
    data = form.cleaned_data
    throttle.check(request, throttle.TABLES)
    with person_of(request, data["name"], data["token"]) as host:
        game, _token = tables.create_table(
            host=host,
            options=data["options"],
            turn_seconds=data["turn_seconds"],
            public=data["public"],
            fixed_seats=data["fixed_seats"],
            auto_start=data["auto_start"],
            token=data["token"],
        )
    return game


def _form_context(form: NewTableForm) -> dict[str, object]:
    return {"form": form, "presets": PRESETS, "sentences": _sentences(form)}


def _sentences(form: NewTableForm) -> list[str]:
    """The rules in words; while the form holds mistakes, those of its preset or the mistakes."""
    if not form.is_bound:
        return rules_paragraph(PRESETS["klasik"], form.fields["turn_seconds"].initial)
    if form.is_valid():
        return rules_paragraph(form.cleaned_data["options"], form.cleaned_data["turn_seconds"])
    return [str(error) for errors in form.errors.values() for error in errors]


def _invitation(
    request: HttpRequest, game: Game, form: SitDownForm, status: int = 200
) -> HttpResponse:
    view = table_view(game, request.user)
    context = {
        "table": view,
        "form": form,
        "sentences": rules_paragraph(view.options, view.turn_seconds),
    }
    return render(request, "games/invitation.html", context, status=status)
