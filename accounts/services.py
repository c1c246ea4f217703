"""Guests, accounts, and how the one becomes the other."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib.auth import login, update_session_auth_hash
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from . import throttle
from .errors import GapleError
from .models import User
from .signals import guest_merged

BACKEND = "django.contrib.auth.backends.ModelBackend"
BIRDS = (
    "Cendrawasih",
    "Gelatik",
    "Jalak",
    "Kakaktua",
    "Kasuari",
    "Kenari",
    "Kutilang",
    "Maleo",
    "Merak",
    "Merpati",
    "Murai",
    "Nuri",
    "Pelatuk",
    "Perkutut",
    "Pipit",
    "Rangkong",
    "Tekukur",
    "Trucukan",
)


def suggested_name() -> str:
    """A name for a guest who did not type one: "Kenari 42"."""
    return f"{secrets.choice(BIRDS)} {secrets.randbelow(90) + 10}"


@contextmanager
def person_of(request: HttpRequest, name: str = "") -> Iterator[User]:
    """Who acts here: the signed-in person, or a guest made for this browser.

    A guest whose act is refused is gone again, as if he had never come. Raises Throttled where
    one address makes too many guests.
    """
    if request.user.is_authenticated:
        yield request.user
        return
    throttle.check(request, throttle.GUESTS)
    guest = User.objects.create_guest(name or suggested_name(), language=get_language() or "")
    try:
        yield guest
    except GapleError:
        guest.delete()
        raise
    login(request, guest, backend=BACKEND)


def claim(request: HttpRequest, guest: User, *, username: str, password: str, email: str) -> None:
    """Make a guest an account: same row, so seats and history stay. All his other sessions end."""
    guest.username, guest.email, guest.is_guest = username, email, False
    guest.set_password(password)
    guest.save()
    update_session_auth_hash(request, guest)


def merge(guest: User, user: User) -> None:
    """Hand a guest's belongings to an account that he signs in to.

    Whatever app holds some may refuse; then nothing is changed.
    """
    with transaction.atomic():
        guest_merged.send(sender=User, guest=guest, user=user)
        guest.is_active = False
        guest.name = _("Guest")
        guest.save(update_fields=("is_active", "name"))
