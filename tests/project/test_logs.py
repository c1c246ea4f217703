"""What admits its holder is in no log line."""

import logging

import pytest
from django.conf import settings

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
