"""Every address of the site."""

from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import include, path

from gaple_site import health


def sign_in_to_admin(request: HttpRequest) -> HttpResponse:
    return redirect_to_login(request.GET.get("next", "/admin/"))


admin.site.site_header = admin.site.site_title = "Gaple"

urlpatterns = [
    # Asked for by pages that name no icon, such as the admin's.
    path("favicon.ico", lambda request: redirect(static("img/favicon.svg"))),
    path("healthz", health.alive, name="healthz"),
    path("readyz", health.ready, name="readyz"),
    # One way in for all, with its throttle.
    path("admin/login/", sign_in_to_admin),
    path("admin/", admin.site.urls),
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include("accounts.urls")),
    path("", include("games.urls")),
]
