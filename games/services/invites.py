"""Invitation links, good until the match starts.

The token follows from a random salt in the row and the site's secret key, so that the host can
copy his link again; the row alone, in a stolen copy of the database, admits nobody.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
from datetime import timedelta

from django.utils import timezone
from django.utils.crypto import salted_hmac

from games.models import Game

LASTS = timedelta(days=30)


def renew(game: Game) -> str:
    """Give the game a new token, in place of any earlier one. Saves nothing."""
    game.invite_salt = secrets.token_hex(16)
    token = _token(game)
    game.invite_hash = _hash(token)
    game.invite_expires_at = timezone.now() + LASTS
    return token


def current(game: Game) -> str | None:
    """The token of a link that works now; None where there is none, or the key was changed."""
    token = _token(game)
    return token if opens(game, token) else None


def find(token: str) -> Game | None:
    """The game that gathers under this token, or None."""
    return (
        Game.objects.gathering()
        .filter(invite_hash=_hash(token), invite_expires_at__gt=timezone.now())
        .select_related("host")
        .first()
    )


def opens(game: Game, token: str) -> bool:
    """Whether the token is the one that the locked game has now."""
    return (
        game.invite_hash is not None
        and secrets.compare_digest(game.invite_hash, _hash(token))
        and game.invite_expires_at is not None
        and game.invite_expires_at > timezone.now()
    )


def _token(game: Game) -> str:
    digest = salted_hmac("games.invites", game.invite_salt, algorithm="sha256").digest()
    return base64.urlsafe_b64encode(digest[:24]).decode()


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
