"""The fair deal bit for bit (R5, R18, R19), against a second program written from the rules."""

from __future__ import annotations

import hashlib
import hmac
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.dealing import (
    Stream,
    clean_phrase,
    commitment,
    deal,
    deal_context,
    deal_once,
    draw_seats,
    redeal_due,
)
from games.engine.errors import Unreadable
from games.engine.options import Options
from tests.engine.strategies import moderate

CODE = "0b7a3c1e-5f1d-4c8e-9a57-0c5d2f9e6a11"
SEED = bytes(range(32))


def words_of(seed: bytes, context: str, blocks: int) -> list[int]:
    """The first words of a stream, all at once."""
    raw = b"".join(
        hmac.new(seed, (context + "|" + str(i)).encode("utf-8"), hashlib.sha256).digest()
        for i in range(blocks)
    )
    return list(struct.unpack(f">{8 * blocks}I", raw))


def shuffled_by_hand(
    seed: bytes, context: str, items: list[str], extra: int | None
) -> tuple[list[str], int]:
    """Items after R19's shuffle, and below(extra) drawn after it."""
    words = words_of(seed, context, 20)
    drawn = iter(range(len(words)))

    def below(m: int) -> int:
        while True:
            word = words[next(drawn)]
            if word < (2**32 // m) * m:
                return word % m

    items = list(items)
    for i in reversed(range(1, len(items))):
        other = below(i + 1)
        items[i], items[other] = items[other], items[i]
    return items, below(extra) if extra else 0


SORTED_DECK = [f"{a}-{b}" for a in range(7) for b in range(7) if a <= b]
phrases = st.lists(st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=8), max_size=5)


@moderate
@given(
    seed=st.binary(min_size=32, max_size=32),
    size=st.sampled_from([(4, 6), (4, 7), (5, 5)]),
    number=st.integers(1, 99),
    nonce=st.integers(0, 9),
    phrases=phrases,
)
def test_a_deal_is_what_a_second_program_deals(
    seed: bytes, size: tuple[int, int], number: int, nonce: int, phrases: list[str]
) -> None:
    players, n = size
    context = "gaple/1|" + CODE + f"|{number}|{nonce}|" + "\x1f".join(phrases)
    assert deal_context(CODE, number, nonce, phrases) == context
    deck, starter = shuffled_by_hand(seed, context, SORTED_DECK, players)
    dealt = deal_once(Options(players=players, tiles=n), seed, context, nonce)
    assert [[str(tile) for tile in hand] for hand in dealt.hands] == [
        sorted(deck[s * n : s * n + n]) for s in range(players)
    ]
    assert [str(tile) for tile in dealt.rest] == deck[players * n :]
    assert (dealt.drawn_starter, dealt.nonce, dealt.context) == (starter, nonce, context)


# (players, tiles, round, phrases): deck by seats and rest, drawn starter. Computed once by the
# second program above and kept, so that both programs changing together is seen too.
VECTORS = {
    (4, 6, 1, ("", "", "", "")): (
        "0-1 1-2 2-6 4-5 5-6 6-6 / 0-2 0-4 1-1 1-5 2-2 3-6 / "
        "0-0 0-3 1-6 2-5 3-5 4-4 / 0-5 1-4 2-3 3-4 4-6 5-5 / 2-4 3-3 0-6 1-3 / 0"
    ),
    (4, 7, 3, ("satu", "dua", "", "é")): (
        "0-2 2-2 2-4 2-5 3-5 4-4 6-6 / 1-1 1-2 1-4 1-6 3-3 5-5 5-6 / "
        "0-0 0-6 2-3 3-4 3-6 4-5 4-6 / 0-1 0-3 0-4 0-5 1-3 1-5 2-6 /  / 2"
    ),
    (5, 5, 2, ("a", "b", "c", "d", "e")): (
        "0-6 1-3 3-4 4-4 4-5 / 0-3 0-5 3-5 3-6 5-5 / 0-2 2-2 2-3 2-6 5-6 / "
        "0-0 0-1 1-1 1-6 4-6 / 0-4 1-2 1-5 2-5 3-3 / 6-6 1-4 2-4 / 1"
    ),
}


