"""Guests, accounts, and how the one becomes the other."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from uuid import UUID

from django.contrib.auth import login, update_session_auth_hash
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from . import throttle
from .errors import GapleError
from .models import User
from .signals import guest_merged

BACKEND = "django.contrib.auth.backends.ModelBackend"
# How long a form may be sent again and still mean the same guest.
SAME_VISIT = timedelta(minutes=10)
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
def person_of(request: HttpRequest, name: str = "", token: UUID | None = None) -> Iterator[User]:
    """Who acts here: the signed-in person, or a guest made for this browser.

    A form sent twice, with the same one-time `token`, makes one guest. A guest whose act is
    refused is gone again, as if he had never come. Raises Throttled where one address makes too
    many guests.
    """
    if request.user.is_authenticated:
        yield request.user
        return
    guest, is_new = _guest(request, name, token)
    try:
        yield guest
    except GapleError:
        if is_new:
            guest.delete()
        raise
    login(request, guest, backend=BACKEND)


def _guest(request: HttpRequest, name: str, token: UUID | None) -> tuple[User, bool]:
    """The guest of this form, and whether he is new."""
    known = _just_made(token)
    if known is not None:
        return known, False
    throttle.check(request, throttle.GUESTS)
    language = get_language() or ""
    try:
        guest = User.objects.create_guest(name or suggested_name(), language=language, token=token)
    except IntegrityError:
        # Sent twice at once, and the other was quicker.
        known = _just_made(token)
        if known is None:
            raise
        return known, False
    return guest, True


def _just_made(token: UUID | None) -> User | None:
    if token is None:
        return None
    since = timezone.now() - SAME_VISIT
    return User.objects.filter(
        token=token, is_guest=True, is_active=True, date_joined__gt=since
    ).first()


def claim(request: HttpRequest, guest: User, *, username: str, password: str, email: str) -> None:
    """Make a guest an account: same row, so seats and history stay. All his other sessions end."""
    guest.username = guest.name = username
    guest.email, guest.is_guest = email, False
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
