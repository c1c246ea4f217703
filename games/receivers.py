"""What games does when it is told about people."""

from typing import Any

from django.dispatch import receiver

from accounts.models import User
from accounts.signals import guest_merged

from .services import people


@receiver(guest_merged)
def hand_over(sender: object, guest: User, user: User, **kwargs: Any) -> None:
    people.hand_over(guest=guest, user=user)
