"""The stand-alone check of exported records, run as anybody would run it."""

from __future__ import annotations

import ast
import copy
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from games.engine.dealing import commitment, deal_context, deal_once
from games.engine.options import Match, Options
from tests.selfplay import OPTION_SETS, play_match

SCRIPT = Path(__file__).parents[2] / "static" / "tools" / "gaple_verify.py"
Json = dict[str, Any]


def verify(*arguments: str, stdin: bytes = b"") -> tuple[int, str]:
    """Exit code and everything printed."""
    done = subprocess.run(
        [sys.executable, "-I", str(SCRIPT), *arguments],
        input=stdin,
        capture_output=True,
        check=False,
        timeout=60,
    )
    printed = (done.stdout + done.stderr).decode()
    assert "Traceback" not in printed
    return done.returncode, printed


def as_json(*records: object) -> bytes:
    return "\n".join(json.dumps(record) for record in records).encode()


GOOD: Json = play_match(Options(match=Match("rounds", n=2)), 5).as_dict()


def test_one_record_from_a_file_pretty_printed(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    path.write_text(json.dumps(GOOD, indent=2, ensure_ascii=False), encoding="utf-8")
    code, printed = verify(str(path))
    assert code == 0
    assert f"Record 1, game {GOOD['code']}, round 2: dealt as promised." in printed
    assert printed.splitlines()[-1] == "All is well: 2 rounds were dealt as promised."


@pytest.mark.parametrize("arguments", [(), ("-",)])
def test_all_option_sets_one_record_a_line_from_standard_input(arguments: tuple[str]) -> None:
    records = [play_match(options, 3).as_dict() for options in OPTION_SETS.values()]
    code, printed = verify(*arguments, stdin=as_json(*records))
    rounds = sum(len(record["rounds"]) for record in records)
    assert code == 0
    assert f"All is well: {rounds} rounds" in printed


def redealt() -> Json:
    """A record whose first round was dealt again."""
    options = Options(tiles=7, redeal="5")
    return next(
        record.as_dict()
        for record in (play_match(options, number) for number in range(1, 500))
        if record.rounds[0].deal.nonce == 1
    )


def test_a_redeal_that_was_due() -> None:
    record = redealt()
    code, printed = verify(stdin=as_json(record))
    assert (code, "after 1 redeals that were due" in printed) == (0, True)
    record["rules"]["redeal"] = "off"
    code, printed = verify(stdin=as_json(record))
    assert code == 1
    assert "nonce 0 was thrown away without a reason" in printed


def redeal_left_out(record: Json) -> None:
    record.update(redealt())
    one = record["rounds"][0]
    one["nonce"] = 0
    one["context"] = deal_context(record["code"], 1, 0, one["phrases"])
    options = Options.from_dict(record["rules"])
    dealt = deal_once(options, bytes.fromhex(one["seed"]), one["context"], 0)
    one["hands"] = [[str(tile) for tile in hand] for hand in dealt.hands]


def other_seed(record: Json) -> None:
    record["rounds"][1]["seed"] = "11" * 32


def other_seed_and_commitment(record: Json) -> None:
    other_seed(record)
    record["rounds"][1]["commitment"] = commitment(bytes.fromhex("11" * 32))


def swapped_tiles(record: Json) -> None:
    hands = record["rounds"][0]["hands"]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]


def other_phrase(record: Json) -> None:
    record["rounds"][0]["phrases"][0] = "other"


def other_starter(record: Json) -> None:
    record["rounds"][0]["starter"] = (record["rounds"][0]["starter"] + 1) % 4


def other_rest(record: Json) -> None:
    record["rounds"][0]["rest"].reverse()


def set_in(*path: Any, to: object) -> Callable[[Json], None]:
    def change(record: Json) -> None:
        inner: Any = record
        for step in path[:-1]:
            inner = inner[step]
        inner[path[-1]] = to

    return change


