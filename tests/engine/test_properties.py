"""Invariants 1 to 7 of section 12 over all options, deals, play by chance and missed deadlines."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from hypothesis import assume, given
from hypothesis import strategies as st

from games.engine.actions import DISCARD, PASS, PLACE, TIMEOUT
from games.engine.dealing import Deal
from games.engine.notation import format_log, parse_log
from games.engine.options import Options
from games.engine.rules import (
    apply,
    forced_action,
    legal_actions,
    replay,
    start_round,
    timeout_action,
)
from games.engine.scoring import ranking_key
from games.engine.state import RoundState
from games.engine.tiles import DECK, Tile
from games.engine.visibility import seat_view
from tests.engine.strategies import moderate, options, rounds

Played = tuple[Deal, list[RoundState]]


@moderate
@given(rounds())
def test_invariant_1_no_tile_is_lost_or_doubled(played: Played) -> None:
    deal, states = played
    unopened = deal.rest[1:]
    for state in states:
        held = [tile for hand in state.hands for tile in hand]
        dead = [tile for pile in state.dead for tile in pile]
        laid = [one.tile for one in state.line]
        assert sorted([*held, *dead, *laid, *unopened]) == list(DECK)


@moderate
@given(rounds())
def test_the_line_joins_equal_numbers(played: Played) -> None:
    line = played[1][-1].line
    assert all(before.right == after.left for before, after in pairwise(line))
    assert all(sorted((one.left, one.right)) == list(one.tile) for one in line)


@moderate
@given(rounds(timeouts=False, allowed=options().filter(lambda o: o.unable == "discard")))
def test_invariant_2_every_turn_removes_one_tile_from_the_mover(played: Played) -> None:
    _, states = played
    for before, after in pairwise(states):
        lost = [len(b) - len(a) for b, a in zip(before.hands, after.hands, strict=True)]
        assert lost == [int(seat == before.turn) for seat in range(len(lost))]
    assert states[-1].ply <= states[0].options.players * states[0].options.tiles


def some_hand_fits(state: RoundState) -> bool:
    ends = state.ends
    assert ends is not None
    return any(tile.fits(end) for hand in state.hands for tile in hand for end in ends)


@moderate
@given(rounds())
def test_invariant_3_only_a_placement_blocks(played: Played) -> None:
    _, states = played
    if states[0].ends is not None:
        assert some_hand_fits(states[0])
    for state in states[1:]:
        if state.end is None or state.log[-1].action.act != PLACE:
            assert some_hand_fits(state)
    end = states[-1].end
    assert end is not None
    if end.reason == "blocked":
        assert not some_hand_fits(states[-1])


@moderate
@given(rounds())
def test_invariant_4_waiting_after_a_block_changes_no_score(played: Played) -> None:
    final = played[1][-1]
    end = final.end
    assert end is not None
    assume(end.reason == "blocked")
    state = final
    for _ in range(7):
        for seat in range(final.options.players):
            if state.hands[seat]:
                waiting = replace(state, end=None, turn=seat)
                state = apply(waiting, seat, legal_actions(waiting)[-1])
                assert state.end is not None
                assert replace(state.end, reason="blocked") == end
    assert final.options.unable == "pass" or not any(state.hands)


@moderate
@given(rounds())
def test_invariant_5_the_ranking_is_a_strict_total_order(played: Played) -> None:
    final = played[1][-1]
    end = final.end
    assert end is not None
    seats = range(final.options.players)
    keys = [
        ranking_key([seat], final.counted, final.options.double_blank, final.emptied)
        for seat in seats
    ]
    assert len(set(keys)) == len(keys)
    assert [keys[seat] for seat in end.ranking] == sorted(keys)
    if end.team_scores is not None:
        assert end.winner_team == end.best_seat % 2
        pairs = [
            ranking_key([t, t + 2], final.counted, final.options.double_blank, final.emptied)
            for t in (0, 1)
        ]
        assert pairs[0] != pairs[1]


def tiles_in(value: object) -> set[Tile]:
    """Every tile anywhere inside a value."""
    if isinstance(value, Tile):
        return {value}
    if isinstance(value, list | tuple | set | frozenset):
        return set[Tile]().union(*map(tiles_in, value))
    if hasattr(value, "__dataclass_fields__"):
        return tiles_in([getattr(value, name) for name in value.__dataclass_fields__])
    return set()


@moderate
@given(rounds())
def test_invariant_6_a_view_holds_no_hidden_tile(played: Played) -> None:
    _, states = played
    for state in states:
        laid = {one.tile for one in state.line}
        for viewer in [*range(state.options.players), None]:
            own: set[Tile] = set()
            if viewer is not None:
                own = state.hands[viewer] | set(state.dead[viewer])
            view = seat_view(state, viewer)
            assert tiles_in(view) == laid | own
            assert view.legal == (legal_actions(state) if viewer == state.turn else ())
            assert view.hand_counts == tuple(map(len, state.hands))
            assert view.dead_counts == tuple(map(len, state.dead))


@moderate
@given(rounds())
def test_invariant_7_deal_and_actions_reproduce_the_state(played: Played) -> None:
    deal, states = played
    first, final = states[0], states[-1]
    again = start_round(first.options, deal, first.number, first.starter)
    rows = [(entry.seat, entry.action, entry.by, entry.at) for entry in final.log]
    assert replay(again, rows) == final
    assert parse_log(format_log(final.log)) == [(e.seat, e.action) for e in final.log]


@moderate
@given(rounds())
def test_the_turn_is_always_with_a_seat_that_can_act(played: Played) -> None:
    _, states = played
    for state in states[:-1]:
        assert state.turn is not None
        assert state.hands[state.turn]
        legal = legal_actions(state)
        assert len(set(legal)) == len(legal) > 0
        # Tiles ascending, L before R.
        assert sorted(legal, key=lambda a: (a.tile or Tile(0, 0), a.end or "")) == list(legal)
        kinds = {action.act for action in legal}
        assert len(kinds) == 1
        assert kinds != {PASS} or state.options.unable == "pass"
        assert kinds != {DISCARD} or state.options.unable == "discard"
    assert states[-1].turn is None
    assert legal_actions(states[-1]) == ()


@moderate
@given(rounds())
def test_forced_and_late_actions_can_always_be_carried_out(played: Played) -> None:
    for state in played[1][:-1]:
        assert state.turn is not None
        assert apply(state, state.turn, timeout_action(state), by=TIMEOUT).ply == state.ply + 1
        forced = forced_action(state)
        assert forced is None or forced in legal_actions(state)


@moderate
@given(rounds(allowed=st.just(Options(team_rule="both_out"))))
def test_under_both_out_a_round_is_out_only_with_two_empty_partners(played: Played) -> None:
    _, states = played
    for state in states[:-1]:
        assert not any(
            not state.hands[seat]
            and not state.hands[seat + 2]
            and state.log[-1].seat % 2 == seat
            and state.log[-1].action.act == PLACE
            for seat in (0, 1)
        )
    final = states[-1]
    assert final.end is not None
    if final.end.closer is not None:
        closer = final.end.closer
        assert final.log[-1].seat == closer
        assert not final.hands[closer]
        assert not final.hands[(closer + 2) % 4]
        assert final.log[-1].action.act == PLACE
