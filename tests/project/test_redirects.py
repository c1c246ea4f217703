"""A redirect that htmx follows changes the page."""

import pytest
from django.test import Client
from django.urls import reverse

pytestmark = pytest.mark.django_db


def test_htmx_is_sent_to_the_sign_in_page_as_a_whole(client: Client) -> None:
    response = client.get(reverse("games:mine"), headers={"HX-Request": "true"})
    assert response.status_code == 200
    assert response["HX-Redirect"].startswith(reverse("accounts:sign_in"))
    assert response.content == b""


def test_a_browser_without_htmx_is_redirected_as_ever(client: Client) -> None:
    response = client.get(reverse("games:mine"))
    assert response.status_code == 302
    assert "HX-Redirect" not in response
