"""Middleware of the house."""

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.views.defaults import bad_request
from django_htmx.http import HttpResponseClientRedirect

from gaple_site.logs import SECRET_PATHS


def refuse_unreadable_requests(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Answer 400 to bodies in another encoding than UTF-8; a garbled session is none.

    Every form here is sent as UTF-8. Another encoding would only fail later, in the error page
    as well; and a cookie with a NUL fails in PostgreSQL.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        charset = (request.content_params or {}).get("charset", "utf-8")
        if charset.lower() not in ("utf-8", "utf8"):
            return bad_request(request, BadRequest("The encoding is not UTF-8."))
        if not request.COOKIES.get(settings.SESSION_COOKIE_NAME, "a").isalnum():
            del request.COOKIES[settings.SESSION_COOKIE_NAME]
        return get_response(request)

    return middleware


def guard_secret_addresses(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Keep addresses that admit their holder out of Referer headers and of caches.

    A browser takes the last policy it knows. With `no-referrer` alone it also posts
    `Origin: null`, which the CSRF check has to refuse; `strict-origin` keeps the path as secret
    and names the true origin.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.path_info.lstrip("/").partition("/")[0] in SECRET_PATHS:
            response["Referrer-Policy"] = "no-referrer, strict-origin"
            response["Cache-Control"] = "no-store"
        return response

    return middleware


def redirect_whole_pages(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Let a redirect that htmx asked for change the page, not only the part that it swaps.

    So whoever is signed out comes to the sign-in page, and a rematch to its own table.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if getattr(request, "htmx", False) and isinstance(response, HttpResponseRedirect):
            return HttpResponseClientRedirect(response.url)
        return response

    return middleware


def keep_sessions_of_players(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Give the session of whoever acts its full age again, at most once a day.

    Reading a page writes nothing and sets no cookie.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        acted = request.method == "POST" and response.status_code < 400
        if acted and not request.session.is_empty():
            today = timezone.now().date().isoformat()
            if request.session.get("renewed") != today:
                request.session["renewed"] = today
        return response

    return middleware
