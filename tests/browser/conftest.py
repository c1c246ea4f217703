"""A whole house with worker and beat, and Chromium to visit it. Screenshots are kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests import services
from tests.processes.houses import ROOT, environment, running

# In artifacts/, which git ignores: people look at them.
PICTURES = ROOT / "artifacts" / "browser"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
AXE = (Path(__file__).parent / "vendor" / "axe-4.14.1.min.js").read_text()
# One string for each thing that axe finds, with the first place.
FINDINGS = """axe.run().then(({violations}) => violations.map(
    (v) => `${v.id}: ${v.nodes[0].target.join(" ")} (${v.help})`))"""
NARROW, WIDE = (360, 640), (1440, 900)

Visit = Callable[..., Page]


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of `manage.py play` with data of its own."""
    home, port = tmp_path_factory.mktemp("house"), services.free_port()
    address = f"http://localhost:{port}"
    env = environment(GAPLE_DATA=str(home / "data"), GAPLE_ORIGIN=address)
    command = ("manage.py", "play", "--port", str(port))
    with running(*command, env=env, output=home / "log") as process:
        services.wait_for_port(port, process)
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=services.chromium(), args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def visit(house: str, browser: Browser) -> Iterator[Visit]:
    """Open pages as somebody with a fresh browser; what the pages complain of fails the test."""
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    def visit(
        path: str = "/",
        *,
        size: tuple[int, int] = NARROW,
        language: str = "id",
        theme: str = "light",
        scripts: bool = True,
    ) -> Page:
        context = browser.new_context(
            base_url=house,
            viewport={"width": size[0], "height": size[1]},
            locale=language,
            timezone_id="Asia/Jakarta",
            color_scheme="dark" if theme == "dark" else "light",
            java_script_enabled=scripts,
        )
        contexts.append(context)
        context.set_default_timeout(15_000)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda message: (
                complaints.append(message.text)
                if "Content Security Policy" in message.text
                else None
            ),
        )
        page.goto(path)
        return page

    yield visit
    for context in contexts:
        context.close()
    assert not complaints


def check(page: Page, name: str) -> None:
    """Keep a picture; axe finds nothing; nothing needs a sideways scroll."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.evaluate(AXE)
    found: list[str] = page.evaluate(FINDINGS)
    width: int = page.evaluate("document.documentElement.scrollWidth")
    shot = re.sub(r"[^\w-]+", "-", name)
    picture = page.screenshot(full_page=True)
    (PICTURES / f"{shot}.png").write_bytes(picture)
    assert not found, f"{name}: {found}"
    assert page.viewport_size
    assert width <= page.viewport_size["width"], f"{name} is {width} wide"
