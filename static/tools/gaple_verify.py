#!/usr/bin/env python3
"""Check that the tiles of a match of Gaple were dealt as promised.

    python3 gaple_verify.py RECORD.json        a record as the site exports it
    python3 gaple_verify.py < RECORD.json      the same from standard input
    python3 gaple_verify.py MANY.jsonl         or one record a line

For each round: the seed hashes to the commitment that was published before anyone could still
set a phrase; the context is built again from game code, round number, nonce and phrases; the
hands, the tiles left over and the first starter follow from seed and context; and every deal
that was thrown away for too many doubles had to be.

Needs Python 3.9 or later and nothing else. Ends with 0 when everything holds, 1 when a deal does
not, 2 when the input cannot be read.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import sys

USAGE = "Usage: python3 gaple_verify.py [RECORD.json | -]"
SIZES = ((4, 6), (4, 7), (5, 5))


class Wrong(Exception):
    """One plain sentence on what does not hold."""


def words(seed, context):
    """The stream of numbers below 2**32 that belongs to a seed and a context."""
    block = 0
    while True:
        message = (context + "|" + str(block)).encode("utf-8")
        digest = hmac.new(seed, message, hashlib.sha256).digest()
        for start in range(0, 32, 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def below(stream, m):
    """A number from 0 up to, not including, m; every one equally likely."""
    limit = 2**32 // m * m
    word = next(stream)
    while word >= limit:
        word = next(stream)
    return word % m


def deal(seed, context, players, size):
    """The hands, each sorted, the tiles left over in order, and the drawn starter."""
    stream = words(seed, context)
    deck = [str(a) + "-" + str(b) for a in range(7) for b in range(a, 7)]
    for i in range(27, 0, -1):
        j = below(stream, i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    hands = [sorted(deck[seat * size : (seat + 1) * size]) for seat in range(players)]
    return hands, deck[players * size :], below(stream, players)


def too_many_doubles(hands, redeal):
    if redeal == "off":
        return False
    return any(sum(tile[0] == tile[2] for tile in hand) >= int(redeal) for hand in hands)


def take(values, key, kind, what):
    """The value of a key, of the kind it must have."""
    if not isinstance(values, dict):
        raise Wrong("The " + what + " cannot be read.")
    if key not in values:
        raise Wrong("The " + what + ' has no "' + key + '".')
    value = values[key]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise Wrong("The " + what + ' has a "' + key + '" that cannot be read.')
    return value


def check_round(code, rules, values, number):
    """Raise Wrong unless this round was dealt as promised; return its nonce."""
    if take(values, "number", int, "round") != number:
        raise Wrong("It is not numbered " + str(number) + ".")
    players, size = rules["players"], rules["tiles"]
    try:
        seed = bytes.fromhex(take(values, "seed", str, "round"))
    except ValueError:
        seed = b""
    if len(seed) != 32:
        raise Wrong("The seed is not 32 bytes in hexadecimal.")
    if hashlib.sha256(seed).hexdigest() != take(values, "commitment", str, "round"):
        raise Wrong("The seed does not hash to the commitment.")

    phrases = take(values, "phrases", list, "round")
    if len(phrases) != players or not all(isinstance(phrase, str) for phrase in phrases):
        raise Wrong("There must be one phrase a seat, empty for none.")
    if any("\x1f" in phrase for phrase in phrases):
        raise Wrong("A phrase holds the character that parts the phrases.")
    nonce = take(values, "nonce", int, "round")
    if nonce < 0:
        raise Wrong("The nonce is negative.")

    def context(of_nonce):
        head = "gaple/1|" + code + "|" + str(number) + "|" + str(of_nonce) + "|"
        return head + "\x1f".join(phrases)

    if take(values, "context", str, "round") != context(nonce):
        raise Wrong("The context is not made of code, round, nonce and phrases.")
    for lower in range(nonce):
        if not too_many_doubles(deal(seed, context(lower), players, size)[0], rules["redeal"]):
            raise Wrong("The deal with nonce " + str(lower) + " was thrown away without a reason.")
    hands, rest, starter = deal(seed, context(nonce), players, size)
    if too_many_doubles(hands, rules["redeal"]):
        raise Wrong("This deal has too many doubles in a hand and had to be dealt again.")

    recorded = take(values, "hands", list, "round")
    for seat in range(players):
        if seat >= len(recorded) or recorded[seat] != hands[seat]:
            raise Wrong("Seat " + str(seat) + " was dealt " + " ".join(hands[seat]) + ".")
    if len(recorded) != players:
        raise Wrong("There are more hands than seats.")
    if take(values, "rest", list, "round") != rest:
        raise Wrong("The tiles left over are " + (" ".join(rest) or "none") + ".")
    if number == 1:
        if not rest:
            starter = [rules["first_lead"] in hand for hand in hands].index(True)
        if take(values, "starter", int, "round") != starter:
            raise Wrong("Seat " + str(starter) + " had to start.")
    return nonce


def read_rules(record):
    rules = take(record, "rules", dict, "record")
    size = (take(rules, "players", int, "rules"), take(rules, "tiles", int, "rules"))
    if size not in SIZES:
        raise Wrong("The rules have a number of players and tiles that is not played.")
    if take(rules, "redeal", str, "rules") not in ("off", "5", "6"):
        raise Wrong('The rules have a "redeal" that is not played.')
    if take(rules, "first_lead", str, "rules") not in ("0-0", "6-6"):
        raise Wrong('The rules have a "first_lead" that is not played.')
    return rules


def check_record(record, name):
    """Print a sentence a round; return (rounds that hold, whether everything does)."""
    try:
        if take(record, "format", str, "record") != "gaple-record":
            raise Wrong("This is not a record of Gaple.")
        if take(record, "version", int, "record") != 1:
            raise Wrong("This version of the record is not known here.")
        code = take(record, "code", str, "record")
        rules = read_rules(record)
        rounds = take(record, "rounds", list, "record")
    except Wrong as wrong:
        print(name + " FAILS: " + str(wrong))
        return 0, False
    good = 0
    for number, values in enumerate(rounds, 1):
        title = name + ", game " + code + ", round " + str(number)
        try:
            nonce = check_round(code, rules, values, number)
        except Wrong as wrong:
            print(title + " FAILS: " + str(wrong))
        except UnicodeError:
            print(title + " FAILS: The game code or a phrase is not text.")
        else:
            good += 1
            again = ", after " + str(nonce) + " redeals that were due" if nonce else ""
            print(title + ": dealt as promised" + again + ".")
    return good, good == len(rounds)


def read(source):
    """The records of a file, "-" for standard input: one JSON value, or one a line."""
    if source == "-":
        text = sys.stdin.buffer.read().decode("utf-8-sig")
    else:
        with open(source, "rb") as file:
            text = file.read().decode("utf-8-sig")
    try:
        return [json.loads(text)]
    except ValueError:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2:
            raise
        return [json.loads(line) for line in lines]


def main(arguments):
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")
    if len(arguments) > 1 or any(a.startswith("-") and a != "-" for a in arguments):
        print(USAGE, file=sys.stderr)
        return 2
    source = arguments[0] if arguments else "-"
    try:
        records = read(source)
    except OSError as error:
        print("Cannot open " + source + ": " + str(error.strerror) + ".", file=sys.stderr)
        return 2
    except (ValueError, RecursionError):
        print("This is not JSON, neither as a whole nor line by line.", file=sys.stderr)
        return 2
    rounds, fine = 0, True
    for number, record in enumerate(records, 1):
        good, whole = check_record(record, "Record " + str(number))
        rounds += good
        fine = fine and whole
    if not fine:
        print("NOT everything was dealt as promised.")
        return 1
    print("All is well: " + str(rounds) + " rounds were dealt as promised.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
