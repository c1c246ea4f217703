"""The provably fair deal (R5, R18–R19)."""

from __future__ import annotations

import hashlib
import hmac
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from games.engine.errors import Unreadable
from games.engine.options import Options
from games.engine.tiles import DECK, Tile

T = TypeVar("T")
PHRASE_LENGTH = 40
_SEPARATOR = "\u001f"


class Stream:
    """Numbers drawn from HMAC-SHA-256 blocks of a seed and a context (R19)."""

    def __init__(self, seed: bytes, context: str) -> None:
        self._words = _words(seed, context)

    def below(self, m: int) -> int:
        """A number from 0 up to, not including, m; every one equally likely."""
        limit = 2**32 // m * m
        return next(word for word in self._words if word < limit) % m

    def shuffle(self, items: list[T]) -> None:
        """Shuffle in place, from the last item down."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]


def _words(seed: bytes, context: str) -> Iterator[int]:
    block = 0
    while True:
        digest = hmac.digest(seed, f"{context}|{block}".encode(), "sha256")
        for offset in range(0, 32, 4):
            yield int.from_bytes(digest[offset : offset + 4], "big")
        block += 1


@dataclass(frozen=True, slots=True)
class Deal:
    """One round's tiles as dealt. `rest` is in deck order, its first tile opens the layout."""

    hands: tuple[tuple[Tile, ...], ...]
    rest: tuple[Tile, ...]
    drawn_starter: int
    nonce: int
    context: str


def commitment(seed: bytes) -> str:
    """SHA-256 of the seed's 32 raw bytes, in hex (R18)."""
    return hashlib.sha256(seed).hexdigest()


def clean_phrase(text: str) -> str:
    """A phrase as it enters the deal: NFC, trimmed, at most 40 code points, no controls (R18)."""
    phrase = unicodedata.normalize("NFC", text).strip()
    if len(phrase) > PHRASE_LENGTH:
        raise Unreadable("phrase_length", f"a phrase has at most {PHRASE_LENGTH} characters")
    if any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in phrase):
        raise Unreadable("phrase_control", "a phrase holds no control characters")
    return phrase


def deal_context(code: str, number: int, nonce: int, phrases: Sequence[str]) -> str:
    """The context of one deal; `code` is the lower-case hyphenated UUID of the game (R19)."""
    return f"gaple/1|{code}|{number}|{nonce}|{_SEPARATOR.join(phrases)}"


def deal_once(options: Options, seed: bytes, context: str, nonce: int) -> Deal:
    """The deal of one nonce, due again or not."""
    stream = Stream(seed, context)
    deck = list(DECK)
    stream.shuffle(deck)
    n, players = options.tiles, options.players
    hands = tuple(tuple(sorted(deck[s * n : (s + 1) * n])) for s in range(players))
    return Deal(hands, tuple(deck[players * n :]), stream.below(players), nonce, context)


def redeal_due(options: Options, hands: Sequence[Sequence[Tile]]) -> bool:
    """Whether some hand has so many doubles that the round is dealt again (R5)."""
    if options.redeal == "off":
        return False
    return any(sum(t.is_double for t in hand) >= int(options.redeal) for hand in hands)


def deal(options: Options, seed: bytes, code: str, number: int, phrases: Sequence[str]) -> Deal:
    """Deal round `number`, with the lowest nonce whose hands need no redeal."""
    nonce = 0
    while True:
        dealt = deal_once(options, seed, deal_context(code, number, nonce, phrases), nonce)
        if not redeal_due(options, dealt.hands):
            return dealt
        nonce += 1


def draw_seats(seed: bytes, code: str, joined: Sequence[T]) -> list[T]:
    """Shuffle those who joined, in order of joining, into seats 0… (R2, R19)."""
    seats = list(joined)
    Stream(seed, f"gaple/1|{code}|1|seats").shuffle(seats)
    return seats
