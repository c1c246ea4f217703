"""The form of a new table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.forms import NameForm
from games.engine.dealing import PHRASE_LENGTH
from games.engine.errors import BadOptions
from games.engine.options import LEVELS, PRESETS, TARGETS, Options
from games.models.game import DAY, TURN_SECONDS

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

Text: TypeAlias = "str | StrPromise"
Choices = list[tuple[str, Text]]

LEVEL_CHOICES: Choices = [(level, level.title()) for level in LEVELS]
TURN_CHOICES: list[tuple[int, Text]] = list(
    zip(
        TURN_SECONDS,
        (
            _("5 minutes"),
            _("1 hour"),
            _("12 hours"),
            _("1 day"),
            _("2 days"),
            _("3 days"),
            _("7 days"),
        ),
        strict=True,
    )
)
_AS_PRESET: Choices = [("", _("as the preset"))]


def _option(label: Text, choices: Choices) -> forms.ChoiceField:
    """A rule that may be left as the preset has it."""
    return forms.ChoiceField(label=label, choices=_AS_PRESET + choices, required=False)


class SitDownForm(NameForm):
    """What a guest tells before he takes a seat: a name, a place, his cut of the deal."""

    token = forms.UUIDField(required=False, widget=forms.HiddenInput)
    position = forms.IntegerField(min_value=0, max_value=4, required=False)
    phrase = forms.CharField(
        label=_("Your phrase for the deal"), max_length=PHRASE_LENGTH, required=False
    )


class NewTableForm(NameForm):
    """A preset, and whatever the host wants otherwise. `options` is what comes of both."""

    token = forms.UUIDField(required=False, widget=forms.HiddenInput)
    preset = forms.ChoiceField(
        label=_("Preset"),
        choices=[(key, key) for key in PRESETS],
        initial="klasik",
        widget=forms.RadioSelect,
    )
    turn_seconds = forms.TypedChoiceField(
        label=_("Time for a turn"), choices=TURN_CHOICES, coerce=int, initial=DAY
    )
    public = forms.BooleanField(label=_("Open to anyone"), required=False)
    auto_start = forms.BooleanField(label=_("Starts as soon as it is full"), required=False)
    fixed_seats = forms.BooleanField(
        label=_("Everyone chooses a seat (otherwise seats are drawn)"), required=False
    )

    size = _option(
        _("Players and tiles"),
        [
            ("4x6", _("4 players, 6 tiles each")),
            ("4x7", _("4 players, 7 tiles each")),
            ("5x5", _("5 players, 5 tiles each")),
        ],
    )
    unable = _option(
        _("Who cannot place"), [("discard", _("lays a tile face down")), ("pass", _("passes"))]
    )
    team_rule = _option(
        _("Pairs"),
        [
            ("none", _("everyone for himself")),
            ("sum", _("pairs; the lower sum of both partners wins")),
            ("winner", _("pairs; the pair of the best player wins")),
            ("both_out", _("pairs; both partners must go out")),
        ],
    )
    double_blank = _option(
        _("The double blank 0-0 counts"),
        [
            ("plain", _("nothing")),
            ("own25", _("25, unless its holder has another blank")),
            ("dead25", _("25, unless anybody has another blank")),
        ],
    )
    match_kind = _option(
        _("The match lasts"),
        [
            ("single", _("one round")),
            ("rounds", _("a number of rounds")),
            *[(f"target-{points}", _("until somebody reaches %s") % points) for points in TARGETS],
        ],
    )
    rounds = forms.IntegerField(
        label=_("Number of rounds"), min_value=2, max_value=20, required=False
    )
    empty_by_discard = _option(
        _("A hand emptied face down"),
        [("continue", _("the round goes on")), ("ends", _("the round ends"))],
    )
    first_lead = _option(_("First lead with 7 tiles"), [("0-0", "0-0"), ("6-6", "6-6")])
    next_lead = _option(
        _("Later leads with 7 tiles"), [("double", _("a double")), ("any", _("any tile"))]
    )
    next_starter = _option(
        _("Who starts the next round"),
        [("winner", _("the best of the last round")), ("rotate", _("the next seat"))],
    )
    redeal = _option(
        _("Deal again when a hand has many doubles"),
        [("off", _("never")), ("5", _("5 or more")), ("6", _("6 or more"))],
    )
    on_timeout = _option(
        _("When time runs out"),
        [
            ("pass", _("the turn is lost")),
            ("autoplay", _("the lightest fitting tile is placed")),
        ],
    )
    takeover_after = _option(
        _("A bot takes over after"),
        [(str(n), _("%s missed turns in a row") % n) for n in range(1, 6)],
    )
    absent_level = _option(_("Bot for the absent"), LEVEL_CHOICES)

    RULES = (
        "unable",
        "team_rule",
        "double_blank",
        "empty_by_discard",
        "first_lead",
        "next_lead",
        "next_starter",
        "redeal",
        "on_timeout",
        "absent_level",
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("public") and data.get("fixed_seats"):
            self.add_error("fixed_seats", _("At an open table the seats are drawn."))
        if data.get("match_kind") == "rounds" and not data.get("rounds") and not self.errors:
            self.add_error("rounds", _("How many rounds shall it be, from 2 to 20?"))
        if not self.errors:
            data["options"] = self._options(data)
        return data

    def _options(self, data: dict[str, Any]) -> Options | None:
        values = PRESETS[data["preset"]].as_dict()
        values |= {name: data[name] for name in self.RULES if data.get(name)}
        if data.get("size"):
            players, tiles = data["size"].split("x")
            values |= {"players": int(players), "tiles": int(tiles)}
        if data.get("takeover_after"):
            values["takeover_after"] = int(data["takeover_after"])
        if data.get("match_kind") or data.get("rounds"):
            values["match"] = self._match(data)
        try:
            return Options.from_dict(values)
        except BadOptions as error:
            self.add_error(*self._told(error))
            return None

    @staticmethod
    def _match(data: dict[str, Any]) -> dict[str, Any]:
        kind, _dash, points = (data["match_kind"] or "rounds").partition("-")
        if kind == "rounds":
            return {"kind": kind, "n": data["rounds"]}
        return {"kind": kind, "points": int(points)} if points else {"kind": kind}

    def _told(self, error: BadOptions) -> tuple[str | None, Text]:
        """The field and the sentence for a combination that makes no sense (R15)."""
        option = str(error.params.get("option"))
        field = {"tiles": "size", "players": "size", "match": "match_kind"}.get(option, option)
        return (field if field in self.fields else None), CLASHES.get(option, CLASH)


CLASH = _("These rules do not go together.")
CLASHES: dict[str, Text] = {
    "team_rule": _("Pairs need four players."),
    "empty_by_discard": _(
        "A round can only end with a hand emptied face down where tiles are laid face down, and "
        "not where both partners must go out."
    ),
    "first_lead": _("This only applies with 7 tiles each."),
    "next_lead": _("This only applies with 7 tiles each."),
}
