"""What a template draws: the geometry of the line, the sentences, the rules in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import combinations, pairwise
from typing import Any
from uuid import UUID

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from games.engine import scoring
from games.engine.actions import BOT, LEFT, PLAYER, RIGHT, TIMEOUT, Action, Entry, discard, place
from games.engine.match import Result
from games.engine.options import PRESETS, Match, Options
from games.engine.state import Laid, RoundEnd, RoundState
from games.engine.tiles import DECK, Tile
from games.engine.visibility import seat_view
from games.presenters import boards, rules_paragraph, sample_boards, small_board
from games.presenters.board import Board, Placed
from games.presenters.rounds import tie_steps
from games.presenters.rules import preset_of
from games.presenters.table import entry_words, table_screen
from games.presenters.words import duration, listed, unbroken
from games.selectors import FinishedRound, SeatInfo, TableView

NAMES = ["Sari", "Budi", "Citra", "Dewi"]


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    with translation.override("en"):
        yield


# --- The line of play ----------------------------------------------------------------------------


@st.composite
def lines(draw: st.DrawFn) -> list[Laid]:
    """A line of play that grows at both ends from any tile, with as many tiles as will fit."""
    deck = draw(st.permutations(DECK))
    first = deck.pop()
    line = [Laid(first, first.low, first.high, None, None)]
    for ply in range(draw(st.integers(0, 27))):
        end = draw(st.sampled_from((LEFT, RIGHT)))
        number = line[0].left if end == LEFT else line[-1].right
        tile = next((tile for tile in deck if tile.fits(number)), None)
        if tile is None:
            continue
        deck.remove(tile)
        if end == LEFT:
            line.insert(0, Laid(tile, tile.other(number), number, 0, ply))
        else:
            line.append(Laid(tile, number, tile.other(number), 0, ply))
    return line


def overlap(a: Placed, b: Placed) -> bool:
    across = min(a.x + a.width, b.x + b.width) - max(a.x, b.x)
    down = min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
    return across > 0 and down > 0


def touch(a: Placed, b: Placed) -> bool:
    across = min(a.x + a.width, b.x + b.width) - max(a.x, b.x)
    down = min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
    return (across == 0 and down > 0) or (down == 0 and across > 0)


def halves(tile: Placed) -> list[tuple[int, int, int]]:
    """The number and the middle of each half."""
    first = (tile.first, tile.x + 10, tile.y + 10)
    return [first, (tile.second, tile.x2 + 10, tile.y2 + 10)]


def inside(board: Board) -> bool:
    left, top, width, height = map(int, board.box.split())
    spots = [*board.tiles, *(slot.place for slot in board.slots)]
    return all(
        left <= s.x
        and top <= s.y
        and s.x + s.width <= left + width
        and s.y + s.height <= top + height
        for s in spots
    )


@given(lines())
def test_tiles_never_overlap_and_each_touches_the_next(line: list[Laid]) -> None:
    for board in boards(line):
        assert len(board.tiles) == len(line)
        spots = [*board.tiles, *(slot.place for slot in board.slots)]
        assert not any(overlap(a, b) for a, b in combinations(spots, 2))
        assert all(touch(a, b) for a, b in pairwise(board.tiles))
        assert inside(board)


@given(lines())
def test_equal_numbers_meet(line: list[Laid]) -> None:
    for board in boards(line):
        for laid, after, (tile, other) in zip(line, line[1:], pairwise(board.tiles), strict=False):
            assert laid.right == after.left
            near = min(
                (abs(x - u) + abs(y - v), number, seen)
                for number, x, y in halves(tile)
                for seen, u, v in halves(other)
            )
            assert near[1] == near[2]


@given(lines())
def test_every_tile_is_drawn_as_it_is(line: list[Laid]) -> None:
    for board in boards(line):
        for laid, drawn in zip(line, board.tiles, strict=True):
            assert {drawn.first, drawn.second} == {laid.tile.low, laid.tile.high}


@given(lines())
def test_the_opening_tile_stays_in_the_middle(line: list[Laid]) -> None:
    opening = next(index for index, laid in enumerate(line) if laid.ply is None)
    for board in boards(line):
        tile = board.tiles[opening]
        assert (tile.middle_x, tile.middle_y) == (0, 0)


@given(lines())
def test_a_small_picture_holds_the_whole_line(line: list[Laid]) -> None:
    board = small_board(line)
    assert len(board.tiles) == len(line)
    assert inside(board)


def test_the_selected_tile_is_shown_where_it_may_go() -> None:
    line = [Laid(Tile(2, 5), 2, 5, None, None)]
    narrow, _wide = boards(line, selected=Tile(5, 6), ends=[RIGHT])
    left, right = narrow.slots
    assert left.tile is None
    assert right.tile is not None
    assert (right.tile.first, right.tile.second) == (5, 6)


def test_the_newest_tile_is_marked_and_what_came_since() -> None:
    line = [
        Laid(Tile(1, 2), 1, 2, 3, 2),
        Laid(Tile(2, 5), 2, 5, None, None),
        Laid(Tile(5, 6), 5, 6, 0, 0),
        Laid(Tile(6, 6), 6, 6, 2, 1),
    ]
    narrow, _wide = boards(line, fresh_from=1)
    assert [tile.mark for tile in narrow.tiles] == ["newest", "", "", "fresh"]


def test_an_empty_table_has_a_box() -> None:
    assert [board.tiles for board in boards([])] == [(), ()]


def test_the_front_page_shows_a_real_table() -> None:
    assert len(sample_boards()[0].tiles) == 12


# --- Sentences -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (Entry(1, place(Tile(0, 0), LEFT), PLAYER, None), "Budi led with 0-0."),
        (Entry(1, place(Tile(3, 5), RIGHT), BOT, (1, 3)), "Budi placed 3-5, right."),
        (Entry(0, place(Tile(3, 5), LEFT), PLAYER, (5, 3)), "You placed 3-5, left."),
        (
            Entry(0, place(Tile(3, 5), LEFT), BOT, (5, 3)),
            "You placed 3-5, left. (the bot, for you)",
        ),
        (Entry(1, Action("discard"), PLAYER, (1, 1)), "Budi laid a tile face down."),
        (Entry(0, discard(Tile(5, 5)), PLAYER, (1, 1)), "You put 5-5 out of play."),
        (Entry(2, Action("pass"), BOT, (1, 1)), "Citra passed."),
        (Entry(2, Action("pass"), TIMEOUT, (1, 1)), "Citra ran out of time: the turn is lost."),
        (
            Entry(2, Action("discard"), TIMEOUT, (1, 1)),
            "Citra ran out of time: the lightest tile was laid face down.",
        ),
    ],
)
def test_actions_in_words(entry: Entry, said: str) -> None:
    assert entry_words(entry, ["You", *NAMES[1:]], 0) == said


def test_a_hidden_discard_names_no_tile() -> None:
    said = entry_words(Entry(1, Action("discard"), PLAYER, (1, 1)), NAMES, 0)
    assert not any(str(tile) in said for tile in DECK)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (300, "5 minutes"),
        (3600, "1 hour"),
        (43200, "12 hours"),
        (86400, "1 day"),
        (90, "2 minutes"),
    ],
)
def test_lengths_of_time(seconds: int, words: str) -> None:
    assert duration(seconds) == words


def test_lists_in_words() -> None:
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"


def test_names_of_tiles_stay_on_one_line() -> None:
    assert unbroken("Fits: 5-6 (left).") == "Fits: 5\u20116 (left)."


# --- The table -----------------------------------------------------------------------------------

DAWN = datetime(2026, 1, 5, 6, tzinfo=UTC)
THREE_ROUNDS = replace(PRESETS["pasangan"], match=Match("rounds", n=3))


def at_table(*, people: int = 2, **other: Any) -> TableView:
    """Round 2 of a match of pairs as Sari, on seat 0, sees it; people sit on the first seats."""
    options = other.get("options", THREE_ROUNDS)
    seats = tuple(
        SeatInfo(
            position=seat,
            name=name,
            kind="human" if seat < people else "bot",
            level=None if seat < people else "warung",
            you=seat == 0,
            host=seat == 0,
            absent=False,
            left=False,
            missed=0,
            hand_count=1,
            dead_count=0,
            to_move=seat == 1,
        )
        for seat, name in enumerate(NAMES)
    )
    ended = counted("1-1", "1-5", "2-6", "3-6", options=options)
    assert ended.end is not None
    running = replace(ended, number=2, end=None, turn=1)
    view = TableView(
        code=UUID(int=1),
        status="playing",
        version=1,
        public=False,
        fixed_seats=True,
        auto_start=False,
        replays_open=False,
        options=options,
        turn_seconds=86400,
        host_name="Sari",
        you=0,
        seats=seats,
        round=seat_view(running, 0),
        round_number=2,
        deadline_at=None,
        closes_at=None,
        finished=(FinishedRound(1, ended.end, DAWN),),
        totals=(0, 0),
        result=None,
        last=None,
        commitment="",
        context="",
        next_commitment="",
        your_phrase="",
        events=(),
        rematch=None,
        can=frozenset(),
    )
    return replace(view, **other)


def with_entry(table: TableView, entry: Entry) -> TableView:
    assert table.round is not None
    return replace(table, round=replace(table.round, log=(entry,)))


def test_the_end_of_a_round_is_announced_until_one_acts() -> None:
    table = at_table()
    assert table_screen(table).round_before == "Round 1: your pair won (10 – 15)."
    assert table_screen(table).news[0] == table_screen(table).round_before
    by_bot = with_entry(table, Entry(1, place(Tile(4, 5), LEFT), BOT, (4, 4)))
    assert table_screen(by_bot).round_before
    by_you = with_entry(table, Entry(0, place(Tile(4, 5), LEFT), PLAYER, (4, 4)))
    assert not table_screen(by_you).round_before
    assert not table_screen(at_table(finished=(), round_number=1)).round_before


def test_the_end_of_a_round_without_pairs() -> None:
    single = replace(PRESETS["klasik"], match=Match("rounds", n=3))
    assert table_screen(at_table(options=single)).round_before == "Round 1: you won (2 pips)."
    table = at_table(options=single)
    strangers = tuple(replace(info, you=False) for info in table.seats if info)
    watched = replace(table, you=None, seats=strangers)
    assert table_screen(watched).round_before == "Round 1: Sari won (2 pips)."


def test_the_log_begins_with_the_beginning() -> None:
    began, at = DAWN - timedelta(hours=1), "2026-01-05T05:00:00Z"
    entry = Entry(1, place(Tile(4, 5), LEFT), BOT, (4, 4), at)
    started = {"kind": "started", "at": at}
    first = with_entry(at_table(round_number=1, finished=(), events=(started,)), entry)
    assert [line.text for line in table_screen(first).log] == [
        "Budi placed 4\u20115, left.",
        "The match began.",
    ]
    assert table_screen(first).log[-1].at == began
    second = at_table(events=(started,))
    assert [line.text for line in table_screen(second).log] == ["Round 2 began."]


def test_a_vote_says_who_is_awaited() -> None:
    def vote(seat: int, people: int = 3) -> str:
        events = ({"kind": "voted_cancel", "at": "2026-01-05T07:00:00Z", "seat": seat},)
        return table_screen(at_table(people=people, events=events)).vote

    assert vote(0) == "Waiting for Budi and Citra to agree."
    assert vote(1) == "Budi would call the match off. Agree?"
    assert vote(0, people=1) == ""
    assert table_screen(at_table()).vote == ""


def test_a_table_without_other_people_closes_when_one_leaves() -> None:
    assert table_screen(at_table(people=1)).alone
    assert not table_screen(at_table(people=2)).alone


def test_a_closed_match_names_no_winner() -> None:
    closed = Result((0, 1), "closed")
    table = at_table(status="finished", round=None, result=closed)
    assert table_screen(table).headline == "The match was closed"
    assert len(table_screen(table).result) == 2
    assert table_screen(replace(table, finished=(), round_number=1)).result == ()


# --- The rules in words --------------------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("language", ["id", "en"])
def test_the_paragraph_says_all_that_matters(preset: str, language: str) -> None:
    options = PRESETS[preset]
    with translation.override(language):
        words = " ".join(rules_paragraph(options, 86400))
    assert str(options.players) in words
    assert str(options.tiles) in words
    assert str(options.takeover_after) in words
    assert "%(" not in words
    if options.match.points:
        assert str(options.match.points) in words


def test_different_rules_read_differently() -> None:
    texts = {" ".join(rules_paragraph(options, 3600)) for options in PRESETS.values()}
    assert len(texts) == len(PRESETS)


def test_presets_are_known_by_their_options() -> None:
    assert {preset_of(options) for options in PRESETS.values()} == set(PRESETS)
    assert preset_of(replace(Options(), takeover_after=5)) is None


# --- Tie-breaks ----------------------------------------------------------------------------------


def counted(*tiles: str, options: Options = PRESETS["klasik"]) -> RoundState:
    """A blocked round in which the seats hold these tiles (E30–E36)."""
    hands = tuple(frozenset(map(Tile.parse, hand.split())) for hand in tiles)
    held: Sequence[Sequence[Tile]] = [sorted(hand) for hand in hands]
    team_scores, winner_team = None, None
    if options.teams:
        team_scores, winner_team = scoring.team_result(options, held)
    end = RoundEnd(
        "blocked",
        None,
        (4, 4),
        scoring.scores(held, options.double_blank),
        scoring.ranking(held, options.double_blank),
        team_scores,
        winner_team,
    )
    line = (Laid(Tile(4, 4), 4, 4, None, None),)
    return RoundState(options, 1, 0, hands, ((),) * len(hands), (), line, None, end=end)


def test_the_fewest_win_needs_no_tie_break() -> None:
    state = counted("1-1", "1-5", "2-6", "3-6")
    assert tie_steps(state, NAMES) == ["The fewest count: Sari with 2 pips."]


def test_e30_the_lowest_tile_then_its_low_end() -> None:
    steps = tie_steps(counted("1-1 1-3", "1-5", "2-4", "2-3"), NAMES)
    assert steps[0] == "The fewest count: Dewi with 5 pips."
    assert "Sari and Budi both count 6 pips." in steps[1]
    assert "1-1 (2) before 1-5 (6)" in steps[1]
    assert "the smaller low end decides, so Budi is ahead" in steps[2]


def test_e35_pairs_with_equal_sums() -> None:
    steps = tie_steps(counted("0-4", "1-4", "2-4", "0-5", options=PRESETS["pasangan"]), NAMES)
    assert steps == [
        "Sari + Citra and Budi + Dewi both count 10 pips. The lowest tile decides: "
        "0-4 (4) before 0-5 (5), so Sari + Citra is ahead."
    ]
