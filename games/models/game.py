"""A match, its seats and its rounds."""

from __future__ import annotations

import uuid
from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.engine.match import Result
from games.engine.options import LEVELS, Options
from games.querysets import GameQuerySet

TURN_SECONDS = (300, 3600, 43200, 86400, 172800, 259200, 604800)
DAY = 86400
# What bots are called, by seat: three of one level at a table must be told apart.
BOT_NAMES = ("Bu Sri", "Pak Joko", "Mas Bayu", "Mbak Ayu", "Bang Ucok")
LEVEL_CHOICES = [(level, level.title()) for level in LEVELS]


class Game(models.Model):
    """A match at one table. Columns from `round_number` on summarise the ledger.

    `version` counts the changes that every viewer can see. `token` is the one-time token of the
    form that made the table. A stopped table closes at `closes_at` (R17). `next_seed` and
    `next_commitment` belong to the round that is dealt next; the seed is secret until that round
    has ended.
    """

    code = models.UUIDField(_("code"), unique=True, default=uuid.uuid4, editable=False)
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("host")
    )
    public = models.BooleanField(_("open to anyone"), default=False)
    fixed_seats = models.BooleanField(_("seats are chosen, not drawn"), default=False)
    auto_start = models.BooleanField(_("starts when full"), default=False)
    replays_open = models.BooleanField(_("replays open to anyone"), default=False)
    options = models.JSONField(_("rules"))
    turn_seconds = models.PositiveIntegerField(_("seconds a turn"), default=DAY)
    rematch_of = models.OneToOneField(
        "self", models.PROTECT, null=True, blank=True, related_name="rematch"
    )
    token = models.UUIDField(unique=True, null=True, blank=True, editable=False)
    invite_hash = models.CharField(max_length=64, unique=True, null=True, blank=True)
    invite_salt = models.CharField(max_length=32, blank=True)
    invite_expires_at = models.DateTimeField(null=True, blank=True)

    created_at = models.DateTimeField(_("made"), auto_now_add=True)
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    stopped_at = models.DateTimeField(_("stopped"), null=True, blank=True)
    closes_at = models.DateTimeField(_("closes"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)
    result = models.JSONField(_("result"), null=True, blank=True)
    events = models.JSONField(_("events"), default=list, blank=True)

    next_seed = models.BinaryField(max_length=32)
    next_commitment = models.CharField(_("commitment of the next deal"), max_length=64)

    version = models.PositiveIntegerField(_("version"), default=0)
    round_number = models.PositiveSmallIntegerField(_("round"), default=0)
    ply = models.PositiveSmallIntegerField(_("actions in this round"), default=0)
    to_move = models.PositiveSmallIntegerField(_("seat to move"), null=True, blank=True)
    turn_started_at = models.DateTimeField(_("turn since"), null=True, blank=True)
    deadline_at = models.DateTimeField(_("deadline"), null=True, blank=True)
    bot_due_at = models.DateTimeField(_("bot moves at"), null=True, blank=True)
    outage = models.ForeignKey(
        "Outage", models.PROTECT, null=True, blank=True, editable=False, related_name="+"
    )

    objects = GameQuerySet.as_manager()

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        constraints = (
            models.CheckConstraint(
                condition=Q(finished_at__isnull=True, result__isnull=True)
                | Q(finished_at__isnull=False, result__isnull=False),
                name="game_finished_has_result",
            ),
            models.CheckConstraint(
                condition=Q(to_move__isnull=False, started_at__isnull=False, finished_at=None)
                | Q(to_move__isnull=True, started_at=None)
                | Q(to_move__isnull=True, finished_at__isnull=False),
                name="game_active_has_seat_to_move",
            ),
            models.CheckConstraint(
                condition=Q(deadline_at=None, bot_due_at=None)
                | Q(to_move__isnull=False, stopped_at=None, deadline_at=None)
                | Q(to_move__isnull=False, stopped_at=None, bot_due_at=None),
                name="game_clock_only_while_running",
            ),
            models.CheckConstraint(
                condition=Q(closes_at=None)
                | Q(to_move__isnull=False, stopped_at__isnull=False, deadline_at=None),
                name="game_closes_only_while_stopped",
            ),
            models.CheckConstraint(
                condition=Q(turn_seconds__in=TURN_SECONDS), name="game_turn_seconds_known"
            ),
        )
        # The sweeps look only at rows that are due; finished games never enter these indexes.
        indexes = (
            models.Index(
                "deadline_at", name="game_deadline", condition=Q(deadline_at__isnull=False)
            ),
            models.Index("bot_due_at", name="game_bot_due", condition=Q(bot_due_at__isnull=False)),
            models.Index("closes_at", name="game_closes", condition=Q(closes_at__isnull=False)),
            models.Index(
                "created_at", name="game_gathering", condition=Q(started_at=None, finished_at=None)
            ),
        )

    def __str__(self) -> str:
        return str(self.code)

    def get_absolute_url(self) -> str:
        return reverse("games:table", args=[self.code])

    @property
    def status(self) -> str:
        """ "open" before the first deal, then "playing", "stopped" or "finished"."""
        if self.finished_at:
            return "finished"
        if self.started_at is None:
            return "open"
        return "stopped" if self.stopped_at else "playing"

    @property
    def rules(self) -> Options:
        return Options.from_dict(self.options)

    @property
    def turn_length(self) -> timedelta:
        return timedelta(seconds=self.turn_seconds)

    @property
    def match_result(self) -> Result | None:
        if self.result is None:
            return None
        return Result(
            tuple(self.result["order"]), self.result["reason"], tuple(self.result["left"])
        )


class Seat(models.Model):
    """A place at the table with its person or its bot; a free place has no row.

    `absent_since` says that a bot plays for the owner until he takes back, `left_at` that it
    plays to the end (R17). `phrase` is his cut of the next deal, seen by nobody else before it.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="seats")
    position = models.PositiveSmallIntegerField(_("seat"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="seats",
        verbose_name=_("person"),
    )
    bot_level = models.CharField(
        _("bot"), max_length=16, null=True, blank=True, choices=LEVEL_CHOICES
    )
    joined_at = models.DateTimeField(_("joined"))
    phrase = models.CharField(max_length=40, blank=True)
    phrase_set_at = models.DateTimeField(null=True, blank=True)
    missed = models.PositiveSmallIntegerField(_("missed in a row"), default=0)
    takeovers = models.PositiveSmallIntegerField(_("times taken over"), default=0)
    absent_since = models.DateTimeField(_("absent since"), null=True, blank=True)
    left_at = models.DateTimeField(_("left"), null=True, blank=True)
    wants_cancel = models.BooleanField(_("would cancel"), default=False)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ("position",)
        constraints = (
            models.UniqueConstraint(fields=("game", "position"), name="seat_once_a_game"),
            models.UniqueConstraint(fields=("game", "user"), name="seat_one_a_person"),
            models.CheckConstraint(
                condition=Q(user__isnull=False, bot_level=None)
                | Q(user=None, bot_level__isnull=False),
                name="seat_person_or_bot",
            ),
            models.CheckConstraint(condition=Q(position__lte=4), name="seat_position_known"),
            models.CheckConstraint(
                condition=Q(user__isnull=False) | Q(absent_since=None, left_at=None),
                name="seat_bots_are_never_absent",
            ),
        )

    def __str__(self) -> str:
        return f"{self.position}: {self.name}"

    @property
    def name(self) -> str:
        if self.user is None:
            return BOT_NAMES[self.position]
        return str(self.user)

    @property
    def by_bot(self) -> bool:
        """Whether a bot moves for this seat now."""
        return self.user_id is None or self.absent_since is not None or self.left_at is not None

    @property
    def level(self) -> str:
        """The level of the bot that moves here; the table's for an absent owner."""
        return self.bot_level or self.game.rules.absent_level


class Round(models.Model):
    """One deal and its end. Seed, hands and rest are secret until `finished_at` is set.

    `hands` are lists of tiles by seat, `phrases` and `cut_at` (RFC 3339 or null) by seat too;
    `right` is the seat with the right to start (null in round 1); `end` is the "end" object of
    the record, null while the round runs and for ever when its match ended before it did.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField(_("number"))
    seed = models.BinaryField(max_length=32)
    commitment = models.CharField(_("commitment"), max_length=64)
    nonce = models.PositiveIntegerField(_("nonce"), default=0)
    context = models.TextField(_("context"))
    phrases = models.JSONField()
    cut_at = models.JSONField()
    hands = models.JSONField()
    rest = models.JSONField()
    right = models.PositiveSmallIntegerField(null=True, blank=True)
    dealt_at = models.DateTimeField(_("dealt"))
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)
    end = models.JSONField(_("end"), null=True, blank=True)

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("game", "number"), name="round_once_a_game"),
            models.UniqueConstraint(
                fields=("game",), condition=Q(finished_at=None), name="round_one_running"
            ),
            models.CheckConstraint(
                condition=Q(end__isnull=True) | Q(finished_at__isnull=False),
                name="round_end_when_finished",
            ),
        )

    def __str__(self) -> str:
        return f"{self.game_id}/{self.number}"
