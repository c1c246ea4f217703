"""What operators run: the proof of stored games, and the simulation."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import F

from games.engine.options import PRESETS
from games.engine.record import MatchRecord
from games.models import Game, Round
from games.services.verifying import differences
from tests.factories import fresh, guest, match_of, play_out

pytestmark = pytest.mark.django_db(transaction=True)
JUDGE = Path(__file__).parents[1] / "judge" / "judge.py"


@pytest.fixture
def games() -> list[Game]:
    finished = play_out(match_of([guest()], options=PRESETS["lewat"]))
    return [finished, match_of([guest(), guest()]), match_of([guest()])]


def test_games_that_follow_from_their_ledger_are_proved(
    games: list[Game], capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("verify_games")
    assert capsys.readouterr().out == "3 matches follow from their ledger.\n"


def swap_two_tiles(game: Game) -> None:
    round_ = Round.objects.filter(game=game).latest("number")
    round_.hands[0][0], round_.hands[1][0] = round_.hands[1][0], round_.hands[0][0]
    round_.save()


def change_the_ledger(game: Game) -> None:
    """What neither the model nor, on PostgreSQL, the database lets anybody do."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("ALTER TABLE games_move DISABLE TRIGGER games_move_append_only")
        cursor.execute(
            "UPDATE games_move SET ply = ply + 30 WHERE game_id = %s AND ply = "
            "(SELECT max(ply) FROM games_move WHERE round_id = "
            "(SELECT max(id) FROM games_round WHERE game_id = %s))",
            [game.pk, game.pk],
        )
        if connection.vendor == "postgresql":
            cursor.execute("ALTER TABLE games_move ENABLE TRIGGER games_move_append_only")


def change_the_scores(game: Game) -> None:
    round_ = game.rounds.exclude(end=None)[0]
    assert round_.end is not None
    round_.end["scores"][0] += 1
    round_.save()


def change_the_result(game: Game) -> None:
    assert game.result is not None
    game.result["order"].reverse()
    game.save()


CHANGES: dict[str, Callable[[Game], object]] = {
    "a seed": lambda game: game.rounds.update(seed=b"0" * 32),
    "a phrase": lambda game: game.rounds.update(phrases=["x", "", "", ""]),
    "the hands": swap_two_tiles,
    "the right to start": lambda game: game.rounds.filter(number=2).update(right=F("right") + 1),
    "the ledger": change_the_ledger,
    "scores": change_the_scores,
    "the result": change_the_result,
    "the number of rounds": lambda game: Game.objects.filter(pk=game.pk).update(round_number=99),
    "the next commitment": lambda game: Game.objects.filter(pk=game.pk).update(
        next_commitment="0" * 64
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_game_that_differs_is_named(
    games: list[Game], change: str, capsys: pytest.CaptureFixture[str]
) -> None:
    CHANGES[change](games[0])
    with pytest.raises(SystemExit) as stopped:
        call_command("verify_games")
    assert stopped.value.code == 1
    assert str(games[0].code) in capsys.readouterr().out
    assert differences(fresh(games[1])) == []


def test_what_differs_is_told_without_a_tile(games: list[Game]) -> None:
    swap_two_tiles(games[2])
    found = differences(fresh(games[2]))
    assert found
    tiles = [tile for hand in games[2].rounds.get().hands for tile in hand]
    assert not any(tile in line for line in found for tile in tiles)


def test_simulated_matches_are_right_to_another_program(tmp_path: Path) -> None:
    out = tmp_path / "records.jsonl"
    call_command("simulate", games=14, preset="all", out=str(out), jobs=2, seed=7)
    records = [json.loads(line) for line in out.read_text().splitlines()]
    assert len(records) == 14
    assert {(r["rules"]["players"], r["rules"]["tiles"]) for r in records} >= {(4, 6), (4, 7)}
    for record in records:
        MatchRecord.from_dict(record)
    judged = subprocess.run(
        [sys.executable, str(JUDGE), str(out)], capture_output=True, text=True, check=False
    )
    assert judged.returncode == 0, judged.stdout
    assert "14 records" in judged.stdout
    # The simulation has a database of its own.
    assert not Game.objects.exists()


@pytest.mark.parametrize("wrong", [{"preset": "catur"}, {"games": 0}, {"jobs": 0}])
def test_a_simulation_that_makes_no_sense_is_refused(
    tmp_path: Path, wrong: dict[str, object]
) -> None:
    asked: dict[str, object] = {"games": 1, "preset": "all", "out": str(tmp_path / "out")}
    with pytest.raises(CommandError):
        call_command("simulate", **(asked | wrong))
