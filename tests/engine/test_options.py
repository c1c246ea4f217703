"""Option sets: what is refused with a reason (R15), the presets (section 10), reading."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games.engine.errors import BadOptions
from games.engine.options import PRESETS, Match, Options, Stake, pips_stake

FIVE = {"players": 5, "tiles": 5}
SEVEN = {"tiles": 7}
AUTO = {"on_timeout": "autoplay"}


@pytest.mark.parametrize(
    ("chosen", "option"),
    [
        ({"players": 5, "tiles": 6}, "tiles"),
        ({"players": 5, "tiles": 7}, "tiles"),
        ({"players": 4, "tiles": 5}, "tiles"),
        ({"players": 3, "tiles": 7}, "tiles"),
        ({"players": "4"}, "players"),
        ({"players": True}, "players"),
        ({"tiles": 6.0}, "players"),
        ({"unable": "draw"}, "unable"),
        ({"double_blank": "always25"}, "double_blank"),
        ({"team_rule": "best"}, "team_rule"),
        ({"empty_by_discard": True}, "empty_by_discard"),
        ({"first_lead": "5-5", **SEVEN}, "first_lead"),
        ({"next_lead": "none", **SEVEN}, "next_lead"),
        ({"next_starter": "loser"}, "next_starter"),
        ({"redeal": 5}, "redeal"),
        ({"redeal": "4"}, "redeal"),
        ({"on_timeout": "forfeit"}, "on_timeout"),
        ({"takeover_after": 0}, "takeover_after"),
        ({"takeover_after": 6}, "takeover_after"),
        ({"takeover_after": True}, "takeover_after"),
        ({"takeover_after": 1.0}, "takeover_after"),
        ({"absent_level": "juara dunia"}, "absent_level"),
        ({"rules_version": 2}, "rules_version"),
        ({"rules_version": True}, "rules_version"),
        *(({"team_rule": rule, **FIVE}, "team_rule") for rule in ("sum", "winner", "both_out")),
        ({"team_rule": "both_out", "empty_by_discard": "ends"}, "empty_by_discard"),
        ({"unable": "pass", "empty_by_discard": "ends"}, "empty_by_discard"),
        ({"first_lead": "6-6"}, "first_lead"),
        ({"first_lead": "6-6", **FIVE}, "first_lead"),
        ({"next_lead": "any"}, "next_lead"),
        ({"next_lead": "any", **FIVE}, "next_lead"),
        ({"match": Match("single", n=3)}, "match"),
        ({"match": Match("single", points=50)}, "match"),
        ({"match": Match("rounds")}, "match"),
        ({"match": Match("rounds", n=1)}, "match"),
        ({"match": Match("rounds", n=21)}, "match"),
        ({"match": Match("rounds", n=True)}, "match"),
        ({"match": Match("rounds", n=3, points=50)}, "match"),
        ({"match": Match("target")}, "match"),
        ({"match": Match("target", points=99)}, "match"),
        ({"match": Match("target", points=50, n=3)}, "match"),
        ({"match": Match("endless")}, "match"),
        ({"stake": Stake("pot", 10)}, "on_timeout"),
        ({"stake": pips_stake(1)}, "on_timeout"),
        ({"stake": Stake("pot", 0), **AUTO}, "stake"),
        ({"stake": Stake("pot", True), **AUTO}, "stake"),
        ({"stake": Stake("pot", 10, cap=20), **AUTO}, "stake"),
        ({"stake": Stake("pot", 10, close_bonus=False), **AUTO}, "stake"),
        ({"stake": Stake("pips", 2), **AUTO}, "stake"),
        ({"stake": Stake("pips", 2, cap=1, close_bonus=False), **AUTO}, "stake"),
        ({"stake": Stake("pips", 2, cap=100), **AUTO}, "stake"),
        ({"stake": Stake("lottery", 2), **AUTO}, "stake"),
    ],
)
def test_what_makes_no_sense_is_refused_with_the_option_named(
    chosen: dict[str, Any], option: str
) -> None:
    with pytest.raises(BadOptions) as refused:
        Options(**chosen)
    assert refused.value.params["option"] == option
    assert str(refused.value).startswith(f"{option}=")


@pytest.mark.parametrize(
    "chosen",
    [
        {"team_rule": "both_out", "unable": "pass"},
        {"team_rule": "winner", "empty_by_discard": "ends"},
        {"first_lead": "6-6", "next_lead": "any", **SEVEN},
        {"match": Match("rounds", n=2)},
        {"match": Match("rounds", n=20)},
        *({"match": Match("target", points=points)} for points in (25, 50, 100, 101)),
        {"stake": Stake("pot", 1), **AUTO},
        {"stake": pips_stake(2, cap=2, close_bonus=True), **AUTO},
        {"takeover_after": 5, "absent_level": "pemula", "redeal": "6", **FIVE},
    ],
)
def test_what_makes_sense_is_kept_and_read_back(chosen: dict[str, Any]) -> None:
    options = Options(**chosen)
    assert Options.from_dict(options.as_dict()) == options


def test_the_rules_object_has_the_keys_of_section_13_in_their_order() -> None:
    assert list(Options().as_dict().items()) == [
        ("players", 4),
        ("tiles", 6),
        ("unable", "discard"),
        ("double_blank", "plain"),
        ("team_rule", "none"),
        ("empty_by_discard", "continue"),
        ("first_lead", "0-0"),
        ("next_lead", "double"),
        ("next_starter", "winner"),
        ("redeal", "off"),
        ("on_timeout", "pass"),
        ("takeover_after", 2),
        ("absent_level", "warung"),
        ("match", {"kind": "single"}),
        ("stake", None),
        ("rules_version", 1),
    ]


@pytest.mark.parametrize(
    ("values", "option"),
    [
        ("klasik", "options"),
        (None, "options"),
        (["players"], "options"),
        ({"jokers": 1}, "jokers"),
        ({"match": "single"}, "match"),
        ({"match": None}, "match"),
        ({"match": {"kind": "single", "extra": 1}}, "match"),
        ({"stake": 5}, "stake"),
        ({"stake": {"kind": "pot"}}, "stake"),
        ({"unable": ["discard"]}, "unable"),
    ],
)
def test_a_rules_object_that_cannot_be_read_is_refused(values: object, option: str) -> None:
    with pytest.raises(BadOptions) as refused:
        Options.from_dict(values)
    assert refused.value.params["option"] == option


def test_missing_keys_take_their_default() -> None:
    assert Options.from_dict({}) == Options()


def test_presets() -> None:
    klasik = Options()
    assert {
        "klasik": klasik,
        "klasik-7": replace(klasik, tiles=7),
        "lewat": Options(
            tiles=7,
            unable="pass",
            double_blank="dead25",
            redeal="5",
            match=Match("target", points=50),
        ),
        "berlima": Options(players=5, tiles=5),
        "pasangan": Options(team_rule="sum"),
        "pasangan-lomba": Options(
            tiles=7,
            unable="pass",
            team_rule="winner",
            redeal="5",
            match=Match("target", points=101),
        ),
    } == PRESETS


def test_sides_and_teams() -> None:
    assert [options.sides for options in PRESETS.values()] == [4, 4, 4, 5, 2, 2]
    assert [options.teams for options in PRESETS.values()] == [False] * 4 + [True] * 2
