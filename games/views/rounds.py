"""Finished rounds: the end, the replay, the proof of the deal, the record."""

from __future__ import annotations

import json
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.engine.state import RoundState
from games.http import private_page, revealed_or_404
from games.presenters import replay_screen, round_screen
from games.selectors import RoundPage, match_record, nonce_deals, round_page, round_states


@private_page
@require_safe
def round_end(request: HttpRequest, code: UUID, number: int) -> HttpResponse:
    page = _page_or_404(request, code, number)
    return render(request, "games/round.html", {"page": page, "screen": round_screen(page)})


@private_page
@require_safe
def replay(request: HttpRequest, code: UUID, number: int) -> HttpResponse:
    """One step of a finished round with all hands open; ?ply= links to a moment."""
    page = _page_or_404(request, code, number)
    states = round_states(page)
    screen = replay_screen(page, states, _ply(request, states))
    return render(request, "games/replay.html", {"page": page, "screen": screen})


@private_page
@require_safe
def deal(request: HttpRequest, code: UUID, number: int) -> HttpResponse:
    page = _page_or_404(request, code, number)
    context = {"page": page, "nonce_deals": nonce_deals(page)}
    return render(request, "games/deal.html", context)


@private_page
@require_safe
def record(request: HttpRequest, code: UUID) -> HttpResponse:
    """The match with its finished rounds as a file."""
    game = revealed_or_404(request, code)
    text = json.dumps(match_record(game).as_dict(), ensure_ascii=False, indent=1)
    response = HttpResponse(text, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="gaple-{code}.json"'
    return response


def _page_or_404(request: HttpRequest, code: UUID, number: int) -> RoundPage:
    page = round_page(revealed_or_404(request, code), number, request.user)
    if page is None:
        raise Http404
    return page


def _ply(request: HttpRequest, states: list[RoundState]) -> int:
    """The step asked for, the nearest there is; the first when it is no number."""
    try:
        return min(max(int(request.GET.get("ply", "0")), 0), len(states) - 1)
    except ValueError:
        return 0
