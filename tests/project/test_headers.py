"""What every answer carries so that a browser helps to keep the house."""

import re

import pytest
from django.conf import LazySettings
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from gaple_site.logs import SECRET_PATHS
from gaple_site.middleware import guard_secret_addresses


@pytest.fixture
def policy(client: Client) -> dict[str, list[str]]:
    header = client.get("/healthz")["Content-Security-Policy"]
    directives = (directive.split() for directive in header.split(";"))
    return {name: values for name, *values in directives}


def test_scripts_and_styles_come_from_the_site_alone(policy: dict[str, list[str]]) -> None:
    assert policy["default-src"] == policy["script-src"] == policy["style-src"] == ["'self'"]
    assert policy["frame-ancestors"] == policy["object-src"] == policy["base-uri"] == ["'none'"]
    assert not re.search("unsafe|\\*|http", str(policy))


def test_every_answer_says_how_it_may_be_used(client: Client) -> None:
    answer = client.get("/healthz")
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize("word", SECRET_PATHS)
def test_secret_addresses_stay_out_of_referers_and_caches(word: str) -> None:
    answer = guard_secret_addresses(_answer)(RequestFactory().get(f"/{word}/s3cr3t/"))
    assert answer["Referrer-Policy"] == "no-referrer, strict-origin"
    assert answer["Cache-Control"] == "no-store"
    other = guard_secret_addresses(_answer)(RequestFactory().get(f"/{word}18n/"))
    assert "Referrer-Policy" not in other


def _answer(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


def test_a_public_site_is_served_over_https_only(client: Client, settings: LazySettings) -> None:
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_HSTS_SECONDS = 3600
    assert client.get("/admin/")["Location"] == "https://testserver/admin/"
    assert client.get("/healthz", secure=True)["Strict-Transport-Security"] == "max-age=3600"
    # Monitors ask the process itself, behind the proxy.
    assert client.get("/healthz").status_code == 200


def test_a_foreign_host_name_is_refused(client: Client) -> None:
    assert client.get("/healthz", headers={"host": "evil.example"}).status_code == 400
