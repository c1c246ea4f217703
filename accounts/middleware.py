"""How a person's settings reach his pages."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone


def use_zone_of_person(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Show times in the zone of the person's settings, else in the site's.

    Without a zone in the settings, browsers with JavaScript show their own.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        zone = request.user.zone if request.user.is_authenticated else ""
        with timezone.override(zone or None):
            return get_response(request)

    return middleware
