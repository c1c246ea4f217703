"""The rules of one table in plain words: what guests read before they sit down."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.options import PRESETS, Options

from .words import LEVEL_NAMES, duration

PRESET_NAMES = {
    "klasik": "Klasik",
    "klasik-7": "Klasik 7",
    "lewat": "Lewat",
    "berlima": "Berlima",
    "pasangan": "Pasangan",
    "pasangan-lomba": "Pasangan lomba",
}


def preset_of(options: Options) -> str | None:
    """The key of the preset that these options are, or None."""
    return next((key for key, preset in PRESETS.items() if preset == options), None)


def preset_name(options: Options) -> str:
    key = preset_of(options)
    return PRESET_NAMES[key] if key else _("Own rules")


def match_words(options: Options) -> str:
    """How long the match lasts, in a few words."""
    match = options.match
    if match.kind == "rounds":
        return ngettext("%(n)d round", "%(n)d rounds", match.n or 0) % {"n": match.n}
    if match.kind == "target":
        return _("until somebody reaches %(points)d") % {"points": match.points}
    return _("one round")


def rules_paragraph(options: Options, turn_seconds: int) -> list[str]:
    """What the choices mean, a sentence each, deadlines and missed turns included."""
    sentences = [
        _dealt(options),
        *_leads(options),
        _unable(options),
        *_end(options),
        _blank(options),
        *_teams(options),
        _length(options),
        *_redeal(options),
        *_deadline(options, turn_seconds),
    ]
    return [sentence for sentence in sentences if sentence]


def _dealt(o: Options) -> str:
    dealt = ngettext(
        "%(players)d players get %(tiles)d tile each.",
        "%(players)d players get %(tiles)d tiles each.",
        o.tiles,
    ) % {"players": o.players, "tiles": o.tiles}
    if not o.rest:
        return dealt
    left = ngettext(
        "One tile is left over and opens the line.",
        "Of the %(rest)d left over the first opens the line, the others stay hidden.",
        o.rest,
    ) % {"rest": o.rest}
    return f"{dealt} {left}"


def _leads(o: Options) -> list[str]:
    if o.rest:
        starter = (
            _("The seat after the last starter begins the next round.")
            if o.next_starter == "rotate"
            else _("The winner of a round begins the next one.")
        )
        return [starter] if o.match.kind != "single" else []
    first = _("Whoever holds %(tile)s leads the first round with it.") % {"tile": o.first_lead}
    if o.match.kind == "single":
        return [first]
    who = (
        _("Later rounds are led by the seat after the last starter")
        if o.next_starter == "rotate"
        else _("Later rounds are led by the winner of the round before")
    )
    what = (
        _("with any tile.")
        if o.next_lead == "any"
        else _("with a double; without one the right to lead goes on clockwise.")
    )
    return [first, f"{who}, {what}"]


def _unable(o: Options) -> str:
    if o.unable == "pass":
        return _("Who cannot place a tile passes.")
    return _(
        "Whoever cannot place a tile lays one face down in front of them: "
        "a dead tile, seen by nobody else, and it still counts."
    )


def _end(o: Options) -> list[str]:
    out = (
        _("A round ends when both partners have emptied their hands, or when nobody can place.")
        if o.team_rule == "both_out"
        else _("A round ends when somebody places the last tile, or when nobody can place.")
    )
    counted = (
        _("Then the pips in hand count, and the fewest win.")
        if o.unable == "pass"
        else _("Then the pips in hand and in the dead tiles count, and the fewest win.")
    )
    sentences = [f"{out} {counted}"]
    if o.unable == "discard" and o.team_rule != "both_out":
        sentences.append(
            _("It also ends when a dead tile was somebody's last.")
            if o.empty_by_discard == "ends"
            else _("Whose last tile became a dead one is skipped, and the round goes on.")
        )
    return sentences


def _blank(o: Options) -> str:
    if o.double_blank == "own25":
        return _("0-0 counts 25, unless its holder counts another tile with a blank; then 0.")
    if o.double_blank == "dead25":
        return _("0-0 counts 25, unless anybody counts another tile with a blank; then 0.")
    return _("0-0 counts nothing.")


def _teams(o: Options) -> list[str]:
    if not o.teams:
        return []
    facing = _("Partners sit opposite each other.")
    if o.team_rule == "winner":
        return [
            facing,
            _("The pair of the best single player wins; the other pair writes down its sum."),
        ]
    return [facing, _("The tiles of both partners are added up; the lower sum wins.")]


def _length(o: Options) -> str:
    match = o.match
    if match.kind == "rounds":
        return ngettext(
            "The match lasts %(n)d round; the lowest total wins.",
            "The match lasts %(n)d rounds; the lowest total wins.",
            match.n or 0,
        ) % {"n": match.n}
    if match.kind == "target":
        return _(
            "The match ends with the round in which a total reaches %(points)d; "
            "the lowest total wins."
        ) % {"points": match.points}
    return _("The match is one round.")


def _redeal(o: Options) -> list[str]:
    if o.redeal == "off":
        return []
    text = _("A hand with %(count)s doubles or more is dealt again.")
    return [text % {"count": o.redeal}]


def _deadline(o: Options, turn_seconds: int) -> list[str]:
    each = _("Each turn has %(time)s.") % {"time": duration(turn_seconds)}
    if o.on_timeout == "autoplay":
        missed = _("When it is over, the lightest tile that fits is placed by itself.")
    elif o.unable == "pass":
        missed = _("When it is over, the turn is lost.")
    else:
        missed = _(
            "When it is over, the turn is lost; if nothing fits, the lightest tile is laid "
            "face down."
        )
    away = ngettext(
        "After %(count)d missed turn a bot (%(level)s) plays for the seat "
        "until its owner takes it back.",
        "After %(count)d missed turns in a row a bot (%(level)s) plays for the seat "
        "until its owner takes it back.",
        o.takeover_after,
    ) % {"count": o.takeover_after, "level": LEVEL_NAMES[o.absent_level]}
    return [f"{each} {missed}", away]
