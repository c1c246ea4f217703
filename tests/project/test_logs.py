"""What admits its holder is in no log line."""

import logging

import pytest
from django.conf import settings
from django.views.debug import ExceptionReporter

from gaple_site.logs import NoHostnameNoise, RedactingFormatter, redact


@pytest.mark.parametrize(
    "line",
    [
        '10.0.0.1:5 - "GET /i/s3cr3t HTTP/1.1" 200',
        "Not Found: /i/s3cr3t/join",
        "Not Found: /reset/MQ/s3cr3t-s3cr3t/",
        'GET "/login?next=%2Fi%2Fs3cr3t%2Fjoin"',
        "Referer: https://gaple.example/i/s3cr3t?seat=2",
    ],
)
def test_link_tokens_are_redacted(line: str) -> None:
    assert "s3cr3t" not in redact(line)
    assert "…" in redact(line)


@pytest.mark.parametrize(
    "line",
    [
        '"GET /t/4c1b/?v=3.0&tile=2-6 HTTP/1.1" 200',
        'GET "/sign-in/?next=%2Ft%2F4c1b%2F%3Ftile%3D2-6"',
        "IllegalAction: D 2-6: a tile fits and must be placed",
        "IllegalAction: P 2-6@L: the tile does not fit that end",
    ],
)
def test_tiles_that_were_picked_or_played_are_redacted(line: str) -> None:
    assert "2-6" not in redact(line)


def test_error_reports_hold_no_values_of_variables() -> None:
    hand = "rahasia-" + "2-6"
    try:
        raise ValueError
    except ValueError as fault:
        reporter = ExceptionReporter(None, type(fault), fault, fault.__traceback__)
    assert hand not in reporter.get_traceback_html()
    assert hand not in reporter.get_traceback_text()


@pytest.mark.parametrize("line", ['"GET /i18n/setlang/ HTTP/1.1" 302', "GET /games/4c1b/ 200"])
def test_other_addresses_are_not(line: str) -> None:
    assert redact(line) == line


def test_tracebacks_are_redacted_as_well() -> None:
    try:
        raise ValueError("bad link /i/s3cr3t")
    except ValueError as fault:
        trace = (type(fault), fault, fault.__traceback__)
    record = logging.LogRecord("x", logging.ERROR, "", 0, "at %s", ("/i/s3cr3t",), trace)
    assert "s3cr3t" not in RedactingFormatter().format(record)


def test_every_handler_redacts() -> None:
    handlers = settings.LOGGING["handlers"].values()
    assert {handler["formatter"] for handler in handlers} == {"redacted"}


def test_only_the_noise_is_dropped() -> None:
    noise = logging.LogRecord("x", 30, "", 0, "No hostname was supplied. Reverting…", (), None)
    other = logging.LogRecord("x", 30, "", 0, "Connection lost", (), None)
    assert not NoHostnameNoise().filter(noise)
    assert NoHostnameNoise().filter(other)
