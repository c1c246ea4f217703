"""Tiles, boards, times and lengths of time in templates."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django import template
from django.templatetags.static import static
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games import presenters
from games.engine.options import Options
from games.engine.state import Laid
from games.engine.tiles import Tile
from games.selectors import RoundPage

register = template.Library()

# What people call these zones; the zone database says WIB, WITA and WIT for most of them only.
_ZONES = {
    "Asia/Jakarta": "WIB",
    "Asia/Pontianak": "WIB",
    "Asia/Makassar": "WITA",
    "Asia/Jayapura": "WIT",
}


@register.simple_tag
def tile(value: Tile | str, css: str = "", *, flat: bool = False, label: str = "") -> SafeString:
    """One tile, face up. Without a `label` it is hidden from screen readers."""
    shown = Tile.parse(value) if isinstance(value, str) else value
    hidden = (
        format_html('role="img" aria-label="{}"', label)
        if label
        else SafeString('aria-hidden="true"')
    )
    box, body, half = ("0 0 40 20", "th", "h") if flat else ("0 0 20 40", "tv", "v")
    second = SafeString('x="20"') if flat else SafeString('y="20"')
    return format_html(
        '<svg class="tile {}" viewBox="{}" {}><use href="#{}"/><use href="#{}{}"/>'
        '<use href="#{}{}" {}/></svg>',
        css,
        box,
        hidden,
        body,
        half,
        shown.low,
        half,
        shown.high,
        second,
    )


@register.simple_tag
def backs(count: int, css: str = "") -> SafeString:
    """Tiles face down, every one drawn alike: nothing in the page tells them apart."""
    if not count:
        return SafeString("")
    shift = 12
    uses = format_html_join("", '<use href="#bv" x="{}"/>', ((i * shift,) for i in range(count)))
    return format_html(
        '<svg class="backs {}" viewBox="0 0 {} 40" aria-hidden="true">{}</svg>',
        css,
        20 + (count - 1) * shift,
        uses,
    )


@register.simple_tag
def favicon(waiting: int | None) -> str:
    """The mark, with the number of games that wait; from nine on "9+"."""
    return static(f"img/favicon-{min(waiting, 9)}.svg" if waiting else "img/favicon.svg")


@register.simple_tag
def small_board(line: Iterable[Laid]) -> presenters.Board:
    """The layout as a small picture, for the row of a list."""
    return presenters.small_board(list(line))


@register.simple_tag
def sample_boards() -> tuple[presenters.Board, ...]:
    return presenters.sample_boards()


@register.simple_tag
def drawn_line(text: str) -> tuple[presenters.Board, ...]:
    from games.presenters.sample import drawn

    return drawn(text)


@register.filter
def duration(seconds: int) -> str:
    return presenters.duration(seconds)


@register.filter
def preset_name(options: Options) -> str:
    return presenters.preset_name(options)


@register.filter
def match_words(options: Options) -> str:
    return presenters.match_words(options)


@register.filter
def seat_badges(info: Any) -> list[str]:
    return presenters.seat_badges(info)


@register.filter
def get(items: Any, key: Any) -> Any:
    """items[key], or None."""
    try:
        return items[key]
    except (KeyError, IndexError, TypeError):
        return None


@register.filter
def separators(context: str) -> str:
    """The line of a deal with its separator U+001F made visible."""
    return context.replace("\u001f", "\u241f")


def zone_name(local: datetime) -> str:
    return _ZONES.get(timezone.get_current_timezone_name()) or local.strftime("%Z")


def _exact(moment: datetime) -> str:
    """ "Tue 3 Nov 14.05 WIB" in the present time zone."""
    local = timezone.localtime(moment)
    return f"{date_format(local, 'D j M')} {date_format(local, 'H.i')} {zone_name(local)}"


def _time(moment: datetime | str | None, kind: str, css: str, *, brief: bool = False) -> SafeString:
    if not moment:
        return SafeString("")
    if isinstance(moment, str):
        moment = datetime.fromisoformat(moment)
    stamp = moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return format_html(
        '<time class="{}" datetime="{}" data-{}{}>{}</time>',
        css,
        stamp,
        kind,
        SafeString(" data-brief" if brief else ""),
        _exact(moment),
    )


@register.simple_tag
def clock(moment: datetime | str | None, css: str = "clock", *, brief: bool = False) -> SafeString:
    """A deadline: exact here; the browser adds what is left, and `brief` shows only that."""
    return _time(moment, "deadline", css, brief=brief)


@register.simple_tag
def moment(moment: datetime | str | None, css: str = "moment") -> SafeString:
    """A time that has passed."""
    return _time(moment, "moment", css)


@register.simple_tag
def deal_data(page: RoundPage) -> dict[str, Any]:
    """What the browser needs to deal a finished round again."""
    return {
        "code": str(page.code),
        "number": page.number,
        "players": page.options.players,
        "tiles": page.options.tiles,
        "redeal": page.options.redeal,
        "seed": page.seed_hex,
        "commitment": page.commitment,
        "phrases": list(page.phrases),
        "nonce": page.deal.nonce,
        "context": page.deal.context,
        "hands": [[str(tile) for tile in hand] for hand in page.deal.hands],
        "rest": [str(tile) for tile in page.deal.rest],
        # Drawn only in round 1, and where tiles are left over; else the rules say who starts.
        "starter": page.right if page.number == 1 else None,
        "drawn": list(page.drawn),
    }
