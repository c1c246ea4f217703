"""What a table refuses; see accounts.errors for the base."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.errors import GapleError
from games.engine.errors import EngineError


class Illegal(GapleError):
    code = "illegal"
    sentence = _("The rules do not allow that here.")


class Unreadable(GapleError):
    code = "unreadable"
    status = 400
    sentence = _("That could not be read. Please choose again on the table.")


class Stale(GapleError):
    code = "stale"
    status = 409
    sentence = _("The table has moved on meanwhile. Here it is as it stands; please look again.")


class NotYourTurn(GapleError):
    code = "not_your_turn"
    status = 409
    sentence = _("It is not your turn.")
    taken_over = _("A bot plays your seat. Take back control first, then play.")


class SeatTaken(GapleError):
    code = "seat_taken"
    status = 409
    sentence = _("That seat is taken.")


class NotAllowed(GapleError):
    code = "not_allowed"
    status = 403
    sentence = _("You may not do that at this table.")


_ENGINE_SENTENCES: dict[str, str | Promise] = {
    "round_over": _("This round is over."),
    "not_held": _("That tile is not in your hand."),
    "must_place": _("You hold a tile that fits, so you must place one."),
    "cannot_pass": _("You cannot pass here."),
    "bad_lead": _("This tile may not lead the round."),
    "does_not_fit": _("That tile does not fit that end."),
    "phrase_length": _("A phrase has at most 40 characters."),
    "phrase_control": _("A phrase holds no control characters."),
    "tile": _("That is not a domino tile."),
}


def told(error: EngineError, kind: type[GapleError] = Illegal) -> GapleError:
    """The refusal of the engine as a sentence for a person."""
    if error.code == "not_your_turn":
        return NotYourTurn()
    return kind(_ENGINE_SENTENCES.get(error.code), code=error.code)
