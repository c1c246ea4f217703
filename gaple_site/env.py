"""Typed readers for environment variables; a bad value is refused with a sentence, at start.

An empty value counts as not set, because compose files and unit files like to pass such.
"""

import os
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

YES = {"1", "true", "yes", "on"}
NO = {"0", "false", "no", "off"}

# The first connection of each thread runs these.
# IMMEDIATE: with SQLite's own DEFERRED, two read-then-write transactions lock each other out.
SQLITE_OPTIONS: dict[str, Any] = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": (
        "PRAGMA journal_mode=WAL;"
        "PRAGMA synchronous=NORMAL;"
        "PRAGMA mmap_size=134217728;"
        "PRAGMA journal_size_limit=27103364"
    ),
}


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def flag(name: str, default: bool = False) -> bool:
    value = text(name).lower()
    if not value:
        return default
    if value in YES:
        return True
    if value in NO:
        return False
    raise ImproperlyConfigured(f"{name} must be yes or no, not {value!r}.")


def number(name: str, default: int, *, least: int = 0) -> int:
    value = text(name)
    if not value:
        return default
    if not value.isdecimal() or int(value) < least:
        raise ImproperlyConfigured(f"{name} must be a whole number from {least}, not {value!r}.")
    return int(value)


def words(name: str) -> list[str]:
    """Return the comma-separated words, without the empty ones."""
    return [word.strip() for word in text(name).split(",") if word.strip()]


def origin(name: str, default: str) -> SplitResult:
    """Return the address people type: a scheme and a host, nothing behind them."""
    value = text(name, default)
    parts = _split(name, value)
    if (
        parts.scheme not in {"http", "https"}
        or not parts.hostname
        or parts.username is not None
        or parts.path.strip("/")
        or parts.query
        or parts.fragment
    ):
        raise ImproperlyConfigured(
            f"{name} must look like https://gaple.example.org, not {value!r}."
        )
    return parts


def broker(name: str, default: str) -> str:
    """Return the broker's address; only brokers that were seen to keep their promises pass.

    The file system and SQL transports lost messages when a worker was killed.
    """
    value = text(name, default)
    if not value.startswith(("memory://", "redis://", "rediss://")):
        # The value is not repeated: it may hold a password.
        raise ImproperlyConfigured(
            f"{name} must begin with redis:// or rediss://, or be memory://."
        )
    return value


def database(name: str, default: str, *, connections: int) -> dict[str, Any]:
    """Return Django's database settings for postgres://… or sqlite:///path.

    `connections` bounds the pool that each process keeps to PostgreSQL.
    """
    parts = _split(name, text(name, default))
    if parts.scheme == "sqlite":
        return _sqlite(name, parts)
    if parts.scheme in {"postgres", "postgresql"}:
        return _postgres(name, parts, connections)
    raise ImproperlyConfigured(f"{name} must begin with postgres:// or sqlite:///.")


def _sqlite(name: str, parts: SplitResult) -> dict[str, Any]:
    path = unquote(parts.path).removeprefix("/")
    if parts.netloc or not path:
        raise ImproperlyConfigured(
            f"{name} needs three slashes and a file: sqlite:///relative/path or sqlite:////absolute/path."
        )
    return {"ENGINE": "django.db.backends.sqlite3", "NAME": path, "OPTIONS": dict(SQLITE_OPTIONS)}


def _postgres(name: str, parts: SplitResult, connections: int) -> dict[str, Any]:
    if not parts.path.strip("/"):
        raise ImproperlyConfigured(f"{name} lacks the database's name at its end.")
    options: dict[str, Any] = dict(parse_qsl(parts.query))
    # A socket folder or a second host cannot stand before the path, so libpq allows ?host=.
    host = options.pop("host", None) or unquote(parts.hostname or "")
    options["pool"] = {"min_size": 1, "max_size": connections, "timeout": 10}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.removeprefix("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": str(_port(name, parts) or ""),
        "OPTIONS": options,
    }


def mail(name: str, default: str) -> dict[str, Any]:
    """Return Django's EMAIL_… settings for console:// or smtp[s]://user:password@host:port.

    smtp:// speaks STARTTLS unless the address ends in ?tls=no; smtps:// is encrypted throughout.
    """
    parts = _split(name, text(name, default))
    if parts.scheme == "console":
        return {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}
    if parts.scheme not in {"smtp", "smtps"} or not parts.hostname:
        raise ImproperlyConfigured(
            f"{name} must be console:// or look like smtp://user:password@mail.example.org:587."
        )
    encrypted = parts.scheme == "smtps"
    plain = dict(parse_qsl(parts.query)).get("tls") in NO
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": _port(name, parts) or (465 if encrypted else 587),
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_SSL": encrypted,
        "EMAIL_USE_TLS": not encrypted and not plain,
        # A mail server that does not answer must not hold a worker for ever.
        "EMAIL_TIMEOUT": 15,
    }


def _split(name: str, value: str) -> SplitResult:
    try:
        return urlsplit(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name} is not a readable address.") from None


def _port(name: str, parts: SplitResult) -> int | None:
    try:
        return parts.port
    except ValueError:
        raise ImproperlyConfigured(f"{name} has a port that is not a number up to 65535.") from None
