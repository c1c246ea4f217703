"""Every page in both languages, on a phone and a desk, light and dark: axe finds nothing."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .conftest import NARROW, WIDE, Visit, check

pytestmark = pytest.mark.browser

OPEN_PAGES = (
    "/",
    "/rules/",
    "/tables/",
    "/tables/new/",
    "/sign-in/",
    "/sign-up/",
    "/password/reset/",
    "/nothing-here/",
)
# What the page and all it loaded weigh, unpacked.
LOADED = """["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type))
    .map((entry) => [entry.name, entry.decodedBodySize])"""
PEOPLES_PAGES = ("/games/", "/settings/", "/sign-up/")
LOOKS = list(product(("id", "en"), (NARROW, WIDE), ("light", "dark")))


@pytest.mark.parametrize(("language", "size", "theme"), LOOKS)
def test_pages_are_accessible(
    visit: Visit, language: str, size: tuple[int, int], theme: str
) -> None:
    look = f"{language}-{size[0]}-{theme}"
    page = visit("/", language=language, size=size, theme=theme)
    for path in OPEN_PAGES:
        page.goto(path)
        assert page.locator("h1").count() == 1
        check(page, f"open{path}{look}")
    page.goto("/")
    page.locator("form[action='/play-now/'] button").click()
    table = page.url
    check(page, f"table-{look}")
    for path in PEOPLES_PAGES:
        page.goto(path)
        check(page, f"guest{path}{look}")
    page.goto(table)
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    _make_table(page)
    check(page, f"lobby-{look}")


def _make_table(page: Page) -> None:
    page.goto("/tables/new/")
    page.locator("#more summary").click()
    page.locator("button.big").click()
    page.locator("#invite-url").wait_for()


def test_first_table_page_is_light_and_asks_no_other_site(visit: Visit) -> None:
    page = visit()
    page.locator("form[action='/play-now/'] button").click()
    page.locator("#table").wait_for()
    page.wait_for_timeout(500)
    loaded: list[list[Any]] = page.evaluate(LOADED)
    assert {address.split("/")[2] for address, _size in loaded} == {page.url.split("/")[2]}
    # The stream, and what is fetched anew when the bots have played, come after the first page.
    later = ("/events/", "?v=")
    first = [size for address, size in loaded if not any(part in address for part in later)]
    assert sum(first) < 100_000


def test_new_table_says_at_once_what_a_choice_means(visit: Visit) -> None:
    page = visit("/tables/new/", language="en")
    page.get_by_text("Lewat", exact=True).click()
    page.locator("#paragraph").get_by_text("Who cannot place a tile passes.").wait_for()


def test_theme_pips_and_numerals_are_a_choice(visit: Visit) -> None:
    page = visit()
    page.locator("form[action='/play-now/'] button").click()
    table = page.url
    page.goto("/settings/")
    page.locator("#id_theme").select_option("dark")
    page.locator("#id_colour_pips").check()
    page.locator("#id_large_numerals").check()
    page.locator("form.sheet button.big").click()
    page.goto(table)
    html = page.locator("html")
    assert html.get_attribute("data-theme") == "dark"
    assert html.get_attribute("data-pips") == "colour"
    assert html.get_attribute("data-numerals") == "large"
    check(page, "table-colour-numerals-dark")


def test_signing_out_and_in_again_keeps_the_seat(visit: Visit) -> None:
    page = visit(language="en")
    page.locator("form[action='/play-now/'] button").click()
    table = page.url
    page.goto("/sign-up/")
    page.locator("#id_username").fill("SekarAyu")
    page.locator("#id_password1").fill("warung-kopi-28")
    page.locator("#id_password2").fill("warung-kopi-28")
    page.locator("form.sheet button.big").click()
    expect(page.locator(".errorlist")).to_have_count(0)
    page.wait_for_url("**/games/")
    page.locator("details.menu summary").click()
    page.get_by_role("button", name="Sign out").click()
    page.goto("/sign-in/")
    page.locator("#id_username").fill("SekarAyu")
    page.locator("#id_password").fill("warung-kopi-28")
    page.locator("form.sheet button.big").click()
    page.goto(table)
    assert page.locator(".hand li").count()
