"""What people may tell about themselves."""

from __future__ import annotations

import zoneinfo
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm, BaseUserCreationForm
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from .models import NAME_LENGTH, User, check_name

AS_DEVICE = ("", _("As the device"))
INDONESIA = (
    ("Asia/Jakarta", "WIB (Asia/Jakarta)"),
    ("Asia/Makassar", "WITA (Asia/Makassar)"),
    ("Asia/Jayapura", "WIT (Asia/Jayapura)"),
)


def zones() -> list[tuple[str, str | Promise]]:
    """All time zones, those of Indonesia first."""
    others = sorted(zoneinfo.available_timezones() - {zone for zone, _name in INDONESIA})
    return [AS_DEVICE, *INDONESIA, *((zone, zone) for zone in others)]


class NameForm(forms.Form):
    """The name under which a guest sits down; without one he gets a bird's."""

    name = forms.CharField(
        label=_("Your name"),
        help_text=_("You may leave it empty; then you are called after a bird."),
        max_length=NAME_LENGTH,
        required=False,
        validators=[check_name],
    )


class SignUpForm(BaseUserCreationForm):
    """A name to sign in with, a password, and an address for a forgotten one."""

    class Meta:
        model = User
        fields = ("username", "email")
        labels = {"username": _("Name"), "email": _("E-mail")}
        help_texts = {
            "username": _("You sign in with it, and others see it."),
            "email": _("Only needed to set a new password. Nobody sees it."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].max_length = NAME_LENGTH  # type: ignore[attr-defined]
        self.fields["username"].validators = [check_name]
        self.fields["password1"].help_text = _(
            "At least 8 letters or digits, not digits alone, and nothing easy to guess."
        )
        self.fields["username"].widget.attrs |= {
            "maxlength": NAME_LENGTH,
            "autocomplete": "username",
        }

    def clean_username(self) -> str:
        username: str = self.cleaned_data["username"]
        taken = User.objects.filter(username__iexact=username).exclude(pk=self.instance.pk)
        if taken.exists() or username.casefold().startswith("guest-"):
            raise ValidationError(_("This name is taken. Please choose another."))
        return username


class SignInForm(AuthenticationForm):
    """Sign in by name, whatever its capitals."""

    error_messages = {
        "invalid_login": _("The name or the password is wrong."),
        "inactive": _("This account is closed."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("Name")


class SettingsForm(forms.ModelForm):
    """How a person likes the site."""

    language = forms.ChoiceField(
        label=_("Language"), choices=[AS_DEVICE, *settings.LANGUAGES], required=False
    )
    zone = forms.ChoiceField(label=_("Time zone"), choices=lambda: zones(), required=False)

    class Meta:
        model = User
        fields = (
            "name",
            "language",
            "zone",
            "theme",
            "confirm_moves",
            "colour_pips",
            "large_numerals",
        )


class SettingsWithEmailForm(SettingsForm):
    """With the address, which opens the account to whoever reads its mails: it asks for more."""

    password = forms.CharField(
        label=_("Your password"),
        help_text=_("Only needed to change the e-mail."),
        required=False,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    class Meta(SettingsForm.Meta):
        fields = (*SettingsForm.Meta.fields, "email")  # type: ignore[assignment]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        stored = User.objects.get(pk=self.instance.pk)
        if data.get("email", stored.email) != stored.email and not stored.check_password(
            data.get("password", "")
        ):
            self.add_error("password", _("To change the e-mail, type your password."))
        return data