@pytest.mark.parametrize("key", VECTORS)
def test_fixed_vectors(key: tuple[int, int, int, tuple[str, ...]]) -> None:
    players, n, number, cut = key
    dealt = deal(Options(players=players, tiles=n), SEED, CODE, number, cut)
    parts = [" ".join(map(str, hand)) for hand in dealt.hands]
    rest = " ".join(map(str, dealt.rest))
    assert " / ".join([*parts, rest, str(dealt.drawn_starter)]) == VECTORS[key]


def test_the_first_words_of_a_stream_are_fixed() -> None:
    stream = Stream(SEED, "gaple/1|test")
    assert [stream.below(2**32) for _ in range(9)] == words_of(SEED, "gaple/1|test", 2)[:9]
    assert words_of(SEED, "gaple/1|test", 1)[:2] == [4253411153, 490942952]


@pytest.mark.parametrize("m", [3 * 2**30, 2**31 + 1])
def test_below_rejects_the_biased_top_of_the_range(m: int) -> None:
    stream = Stream(SEED, "gaple/1|reject")
    accepted = [word for word in words_of(SEED, "gaple/1|reject", 30) if word < m]
    assert len(accepted) < 240
    assert [stream.below(m) for _ in range(50)] == accepted[:50]


def test_the_commitment_hashes_the_raw_bytes() -> None:
    assert commitment(bytes(32)) == (
        "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
    )


@pytest.mark.parametrize("redeal", ["5", "6"])
def test_a_redeal_takes_the_next_nonce_and_the_lowest_that_needs_none(redeal: str) -> None:
    options = Options(tiles=7, redeal=redeal)
    nonces = []
    for number in range(1, 400):
        dealt = deal(options, SEED, CODE, number, ["", "", "", ""])
        nonces.append(dealt.nonce)
        assert dealt.context == f"gaple/1|{CODE}|{number}|{dealt.nonce}|\x1f\x1f\x1f"
        assert not redeal_due(options, dealt.hands)
        for lower in range(dealt.nonce):
            context = deal_context(CODE, number, lower, ["", "", "", ""])
            assert redeal_due(options, deal_once(options, SEED, context, lower).hands)
    if redeal == "5":
        assert max(nonces) >= 1
    assert deal(Options(tiles=7), SEED, CODE, 1, [""] * 4).nonce == 0


def test_a_phrase_changes_the_deal() -> None:
    one = deal(Options(), SEED, CODE, 1, ["", "", "", ""])
    other = deal(Options(), SEED, CODE, 1, ["", "", "", "x"])
    assert one.hands != other.hands


@pytest.mark.parametrize("count", [4, 5])
def test_seats_are_drawn_in_a_context_of_their_own(count: int) -> None:
    joined = [f"person {number}" for number in range(count)]
    expected, _ = shuffled_by_hand(SEED, f"gaple/1|{CODE}|1|seats", joined, None)
    assert draw_seats(SEED, CODE, joined) == expected
    assert joined == [f"person {number}" for number in range(count)]


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("", ""),
        ("  potong!  ", "potong!"),
        ("cafe\u0301", "caf\u00e9"),
        ("x" * 40, "x" * 40),
        ("  " + "e\u0301" * 40, "\u00e9" * 40),
        ("🀱🀲", "🀱🀲"),
    ],
)
def test_a_phrase_is_trimmed_and_composed(typed: str, kept: str) -> None:
    assert clean_phrase(typed) == kept
    assert clean_phrase(kept) == kept


@pytest.mark.parametrize("bad", ["a\x1fb", "a\nb", "a\x00b", "a\x7fb", "a\u2028b", "a\ud800b"])
def test_a_phrase_holds_no_control_characters(bad: str) -> None:
    with pytest.raises(Unreadable) as refused:
        clean_phrase(bad)
    assert refused.value.code == "phrase_control"


@pytest.mark.parametrize("bad", ["x" * 41, "x" * 10_000])
def test_a_phrase_has_at_most_forty_code_points(bad: str) -> None:
    with pytest.raises(Unreadable) as refused:
        clean_phrase(bad)
    assert refused.value.code == "phrase_length"
