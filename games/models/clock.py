"""When the sweeps last ran, and when they could not (R16)."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Heartbeat(models.Model):
    """One row, touched by every sweep."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    beat_at = models.DateTimeField(_("last sweep"))

    class Meta:
        verbose_name = _("heartbeat")
        verbose_name_plural = _("heartbeats")
        constraints = (
            models.CheckConstraint(condition=models.Q(id=1), name="heartbeat_is_single"),
        )

    def __str__(self) -> str:
        return self.beat_at.isoformat()


class Outage(models.Model):
    """A stretch without sweeps. It is not thinking time: every running deadline gets it back."""

    began_at = models.DateTimeField(_("began"))
    ended_at = models.DateTimeField(_("ended"))
    settled_at = models.DateTimeField(_("added to all deadlines"), null=True, blank=True)

    class Meta:
        verbose_name = _("outage")
        verbose_name_plural = _("outages")
        constraints = (
            models.CheckConstraint(
                condition=models.Q(ended_at__gt=models.F("began_at")), name="outage_has_length"
            ),
        )

    def __str__(self) -> str:
        return f"{self.began_at:%Y-%m-%d %H:%M} – {self.ended_at:%H:%M}"
