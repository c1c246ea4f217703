"""What never reaches a page."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("charset", ["utf-16", "klingon", "latin-1"])
def test_a_body_in_another_encoding_is_refused(charset: str) -> None:
    kind = f"application/x-www-form-urlencoded; charset={charset}"
    client = Client(enforce_csrf_checks=True)
    response = client.generic("POST", reverse("accounts:sign_in"), b"a=1", content_type=kind)
    assert response.status_code == 400
    assert b"<h1" in response.content


@pytest.mark.parametrize("key", ["a\x00b", "'", "../..", "ä"])
def test_a_garbled_session_is_none(client: Client, key: str) -> None:
    client.cookies["sessionid"] = "x"
    client.cookies["sessionid"].set("sessionid", key, key)
    assert client.get(reverse("games:front")).status_code == 200


def test_an_address_that_is_none_is_no_error() -> None:
    client = Client(REMOTE_ADDR="garbage")
    assert client.post(reverse("games:play_now")).status_code == 302


def test_admins_sign_in_where_everybody_does(client: Client) -> None:
    response = client.get("/admin/", follow=True)
    assert response.redirect_chain[-1][0].startswith(reverse("accounts:sign_in"))
    assert "next=/admin/" in response.redirect_chain[-1][0]
