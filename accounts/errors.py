"""What the site refuses: a code, one sentence for the person, a status for the browser."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class GapleError(Exception):
    """Base of all refusals that a person is told. Nothing has been changed when it is raised."""

    code = "refused"
    status = 422
    sentence: str | Promise = _("That is not possible.")

    def __init__(self, sentence: str | Promise | None = None, *, code: str | None = None) -> None:
        self.sentence = sentence or self.sentence
        self.code = code or self.code
        super().__init__(str(self.code))


class Throttled(GapleError):
    code = "throttled"
    status = 429
    sentence = _("That was a bit often. Please wait a few minutes and try again.")
