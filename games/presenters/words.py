"""Sentences about tiles, times and what people did."""

from __future__ import annotations

import re
from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.engine.actions import LEFT

LEVEL_NAMES = {"pemula": "Pemula", "warung": "Warung"}


def duration(seconds: int) -> str:
    """A length of time in its largest whole unit: "5 minutes", "12 hours", "2 days"."""
    if seconds % 86400 == 0:
        days = seconds // 86400
        return ngettext("%(count)d day", "%(count)d days", days) % {"count": days}
    if seconds % 3600 == 0:
        hours = seconds // 3600
        return ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours}
    minutes = max(1, round(seconds / 60))
    return ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}


def listed(parts: Iterable[str]) -> str:
    """ "a, b and c"."""
    *most, last = parts
    if not most:
        return last
    return _("%(most)s and %(last)s") % {"most": ", ".join(most), "last": last}


def unbroken(text: str) -> str:
    """`text` with the names of tiles, as "5-6", kept on one line."""
    return re.sub(r"\b(\d)-(\d)\b", "\\1\u2011\\2", text)


def end_name(end: str) -> str:
    return pgettext("end", "left") if end == LEFT else pgettext("end", "right")


def pips(count: int) -> str:
    return ngettext("%(count)d pip", "%(count)d pips", count) % {"count": count}
