"""Every address of the site."""

from django.contrib import admin
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import include, path

from gaple_site import health

admin.site.site_header = admin.site.site_title = "Gaple"

urlpatterns = [
    # Asked for by pages that name no icon, such as the admin's.
    path("favicon.ico", lambda request: redirect(static("img/favicon.svg"))),
    path("healthz", health.alive, name="healthz"),
    path("readyz", health.ready, name="readyz"),
    path("admin/", admin.site.urls),
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include("accounts.urls")),
    path("", include("games.urls")),
]
