"""Which addresses are secrets, and how log lines lose them."""

import logging
import re

# The first word of each path whose next word admits whoever holds it.
SECRET_PATHS = ("i", "reset")

# Also as a percent-encoded `?next=`, and in tracebacks: whatever is printed passes through here.
_SECRET = re.compile(
    rf"((?:/|%2F)(?:{'|'.join(SECRET_PATHS)})(?:/|%2F))[^\s\"'<>?&#]+", re.IGNORECASE
)
# ?tile= says what somebody picked up, perhaps to lay it face down.
_PICKED = re.compile(r"((?:[?&]|%3F|%26)tile(?:=|%3D))[^\s\"'<>&#]+", re.IGNORECASE)
# An action in notation, in a traceback say: a discard names a tile that nobody else may know.
_ACTION = re.compile(r"\b([PD]) [0-6]-[0-6](?:@[LR])?")


def redact(line: str) -> str:
    """Return the line without link tokens, and without the tiles of picks and actions.

    >>> redact("GET /i/4fz8Kq/join?seat=2 302")
    'GET /i/…?seat=2 302'
    """
    return _ACTION.sub(r"\1 …", _PICKED.sub(r"\1…", _SECRET.sub(r"\1…", line)))


class RedactingFormatter(logging.Formatter):
    """Redacts the finished line, so that arguments and tracebacks are covered as well."""

    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record))


class NoHostnameNoise(logging.Filter):
    """Drops what the memory transport says, at every connection, about a host it has no use for."""

    def filter(self, record: logging.LogRecord) -> bool:
        return "No hostname was supplied" not in record.getMessage()
