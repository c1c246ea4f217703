"""Matches in the admin: to look at, never to change; what is hidden at the table is hidden here.

Filters and searches are limited to the fields that are shown: a lookup on a hidden column would
tell its value one guess at a time.
"""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from .engine.actions import DISCARD
from .models import Discard, Game, Heartbeat, Move, Outage, Round, Seat

HIDDEN = _("hidden until the round ends")


class ReadOnlyAdmin(admin.ModelAdmin):
    """Shows rows. `shown` are the fields of the page; nothing else can be asked for."""

    shown: tuple[str, ...] = ()
    lookups: tuple[str, ...] = ()

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        return self.shown

    def get_readonly_fields(
        self, request: HttpRequest, obj: Model | None = None
    ) -> tuple[str, ...]:
        return self.shown

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        return lookup.removesuffix("__exact") in self.lookups

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Game)
class GameAdmin(ReadOnlyAdmin):
    list_display = ("code", "host", "status", "public", "round_number", "ply", "deadline_at")
    list_filter = ("public", ("finished_at", admin.EmptyFieldListFilter))
    list_select_related = ("host",)
    ordering = ("-created_at",)
    search_fields = ("=code", "host__name", "host__username")
    lookups = ("public", "finished_at__isempty", "id", "code")
    shown = (
        "code",
        "host",
        "status",
        "public",
        "fixed_seats",
        "auto_start",
        "replays_open",
        "options",
        "turn_seconds",
        "rematch_of",
        "created_at",
        "started_at",
        "stopped_at",
        "finished_at",
        "result",
        "events",
        "next_commitment",
        "version",
        "round_number",
        "ply",
        "to_move",
        "turn_started_at",
        "deadline_at",
        "bot_due_at",
    )


@admin.register(Seat)
class SeatAdmin(ReadOnlyAdmin):
    """Phrases stay out: nobody but their writer sees them before the deal."""

    list_display = ("game", "position", "name", "missed", "takeovers", "absent_since", "left_at")
    list_select_related = ("game", "user")
    search_fields = ("=game__code", "user__name", "user__username")
    lookups = ("game", "game__id", "user", "user__id", "bot_level")
    shown = (
        "game",
        "position",
        "user",
        "bot_level",
        "joined_at",
        "missed",
        "takeovers",
        "absent_since",
        "left_at",
        "wants_cancel",
    )


@admin.register(Round)
class RoundAdmin(ReadOnlyAdmin):
    list_display = ("game", "number", "dealt_at", "finished_at", "nonce")
    list_select_related = ("game",)
    search_fields = ("=game__code",)
    lookups = ("game", "game__id", "number")
    shown = (
        "game",
        "number",
        "commitment",
        "nonce",
        "context",
        "cut_at",
        "dealt_at",
        "finished_at",
        "end",
        "revealed_seed",
        "revealed_hands",
        "revealed_rest",
    )

    @admin.display(description=_("seed"))
    def revealed_seed(self, obj: Round) -> str:
        return bytes(obj.seed).hex() if obj.finished_at else str(HIDDEN)

    @admin.display(description=_("hands"))
    def revealed_hands(self, obj: Round) -> str:
        return str(obj.hands) if obj.finished_at else str(HIDDEN)

    @admin.display(description=_("tiles left over"))
    def revealed_rest(self, obj: Round) -> str:
        return ", ".join(obj.rest) if obj.finished_at else str(HIDDEN)


@admin.register(Move)
class MoveAdmin(ReadOnlyAdmin):
    """The ledger, dead tiles of a running round left out."""

    list_display = ("game", "round_number", "ply", "seat", "act", "shown_tile", "end", "by", "at")
    list_select_related = ("game", "round", "seat__user")
    list_filter = ("act", "by")
    search_fields = ("=game__code",)
    lookups = ("game", "game__id", "round", "round__id", "act", "by", "ply")
    shown = ("game", "round", "ply", "seat", "player", "act", "shown_tile", "end", "by", "at")
    # Without this a column header could sort by a hidden tile.
    sortable_by = ("ply", "at")

    @admin.display(description=_("round"))
    def round_number(self, obj: Move) -> int:
        return obj.round.number

    @admin.display(description=_("tile"))
    def shown_tile(self, obj: Move) -> str:
        if obj.act == DISCARD and obj.round.finished_at is None:
            return str(HIDDEN)
        return obj.tile or ""


admin.site.register(Discard, MoveAdmin)


@admin.register(Heartbeat)
class HeartbeatAdmin(ReadOnlyAdmin):
    list_display = shown = ("beat_at",)


@admin.register(Outage)
class OutageAdmin(ReadOnlyAdmin):
    list_display = shown = ("began_at", "ended_at", "settled_at")
