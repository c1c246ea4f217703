"""One door for actions: what it stores, what it refuses, and that it refuses without a trace."""

from uuid import uuid4

import pytest

from accounts.errors import GapleError
from games.engine.actions import SKIP, Action, discard, place
from games.engine.options import PRESETS
from games.engine.tiles import DECK, Tile
from games.errors import Illegal, NotYourTurn, Stale
from games.models import Discard, Game, Move
from games.selectors import load
from games.services.play import play_action
from games.services.verifying import differences
from tests.factories import (
    first_legal,
    fresh,
    guest,
    match_of,
    mover_of,
    play_once,
    play_out,
    play_until_person,
    position_of,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game() -> Game:
    return match_of([guest(f"Tamu {n}") for n in range(4)])


def seen(game: Game) -> tuple[int, int]:
    state = position_of(game).state
    return state.number, state.ply


def refused(game: Game, expected: type[GapleError], **changes: object) -> GapleError:
    """Send the first legal action with `changes`; check that nothing of it is stored."""
    before = list(Game.objects.values()), list(Move.objects.values())
    asked: dict[str, object] = {
        "code": game.code,
        "actor": mover_of(game).user,
        "action": first_legal(game),
        "seen": seen(game),
        "token": uuid4(),
    }
    with pytest.raises(expected) as caught:
        play_action(**(asked | changes))  # type: ignore[arg-type]
    assert (list(Game.objects.values()), list(Move.objects.values())) == before
    return caught.value


def test_an_action_is_one_row_and_the_turn_goes_on(game: Game) -> None:
    mover, action = mover_of(game), first_legal(game)
    play_once(game, action)
    (move,) = Move.objects.filter(by="player")
    assert (move.seat, move.player, move.action) == (mover, mover.user, action)
    after = fresh(game)
    assert after.version == game.version + 1
    assert after.ply == Move.objects.count()
    assert after.to_move == position_of(game).state.turn


def test_the_same_token_is_answered_and_stores_nothing_again(game: Game) -> None:
    actor, action, token, looked_at = mover_of(game).user, first_legal(game), uuid4(), seen(game)
    sent = {"code": game.code, "actor": actor, "action": action, "seen": looked_at}
    play_action(**sent, token=token)  # type: ignore[arg-type]
    stored = Move.objects.count()
    assert play_action(**sent, token=token) is None  # type: ignore[arg-type]
    assert Move.objects.count() == stored


def test_a_retry_is_answered_even_when_the_match_has_ended_meanwhile() -> None:
    game = match_of([guest()])
    while fresh(game).finished_at is None:
        game = play_out_one_turn(game)
    last = Move.objects.filter(game=game, by="player").order_by("-pk").first()
    assert last is not None
    sent = {"code": game.code, "actor": last.player, "action": last.action, "seen": (1, last.ply)}
    assert play_action(**sent, token=last.token) is None  # type: ignore[arg-type]
    with pytest.raises(Stale):
        play_action(**sent, token=uuid4())  # type: ignore[arg-type]


def play_out_one_turn(game: Game) -> Game:
    game = play_until_person(game)
    if game.finished_at is None:
        play_once(game)
    return game


def test_a_stale_page_is_refused(game: Game) -> None:
    looked_at, action, actor = seen(game), first_legal(game), mover_of(game).user
    play_once(game)
    error = refused(game, Stale, actor=actor, action=action, seen=looked_at)
    assert error.status == 409


def test_another_round_than_the_one_seen_is_stale(game: Game) -> None:
    number, ply = seen(game)
    refused(game, Stale, seen=(number + 1, ply))


def test_only_the_seat_to_move_may_act(game: Game) -> None:
    mover = mover_of(game)
    for seat in game.seats.exclude(pk=mover.pk):
        refused(game, NotYourTurn, actor=seat.user)
    refused(game, NotYourTurn, actor=guest("Orang luar"))


def test_no_bot_may_act_for_a_person(game: Game) -> None:
    refused(game, NotYourTurn, actor=None)


def test_a_tile_of_somebody_else_is_refused(game: Game) -> None:
    state = position_of(game).state
    assert state.turn is not None
    foreign = next(tile for tile in DECK if tile not in state.hands[state.turn])
    for action in (place(foreign, "L"), place(foreign, "R"), discard(foreign)):
        error = refused(game, Illegal, action=action)
        assert error.code == "not_held"
        assert error.status == 422


def test_a_tile_that_does_not_fit_is_refused(game: Game) -> None:
    while True:
        state = position_of(game).state
        assert state.turn is not None
        assert state.ends is not None
        hand = state.hands[state.turn]
        bad = [t for t in hand if not any(t.fits(end) for end in state.ends)]
        if bad and len(bad) < len(hand):
            break
        play_once(game)
    assert refused(game, Illegal, action=place(bad[0], "L")).code == "does_not_fit"
    # The tile that does not fit cannot be thrown away either while another one fits.
    assert refused(game, Illegal, action=discard(bad[0])).code == "must_place"
    assert refused(game, Illegal, action=SKIP).code == "cannot_pass"


def test_a_finished_match_takes_no_action() -> None:
    game = play_out(match_of([guest()]))
    with pytest.raises(Stale):
        play_action(
            code=game.code,
            actor=game.seats.exclude(user=None)[0].user,
            action=Action("place", Tile(0, 1), "L"),
            seen=(1, game.ply),
            token=uuid4(),
        )


def test_discards_are_their_own_part_of_the_ledger() -> None:
    game = play_out(match_of([guest()]), seed=3)
    discards = Discard.objects.filter(game=game)
    assert {move.act for move in discards} <= {"discard"}
    assert discards.count() == Move.objects.filter(game=game, act="discard").count()


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_played_to_its_end_and_follows_from_its_ledger(preset: str) -> None:
    game = play_out(match_of([guest()], options=PRESETS[preset]), seed=5)
    assert game.result is not None
    assert game.result["reason"] == "played"
    assert differences(game) == []


def test_a_known_position_is_used_only_while_it_stands(game: Game) -> None:
    known = position_of(game)
    assert load(fresh(game), known).state is known.state
    play_once(game)
    assert load(fresh(game), known).state is not known.state