FIRST = ("rounds", 0)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (other_seed, "round 2 FAILS: The seed does not hash to the commitment."),
        (other_seed_and_commitment, "round 2 FAILS: Seat 0 was dealt"),
        (swapped_tiles, "round 1 FAILS: Seat 0 was dealt"),
        (other_phrase, "The context is not made of code, round, nonce and phrases."),
        (other_starter, "had to start."),
        (other_rest, "The tiles left over are"),
        (redeal_left_out, "had to be dealt again."),
        (set_in("code", to="another"), "The context is not made of"),
        (set_in("code", to=5), 'a "code" that cannot be read'),
        (set_in("format", to="x"), "This is not a record of Gaple."),
        (set_in("version", to=2), "This version of the record is not known here."),
        (set_in("rules", to=None), 'a "rules" that cannot be read'),
        (set_in("rules", "tiles", to=9), "a number of players and tiles that is not played"),
        (set_in("rules", "redeal", to="7"), '"redeal" that is not played'),
        (set_in("rules", "first_lead", to="7"), '"first_lead" that is not played'),
        (set_in("rounds", to={}), 'a "rounds" that cannot be read'),
        (set_in(*FIRST, to=7), "The round cannot be read."),
        (set_in(*FIRST, "number", to=3), "It is not numbered 1."),
        (set_in(*FIRST, "number", to=True), 'a "number" that cannot be read'),
        (set_in(*FIRST, "seed", to="zz"), "The seed is not 32 bytes"),
        (set_in(*FIRST, "nonce", to=-1), "The nonce is negative."),
        (set_in(*FIRST, "nonce", to=10**9), "The context is not made of"),
        (set_in(*FIRST, "phrases", to=[]), "one phrase a seat"),
        (set_in(*FIRST, "phrases", to=[1, 2, 3, 4]), "one phrase a seat"),
        (set_in(*FIRST, "phrases", 0, to="a\x1fb"), "the character that parts the phrases"),
        (set_in(*FIRST, "phrases", 0, to="\ud800"), "The context is not made of"),
        (set_in(*FIRST, "hands", to=[]), "Seat 0 was dealt"),
        (set_in(*FIRST, "hands", 3, to=None), "Seat 3 was dealt"),
        (set_in(*FIRST, "starter", to="0"), 'a "starter" that cannot be read'),
        (set_in(*FIRST, "context", to=None), 'a "context" that cannot be read'),
    ],
)
def test_what_does_not_hold_is_said_in_a_sentence(
    change: Callable[[Json], None], sentence: str
) -> None:
    record = copy.deepcopy(GOOD)
    change(record)
    code, printed = verify(stdin=as_json(GOOD, record))
    assert code == 1
    assert sentence in printed
    assert printed.splitlines()[-1] == "NOT everything was dealt as promised."


def test_a_text_that_is_none_does_not_break_it() -> None:
    record = copy.deepcopy(GOOD)
    one = record["rounds"][0]
    one["phrases"][0] = "\ud800"
    one["context"] = deal_context(record["code"], 1, 0, one["phrases"])
    code, printed = verify(stdin=as_json(record))
    assert (code, "a phrase is not text" in printed) == (1, True)


@pytest.mark.parametrize("key", ["number", "seed", "commitment", "phrases", "nonce", "hands"])
def test_a_missing_key_is_named(key: str) -> None:
    record = copy.deepcopy(GOOD)
    del record["rounds"][0][key]
    code, printed = verify(stdin=as_json(record))
    assert (code, f'The round has no "{key}".' in printed) == (1, True)


@pytest.mark.parametrize(
    "text", [b"", b"hello", b"{", b'{"a": 1}\nno', b"\xff\xfe\x00", b"[" * 100_000, b"1" * 9999]
)
def test_what_is_not_json_is_refused(text: bytes) -> None:
    code, printed = verify(stdin=text)
    assert (code, printed) == (2, "This is not JSON, neither as a whole nor line by line.\n")


@pytest.mark.parametrize("text", [b"[]", b"5", b"null", b'"x"', b"{}"])
def test_json_that_is_no_record_fails(text: bytes) -> None:
    code, printed = verify(stdin=text)
    assert code == 1
    assert "Record 1 FAILS: The record " in printed


@pytest.mark.parametrize("arguments", [("a", "b"), ("--help",), ("-x",)])
def test_a_wrong_call_shows_the_usage(arguments: tuple[str, ...]) -> None:
    code, printed = verify(*arguments)
    assert code == 2
    assert printed.startswith("Usage: ")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    code, printed = verify(str(tmp_path / "nothing.json"))
    assert code == 2
    assert printed.startswith("Cannot open ")


def test_it_needs_the_standard_library_of_python_3_9_alone() -> None:
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"), feature_version=(3, 9))
    imported = {
        name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names
    }
    assert imported == {"hashlib", "hmac", "json", "sys"}
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert modules == {"__future__"}
