"""What other apps are told about people. Receivers may refuse by raising a GapleError."""

from django.dispatch import Signal

# Sent inside the transaction in which a guest's belongings go to an account: `guest`, `user`.
guest_merged = Signal()
