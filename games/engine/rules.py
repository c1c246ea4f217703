"""Play: what is legal, what happens by itself, when a round ends (R3–R10, R16)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from games.engine import scoring
from games.engine.actions import (
    DISCARD,
    FORCED,
    LEFT,
    PASS,
    PLACE,
    PLAYER,
    RIGHT,
    SKIP,
    TIMEOUT,
    Action,
    Entry,
    discard,
    place,
)
from games.engine.dealing import Deal
from games.engine.errors import IllegalAction, StaleAction
from games.engine.options import Options
from games.engine.state import Laid, RoundEnd, RoundState
from games.engine.tiles import Tile, lightest


def start_round(options: Options, deal: Deal, number: int, right: int | None = None) -> RoundState:
    """The position right after the deal.

    `right` is the seat with the right to start by R13; None in round 1, where the drawn starter
    or the holder of the first lead begins (R3, R4).
    """
    hands = tuple(frozenset(hand) for hand in deal.hands)
    if options.rest:
        starter = deal.drawn_starter if right is None else right
        opening = deal.rest[0]
        line: tuple[Laid, ...] = (Laid(opening, opening.low, opening.high, None, None),)
    else:
        starter = _leader(options, hands, right)
        line = ()
    return RoundState(
        options=options,
        number=number,
        starter=starter,
        hands=hands,
        dead=((),) * options.players,
        rest=deal.rest,
        line=line,
        turn=starter,
    )


def _leader(options: Options, hands: Sequence[frozenset[Tile]], right: int | None) -> int:
    """The seat that leads when nothing is left over: the right goes clockwise (R4)."""
    if right is None:
        first = Tile.parse(options.first_lead)
        return next(seat for seat, hand in enumerate(hands) if first in hand)
    if options.next_lead == "any":
        return right
    clockwise = ((right + step) % options.players for step in range(options.players))
    return next(seat for seat in clockwise if any(t.is_double for t in hands[seat]))


def legal_actions(state: RoundState) -> tuple[Action, ...]:
    """What the seat to move may do: tiles ascending, L before R; () when the round is over."""
    if state.turn is None:
        return ()
    hand = sorted(state.hands[state.turn])
    if state.ends is None:
        return tuple(place(tile, LEFT) for tile in _leads(state, hand))
    left, right = state.ends
    placements = tuple(
        place(tile, end)
        for tile in hand
        for end, number in ((LEFT, left), (RIGHT, right))
        if tile.fits(number)
    )
    if placements:
        return placements
    if state.options.unable == "pass":
        return (SKIP,)
    return tuple(discard(tile) for tile in hand)


def _leads(state: RoundState, hand: Iterable[Tile]) -> list[Tile]:
    if state.number == 1:
        return [Tile.parse(state.options.first_lead)]
    if state.options.next_lead == "any":
        return list(hand)
    return [tile for tile in hand if tile.is_double]


def check_seen(state: RoundState, seen: tuple[int, int]) -> None:
    """Refuse an action that was meant for another (round, ply)."""
    if seen != (state.number, state.ply):
        text = f"meant for round {seen[0]}, ply {seen[1]}"
        raise StaleAction("stale", text, where=state.where, seen=seen)


def apply(
    state: RoundState, seat: int, action: Action, *, by: str = PLAYER, at: str = ""
) -> RoundState:
    """The position after `action`; IllegalAction when the rules do not allow it.

    By "timeout" or "forced" only what R16 or R8 makes happen is allowed; so a pass by "timeout"
    is the one action that may be taken although a tile fits.
    """
    if state.turn is None:
        raise IllegalAction("round_over", "the round is over", where=state.where)
    if seat != state.turn:
        raise IllegalAction("not_your_turn", f"seat {seat} is not to move", where=state.where)
    if by == TIMEOUT and action != timeout_action(state):
        raise _illegal(state, action, "not_timeout", "is not what a missed deadline does")
    if by == FORCED and action != forced_action(state):
        raise _illegal(state, action, "not_forced", "nothing forces this")
    if by != TIMEOUT and action not in legal_actions(state):
        raise _illegal(state, action, *_why_illegal(state, action))
    return _settle(_carried_out(state, Entry(state.turn, action, by, state.ends, at)))


def _illegal(state: RoundState, action: Action, code: str, reason: str) -> IllegalAction:
    return IllegalAction(code, f"{action}: {reason}", where=state.where, action=str(action))


def _why_illegal(state: RoundState, action: Action) -> tuple[str, str]:
    """The code and the reason of an action that is not among the legal ones."""
    assert state.turn is not None
    if action.act == PASS:
        return "cannot_pass", "passing is not allowed here"
    if action.tile not in state.hands[state.turn]:
        return "not_held", "the tile is not in this hand"
    if action.act == DISCARD:
        if legal_actions(state)[0].act == PLACE:
            return "must_place", "a tile fits and must be placed"
        return "cannot_discard", "discarding is not allowed here"
    if state.ends is None:
        return "bad_lead", "this tile may not lead"
    return "does_not_fit", "the tile does not fit that end"


def _carried_out(state: RoundState, entry: Entry) -> RoundState:
    """The same round one action later, before anything is judged to be over."""
    seat, action = entry.seat, entry.action
    log = (*state.log, entry)
    if action.tile is None:
        return replace(state, log=log)
    hand = state.hands[seat] - {action.tile}
    changed = replace(
        state,
        log=log,
        hands=(*state.hands[:seat], hand, *state.hands[seat + 1 :]),
        emptied=state.emptied if hand else (*state.emptied, seat),
    )
    if action.act == DISCARD:
        dead = (*state.dead[seat], action.tile)
        return replace(changed, dead=(*state.dead[:seat], dead, *state.dead[seat + 1 :]))
    return replace(changed, line=_longer_line(state, entry))


def _longer_line(state: RoundState, entry: Entry) -> tuple[Laid, ...]:
    tile, ply = entry.action.tile, state.ply
    assert tile is not None
    if state.ends is None:
        return (Laid(tile, tile.low, tile.high, entry.seat, ply),)
    left, right = state.ends
    if entry.action.end == LEFT:
        return (Laid(tile, tile.other(left), left, entry.seat, ply), *state.line)
    return (*state.line, Laid(tile, right, tile.other(right), entry.seat, ply))


def _settle(state: RoundState) -> RoundState:
    """End the round if it is over, else give the turn to the next seat that holds a tile (R9)."""
    last = state.log[-1]
    if not state.hands[last.seat]:
        if last.action.act == PLACE and _goes_out(state, last.seat):
            return _ended(state, "out", last.seat)
        if last.action.act == DISCARD and state.options.empty_by_discard == "ends":
            return _ended(state, "emptied", None)
    if _blocked(state):
        return _ended(state, "blocked", None)
    players = state.options.players
    clockwise = ((last.seat + step) % players for step in range(1, players + 1))
    return replace(state, turn=next(seat for seat in clockwise if state.hands[seat]))


def _goes_out(state: RoundState, seat: int) -> bool:
    return state.options.team_rule != "both_out" or not state.hands[(seat + 2) % 4]


def _blocked(state: RoundState) -> bool:
    """No hand holds a tile that fits; comparing the ends is not the test (R9b)."""
    assert state.ends is not None
    left, right = state.ends
    return not any(t.fits(left) or t.fits(right) for hand in state.hands for t in hand)


def _ended(state: RoundState, reason: str, closer: int | None) -> RoundState:
    assert state.ends is not None
    options, counted = state.options, state.counted
    team_scores, winner_team = None, None
    if options.teams:
        team_scores, winner_team = scoring.team_result(options, counted, state.emptied)
    end = RoundEnd(
        reason=reason,
        closer=closer,
        ends=state.ends,
        scores=scoring.scores(counted, options.double_blank),
        ranking=scoring.ranking(counted, options.double_blank, state.emptied),
        team_scores=team_scores,
        winner_team=winner_team,
    )
    return replace(state, turn=None, end=end)


def forced_action(state: RoundState) -> Action | None:
    """What the server does at once, because the whole table knows there is no choice (R8)."""
    legal = legal_actions(state)
    if not legal:
        return None
    if legal == (SKIP,) or (state.ends is None and state.number == 1):
        return legal[0]
    assert state.turn is not None
    last_tile = len(state.hands[state.turn]) == 1
    decided = len(legal) == 1 or state.options.team_rule != "both_out"
    return legal[0] if last_tile and decided and state.ends is not None else None


def apply_forced(state: RoundState, *, at: str = "") -> RoundState:
    """Carry out forced actions until someone has a choice or the round is over."""
    while state.turn is not None:
        action = forced_action(state)
        if action is None:
            break
        state = apply(state, state.turn, action, by=FORCED, at=at)
    return state


def timeout_action(state: RoundState) -> Action:
    """What a passed deadline does for the seat to move (R16)."""
    legal = legal_actions(state)
    if not legal:
        raise IllegalAction("round_over", "the round is over", where=state.where)
    if legal[0].act == PASS:
        return SKIP
    light = lightest(action.tile for action in legal if action.tile is not None)
    lightest_action = next(action for action in legal if action.tile == light)
    fits = lightest_action.act == PLACE and state.ends is not None
    return SKIP if fits and state.options.on_timeout == "pass" else lightest_action


def positions(state: RoundState, entries: Iterable[Entry]) -> list[RoundState]:
    """`state` and the position after each of the entries."""
    states = [state]
    for entry in entries:
        states.append(apply(states[-1], entry.seat, entry.action, by=entry.by, at=entry.at))
    return states


def replay(state: RoundState, entries: Iterable[tuple[int, Action, str, str]]) -> RoundState:
    """The position after stored (seat, action, by, at) rows, forced ones among them."""
    for seat, action, by, at in entries:
        state = apply(state, seat, action, by=by, at=at)
    return state
