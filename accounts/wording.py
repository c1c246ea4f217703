"""Sentences of Django's own forms that the site says in its own words.

Named here, they come into our catalogues, which are asked before Django's.
"""

from django.utils.translation import gettext_noop

WORDING = (
    gettext_noop("Password"),
    gettext_noop("Password confirmation"),
    gettext_noop("New password"),
    gettext_noop("New password confirmation"),
    gettext_noop("Old password"),
    gettext_noop("Enter the same password as before, for verification."),
    gettext_noop("The two password fields didn’t match."),
    gettext_noop("Your old password was entered incorrectly. Please enter it again."),
    gettext_noop("The password is too similar to the %(verbose_name)s."),
    gettext_noop("Your password can’t be too similar to your other personal information."),
    gettext_noop("This password is too common."),
    gettext_noop("Your password can’t be a commonly used password."),
    gettext_noop("This password is entirely numeric."),
    gettext_noop("Your password can’t be entirely numeric."),
    gettext_noop("Email"),
    gettext_noop("email address"),
    gettext_noop("Enter a valid email address."),
    gettext_noop("This field is required."),
)
