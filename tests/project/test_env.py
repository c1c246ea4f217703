"""Environment variables: read with a type, or refused with a sentence that names the variable."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from gaple_site import env


@pytest.fixture(autouse=True)
def variable(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.delenv("X", raising=False)
    return monkeypatch


@pytest.mark.parametrize("empty", [None, "", "  "])
def test_an_empty_value_counts_as_not_set(variable: pytest.MonkeyPatch, empty: str | None) -> None:
    if empty is not None:
        variable.setenv("X", empty)
    assert env.text("X", "default") == "default"
    assert env.flag("X", True) is True
    assert env.number("X", 8) == 8
    assert env.words("X") == []
    assert env.broker("X", "memory://") == "memory://"


@pytest.mark.parametrize(
    ("value", "meaning"), [("1", True), ("Yes", True), ("on", True), ("0", False), ("FALSE", False)]
)
def test_flags(variable: pytest.MonkeyPatch, value: str, meaning: bool) -> None:
    variable.setenv("X", value)
    assert env.flag("X") is meaning


def test_words_are_separated_by_commas(variable: pytest.MonkeyPatch) -> None:
    variable.setenv("X", "a.example, b.example,,")
    assert env.words("X") == ["a.example", "b.example"]


def test_postgres_address(variable: pytest.MonkeyPatch) -> None:
    variable.setenv("X", "postgres://ayu:p%40ss@db.example:6543/gaple?sslmode=require")
    assert env.database("X", "", connections=11) == {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "gaple",
        "USER": "ayu",
        "PASSWORD": "p@ss",
        "HOST": "db.example",
        "PORT": "6543",
        "OPTIONS": {"sslmode": "require", "pool": {"min_size": 1, "max_size": 11, "timeout": 10}},
    }


def test_postgres_by_socket(variable: pytest.MonkeyPatch) -> None:
    variable.setenv("X", "postgresql:///gaple?host=/run/postgresql")
    database = env.database("X", "", connections=1)
    assert (database["HOST"], database["PORT"]) == ("/run/postgresql", "")


@pytest.mark.parametrize(
    ("value", "path"),
    [("sqlite:////srv/gaple.sqlite3", "/srv/gaple.sqlite3"), ("sqlite:///a%20b.db", "a b.db")],
)
def test_sqlite_takes_the_write_lock_at_the_start_of_a_transaction(
    variable: pytest.MonkeyPatch, value: str, path: str
) -> None:
    variable.setenv("X", value)
    database = env.database("X", "", connections=1)
    assert database["NAME"] == path
    assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in database["OPTIONS"]["init_command"]


def test_mail_is_printed_unless_a_server_is_named() -> None:
    assert env.mail("X", "console://")["EMAIL_BACKEND"].endswith("console.EmailBackend")


@pytest.mark.parametrize(
    ("value", "port", "ssl", "tls"),
    [
        ("smtp://mail.example", 587, False, True),
        ("smtp://mail.example:25?tls=no", 25, False, False),
        ("smtps://mail.example", 465, True, False),
    ],
)
def test_mail_servers(
    variable: pytest.MonkeyPatch, value: str, port: int, ssl: bool, tls: bool
) -> None:
    variable.setenv("X", value)
    mail = env.mail("X", "")
    assert (mail["EMAIL_PORT"], mail["EMAIL_USE_SSL"], mail["EMAIL_USE_TLS"]) == (port, ssl, tls)


@pytest.mark.parametrize(
    ("reader", "value"),
    [
        (lambda: env.flag("X"), "perhaps"),
        (lambda: env.number("X", 1, least=1), "0"),
        (lambda: env.number("X", 1), "-1"),
        (lambda: env.number("X", 1), "many"),
        (lambda: env.origin("X", ""), "gaple.example"),
        (lambda: env.origin("X", ""), "ftp://gaple.example"),
        (lambda: env.origin("X", ""), "https://gaple.example/play"),
        (lambda: env.origin("X", ""), "https://[gaple"),
        (lambda: env.broker("X", ""), "filesystem://"),
        (lambda: env.broker("X", ""), "sqla+postgresql://secret@db/x"),
        (lambda: env.database("X", "", connections=1), "mysql://secret@db/x"),
        (lambda: env.database("X", "", connections=1), "postgres://db.example"),
        (lambda: env.database("X", "", connections=1), "postgres://db.example:port/x"),
        (lambda: env.database("X", "", connections=1), "sqlite://file.db"),
        (lambda: env.mail("X", ""), "imap://secret@mail.example"),
        (lambda: env.mail("X", ""), "smtp://"),
    ],
)
def test_a_bad_value_is_refused_by_the_name_of_its_variable(
    variable: pytest.MonkeyPatch, reader: object, value: str
) -> None:
    variable.setenv("X", value)
    assert callable(reader)
    with pytest.raises(ImproperlyConfigured, match=r"^X .*\.$") as refusal:
        reader()
    assert "secret" not in str(refusal.value)
