"""What each viewer sees of a running round (R7)."""

from games.engine.visibility import seat_view
from tests.engine.positions import do, position, tiles


def test_only_its_owner_sees_a_dead_tile() -> None:
    state = position("2,5", "0-1 3-4 6-6 / 2-2 1-1 / 1-4 5-5 / 2-3 3-3", team_rule="sum")
    state = do(state, "D 3-4")
    owner, partner, watcher = (seat_view(state, viewer) for viewer in (0, 2, None))
    assert owner.own_dead == tiles("3-4")
    assert str(owner.log[0]) == "0:D 3-4"
    for view in (partner, watcher):
        assert view.own_dead == ()
        assert (view.log[0].seat, view.log[0].action.act, view.log[0].ends) == (
            0,
            "discard",
            (2, 5),
        )
        assert view.log[0].action.tile is None
        assert view.dead_counts == (1, 0, 0, 0)
        assert view.hand_counts == (2, 2, 2, 2)


def test_legal_actions_are_for_the_seat_to_move_alone() -> None:
    state = position("2,5", "0-1 / 2-2 1-1 / 1-4 5-5 / 2-3 3-3", turn=1)
    assert [str(action) for action in seat_view(state, 1).legal] == ["P 2-2@L"]
    assert seat_view(state, 2).legal == seat_view(state, None).legal == ()
    assert seat_view(state, None).hand == ()
    assert seat_view(state, 2).hand == tiles("1-4 5-5")


def test_a_view_tells_where_the_round_stands() -> None:
    state = do(position("2,5", "2-6 3-4 / 2-2 1-1 / 1-4 5-5 / 2-3 3-3"), "P 2-6@L")
    view = seat_view(state, 3)
    assert (view.ply, view.turn, view.ends, view.starter, view.number) == (1, 1, (6, 5), 0, 1)
    assert view.line == state.line
