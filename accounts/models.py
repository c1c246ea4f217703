"""People: accounts and guests are rows of one table."""

from __future__ import annotations

import re
import secrets
import unicodedata
import zoneinfo
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractUser, UserManager
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

NAME_LENGTH = 24

_SHAPE = re.compile(r"w+(?:(?:\. |[ .'’-])w+)*\.?")


def check_name(value: str) -> None:
    """Letters, marks and digits of any script, with single separators between."""
    if len(value) > NAME_LENGTH:
        raise ValidationError(
            _("A name has at most %(most)s characters."), params={"most": NAME_LENGTH}
        )
    shape = "".join("w" if unicodedata.category(c)[0] in "LMN" else c for c in value)
    if not _SHAPE.fullmatch(shape):
        raise ValidationError(
            _(
                "A name has letters and digits, with single spaces, dots, hyphens or "
                "apostrophes between."
            )
        )


def check_zone(value: str) -> None:
    if value not in zoneinfo.available_timezones():
        raise ValidationError(_("“%(zone)s” is not a time zone."), params={"zone": value})


class People(UserManager["User"]):
    def get_by_natural_key(self, username: str | None) -> User:
        """Names are one whatever their capitals: phones like to begin with one."""
        return self.get(username__iexact=username)

    def create_guest(self, name: str, **extra: Any) -> User:
        """A person without password or address, who sits down at once."""
        guest = self.model(
            username=f"guest-{secrets.token_hex(8)}", name=name, is_guest=True, **extra
        )
        guest.set_unusable_password()
        guest.save(using=self._db)
        return guest


class User(AbstractUser):
    """A person. A guest has no way to sign in but his session until he claims the account."""

    class Theme(models.TextChoices):
        SYSTEM = "system", _("As the device")
        LIGHT = "light", _("Light")
        DARK = "dark", _("Dark")

    # Wider than Django's own: "Sekar Ayu" signs in as what she is called.
    username = models.CharField(
        _("username"),
        max_length=150,
        unique=True,
        validators=[check_name],
        error_messages={"unique": _("This name is taken. Please choose another.")},
    )
    # Of the form that made the guest: sent twice, it makes him once.
    token = models.UUIDField(unique=True, null=True, blank=True, editable=False)
    name = models.CharField(_("name"), max_length=NAME_LENGTH, validators=[check_name])
    is_guest = models.BooleanField(_("guest"), default=False)
    language = models.CharField(_("language"), max_length=5, blank=True, choices=settings.LANGUAGES)
    zone = models.CharField(
        _("time zone"), max_length=64, blank=True, default="", validators=[check_zone]
    )
    theme = models.CharField(_("appearance"), max_length=6, choices=Theme, default=Theme.SYSTEM)
    confirm_moves = models.BooleanField(_("confirm each placement"), default=True)
    colour_pips = models.BooleanField(_("a colour for each number"), default=False)
    large_numerals = models.BooleanField(_("large numerals on tiles"), default=False)

    objects: ClassVar[People] = People()

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        constraints = (
            models.UniqueConstraint(
                Lower("username"),
                name="person_one_a_name",
                violation_error_message=_("This name is taken. Please choose another."),
            ),
        )

    def __str__(self) -> str:
        return self.name or self.username
