"""The append-only ledger: every action of every round, in order."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.engine.actions import DISCARD, PASS, PLACE, Action
from games.engine.tiles import Tile

from .game import Game, Round, Seat


class AppendOnly(models.QuerySet["Move"]):
    """Rows may be added, never changed: the database's trigger says the same."""

    def update(self, **values: Any) -> int:
        raise TypeError("The ledger is append-only.")

    def delete(self) -> tuple[int, dict[str, int]]:
        raise TypeError("The ledger is append-only.")


class Move(models.Model):
    """One action. `token` is the one-time token of the form it came from."""

    class Act(models.TextChoices):
        PLACE = PLACE, _("place")
        DISCARD = DISCARD, _("discard")
        PASS = PASS, _("pass")

    class By(models.TextChoices):
        PLAYER = "player", _("player")
        BOT = "bot", _("bot")
        FORCED = "forced", _("forced")
        TIMEOUT = "timeout", _("time ran out")

    game = models.ForeignKey(Game, models.PROTECT, related_name="moves")
    round = models.ForeignKey(Round, models.PROTECT, related_name="moves")
    ply = models.PositiveSmallIntegerField(_("ply"))
    seat = models.ForeignKey(Seat, models.PROTECT, related_name="moves")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="moves"
    )
    act = models.CharField(_("act"), max_length=7, choices=Act)
    tile = models.CharField(_("tile"), max_length=3, null=True, blank=True)
    end = models.CharField(_("end"), max_length=1, null=True, blank=True)
    by = models.CharField(_("by"), max_length=7, choices=By)
    token = models.UUIDField(null=True, blank=True)
    at = models.DateTimeField(_("at"))

    objects = AppendOnly.as_manager()

    class Meta:
        verbose_name = _("move")
        verbose_name_plural = _("moves")
        ordering = ("round", "ply")
        constraints = (
            models.UniqueConstraint(fields=("round", "ply"), name="move_once_a_ply"),
            models.UniqueConstraint(
                fields=("round", "tile"),
                condition=Q(tile__isnull=False),
                name="move_tile_once_a_round",
            ),
            models.UniqueConstraint(
                fields=("game", "seat", "token"),
                condition=Q(token__isnull=False),
                name="move_once_a_token",
            ),
            models.CheckConstraint(
                # A check that comes out as NULL passes: the end must be asked for by itself.
                condition=Q(act=PLACE, tile__isnull=False, end__isnull=False, end__in=("L", "R"))
                | Q(act=DISCARD, tile__isnull=False, end=None)
                | Q(act=PASS, tile=None, end=None),
                name="move_act_has_its_parts",
            ),
            models.CheckConstraint(
                condition=Q(by__in=("player", "bot", "forced", "timeout")), name="move_by_known"
            ),
        )

    def __str__(self) -> str:
        return f"{self.round_id}/{self.ply}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None:
            raise TypeError("The ledger is append-only.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise TypeError("The ledger is append-only.")

    @property
    def action(self) -> Action:
        return Action(self.act, Tile.parse(self.tile) if self.tile else None, self.end)


class Discards(models.Manager["Discard"]):
    def get_queryset(self) -> models.QuerySet[Discard]:
        return super().get_queryset().filter(act=DISCARD)


class Discard(Move):
    """The dead tiles among the moves."""

    objects: ClassVar[models.Manager[Discard]] = Discards()  # type: ignore[assignment]

    class Meta:
        proxy = True
        verbose_name = _("discard")
        verbose_name_plural = _("discards")
