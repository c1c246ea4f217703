"""Whole rounds by clicking: alone against bots, with a friend, and without scripts."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Locator, Page, expect

from .conftest import WIDE, Visit, check

pytestmark = pytest.mark.browser

PATIENCE = 120.0


def move(page: Page) -> bool:
    """Pick up the first tile that may be played and play it; False when it is not my turn."""
    if not page.locator("#table.my-turn").count():
        return False
    choice = page.locator("button[id^='choice-']").first
    if not choice.count():
        page.locator(".hand .fits a").first.click()
    choice.wait_for()
    before = _ply(page)
    choice.click()
    expect(
        page.locator("#table:not(.my-turn), #table.finished").or_(_other_ply(page, before))
    ).not_to_have_count(0)
    return True


def _ply(page: Page) -> str:
    return page.locator("input[name='ply']").get_attribute("value") or ""


def _other_ply(page: Page, ply: str) -> Locator:
    return page.locator(f"input[name='ply']:not([value='{ply}'])")


def is_over(page: Page) -> bool:
    return page.locator("#table.finished").count() > 0


def play_out(*pages: Page, reload: bool = False) -> int:
    """Play for all of them until the match is over."""
    moves, end = 0, time.monotonic() + PATIENCE
    while not all(is_over(page) for page in pages):
        assert time.monotonic() < end, "the match does not end"
        moved = sum(move(page) for page in pages)
        moves += moved
        if not moved:
            pages[0].wait_for_timeout(100)
            for page in pages if reload else ():
                page.reload()
    return moves


def test_a_guest_plays_a_round_against_three_bots(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("button", name="Main sekarang").click()
    expect(page.locator("#table.my-turn")).to_be_visible()
    check(page, "play-1-turn")
    page.locator(".hand .fits a").first.click()
    expect(page).to_have_url(re.compile(r"\?tile=\d-\d$"))
    check(page, "play-2-picked")
    # The choice survives a refresh that comes by itself.
    page.evaluate("document.getElementById('table').dispatchEvent(new Event('gaple:refresh'))")
    page.wait_for_timeout(400)
    expect(page.locator(".hand .picked")).to_have_count(1)
    assert play_out(page) >= 3
    check(page, "play-3-over")

    page.get_by_role("link", name="Lihat semua kartu").click()
    expect(page.locator(".standings > li")).to_have_count(4)
    check(page, "play-4-round")
    page.get_by_role("link", name="Putar ulang").click()
    page.wait_for_url("**/replay/")
    page.wait_for_load_state("load")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"\?ply=1$"))
    check(page, "play-5-replay")
    page.get_by_role("link", name="Periksa kocokan").click()
    expect(page.locator("#verdict.good")).to_be_visible()
    check(page, "play-6-deal")
    page.go_back()
    expect(page).to_have_url(re.compile(r"\?ply=1$"))


def test_a_friend_joins_by_link_and_they_play(visit: Visit) -> None:
    host = visit("/tables/new/", language="en", size=WIDE)
    host.locator("#id_name").fill("Sari")
    host.get_by_role("button", name="Make the table").click()
    link = host.locator("#invite-url").input_value()
    check(host, "friends-1-lobby")

    friend = visit(link)
    expect(friend.locator("h1")).to_contain_text("Sari")
    assert friend.locator("input[name='phrase']").input_value(), "a phrase is filled in"
    check(friend, "friends-2-invitation")
    friend.locator("#id_name").fill("Budi")
    friend.get_by_role("button", name="Duduk").click()

    # The host's page learns of it by itself.
    expect(host.locator(".sitting")).to_contain_text("Budi")
    host.get_by_role("button", name="Fill with bots").click()
    start = host.get_by_role("button", name="Start the match")
    start.click()
    expect(friend.locator("#table.playing")).to_be_visible()
    check(host, "friends-3-table")
    assert play_out(host, friend) >= 6
    check(host, "friends-4-over-host")
    check(friend, "friends-5-over-friend")

    # Asked twice, there is one rematch, and both sit at it.
    host.get_by_role("button", name="Play again with the same people").click()
    expect(host.locator("#table")).to_be_visible()
    friend.reload()
    friend.get_by_role("button", name=re.compile("Ikut main lagi|Main lagi")).click()
    expect(friend.locator("#table")).to_be_visible()
    assert friend.url.split("?")[0] == host.url.split("?")[0]


def test_a_round_without_scripts(visit: Visit) -> None:
    page = visit("/", scripts=False)
    page.get_by_role("button", name="Main sekarang").click()
    assert play_out(page, reload=True) >= 3
    page.get_by_role("link", name="Lihat semua kartu").click()
    expect(page.locator(".standings > li")).to_have_count(4)


def test_an_illegal_action_redraws_the_board_with_a_sentence(visit: Visit) -> None:
    page = visit("/", language="en")
    page.get_by_role("button", name="Play now").click()
    expect(page.locator("#table.my-turn")).to_be_visible()
    page.locator(".hand .fits a").first.click()
    choice = page.locator("button[id^='choice-']").first
    choice.wait_for()
    choice.evaluate("(button) => button.value = 'P 9-9@L'")
    choice.click()
    expect(page.locator(".problem")).to_be_visible()
    expect(page.locator(".hand")).to_be_visible()
    check(page, "problem")


def test_no_answer_is_told_and_can_be_tried_again(visit: Visit) -> None:
    page = visit("/", language="en")
    page.get_by_role("button", name="Play now").click()
    expect(page.locator("#table.my-turn")).to_be_visible()
    page.locator(".hand .fits a").first.click()
    choice = page.locator("button[id^='choice-']").first
    choice.wait_for()
    page.route("**/act/", lambda route: route.abort())
    choice.click()
    expect(page.locator("#toast.shown")).to_contain_text("Try again")
    page.unroute("**/act/")
    before = _ply(page)
    choice.click()
    expect(_other_ply(page, before).or_(page.locator("#table.finished"))).not_to_have_count(0)


def test_a_double_click_plays_once(visit: Visit) -> None:
    page = visit("/", language="en")
    page.get_by_role("button", name="Play now").click()
    expect(page.locator("#table.my-turn")).to_be_visible()
    held = page.locator(".hand li").count()
    page.locator(".hand .fits a").first.click()
    choice = page.locator("button[id^='choice-']").first
    choice.wait_for()
    choice.dblclick()
    expect(page.locator(".hand li")).to_have_count(held - 1)
    page.wait_for_timeout(1500)
    expect(page.locator(".problem")).to_have_count(0)
    assert page.locator(".hand li").count() >= held - 1


def test_a_refresh_keeps_what_somebody_types_and_opened(visit: Visit) -> None:
    host = visit("/tables/new/", language="en")
    host.get_by_role("button", name="Make the table").click()
    phrase = host.locator("#phrase")
    phrase.fill("half a wor")
    friend = visit(host.locator("#invite-url").input_value(), language="en")
    phrase.focus()
    friend.get_by_role("button", name="Sit down").click()
    expect(host.locator(".sitting .taken")).to_have_count(2)
    assert phrase.input_value() == "half a wor"
    expect(phrase).to_be_focused()
