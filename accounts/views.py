"""Signing up, in and out, settings, passwords."""

from __future__ import annotations

from typing import Any

from django.conf import settings as django_settings
from django.contrib import messages
from django.contrib.auth import login, views
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import activate
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from . import services, throttle
from .errors import GapleError
from .forms import SettingsForm, SettingsWithEmailForm, SignInForm, SignUpForm
from .models import User


@sensitive_post_parameters("password1", "password2")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """Make an account. A guest's own row becomes it, so he keeps seats and history."""
    user = request.user
    if user.is_authenticated and not user.is_guest:
        return redirect("accounts:settings")
    guest = user if user.is_authenticated else None
    form = SignUpForm(request.POST or None)
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            throttle.check(request, throttle.SIGN_UP)
            _make_account(request, guest, form)
        except GapleError as refusal:
            form.add_error(None, str(refusal.sentence))
            status = refusal.status
        except IntegrityError:
            # Two people took the name at the same moment.
            form.add_error("username", _("This name is taken. Please choose another."))
        else:
            messages.success(request, _("Welcome! Your seats and your history are kept."))
            return redirect(_next(request) or "games:mine")
    if form.errors and status == 200:
        status = 422
    context = {"form": form, "claiming": guest is not None, "next": _next(request)}
    return render(request, "accounts/sign_up.html", context, status=status)


def _make_account(request: HttpRequest, guest: User | None, form: SignUpForm) -> None:
    data = form.cleaned_data
    if guest is not None:
        services.claim(
            request,
            guest,
            username=data["username"],
            password=data["password1"],
            email=data["email"],
        )
        return
    user = form.save(commit=False)
    user.name = user.username
    user.save()
    login(request, user, backend=services.BACKEND)


def _next(request: HttpRequest) -> str:
    """Where the person wanted to go, if that is on this site."""
    target = request.POST.get("next") or request.GET.get("next") or ""
    safe = url_has_allowed_host_and_scheme(target, allowed_hosts={request.get_host()})
    return target if safe else ""


@method_decorator([never_cache], name="dispatch")
class SignIn(views.LoginView):
    """Sign in. What a guest of this browser holds goes to the account, or he is told why not."""

    template_name = "accounts/sign_in.html"
    authentication_form = SignInForm

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        form = self.get_form()
        try:
            throttle.check(request, throttle.SIGN_IN)
            throttle.check(request, throttle.SIGN_IN_NAME)
        except GapleError as refusal:
            form.full_clean()
            form.errors.clear()
            form.add_error(None, str(refusal.sentence))
            return self.render_to_response(self.get_context_data(form=form), status=429)
        return self.form_valid(form) if form.is_valid() else self.form_invalid(form)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        user, guest = form.get_user(), self.request.user
        assert isinstance(user, User)
        if guest.is_authenticated and guest.is_guest and guest.pk != user.pk:
            try:
                services.merge(guest, user)
            except GapleError as refusal:
                form.add_error(None, str(refusal.sentence))
                return self.form_invalid(form)
        response = super().form_valid(form)
        _speak(response, user)
        return response

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=422)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest) -> HttpResponse:
    """A person's settings."""
    user = request.user
    assert isinstance(user, User)
    kind = SettingsForm if user.is_guest else SettingsWithEmailForm
    form = kind(request.POST or None, instance=User.objects.get(pk=user.pk))
    if request.method == "POST" and form.is_valid():
        saved = form.save()
        response = redirect("accounts:settings")
        _speak(response, saved)
        messages.success(request, _("Your settings are saved."))
        return response
    status = 422 if form.errors else 200
    return render(request, "accounts/settings.html", {"form": form}, status=status)


def _speak(response: HttpResponse, user: User) -> None:
    """Keep the person's language in this browser, for pages before signing in too."""
    if user.language:
        activate(user.language)
        response.set_cookie(
            django_settings.LANGUAGE_COOKIE_NAME,
            user.language,
            max_age=django_settings.LANGUAGE_COOKIE_AGE,
            samesite="Lax",
            secure=django_settings.LANGUAGE_COOKIE_SECURE,
        )


class PasswordChange(views.PasswordChangeView):
    """A new password ends all other sessions of the account."""

    template_name = "accounts/password_change.html"
    success_url = reverse_lazy("accounts:settings")

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, _("Your password is changed. Other devices are signed out."))
        return super().form_valid(form)


class PasswordReset(views.PasswordResetView):
    template_name = "accounts/password_reset.html"
    email_template_name = "accounts/password_reset_mail.txt"
    html_email_template_name = "accounts/password_reset_mail.html"
    subject_template_name = "accounts/password_reset_subject.txt"
    success_url = reverse_lazy("accounts:password_reset_done")

    def form_valid(self, form: Any) -> HttpResponse:
        # The request's own host is whatever its sender says; the mail names the site's.
        self.extra_email_context = {"origin": django_settings.GAPLE_ORIGIN}
        return super().form_valid(form)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        form = self.get_form()
        try:
            throttle.check(request, throttle.RESET)
        except GapleError as refusal:
            form.add_error(None, str(refusal.sentence))
            return self.render_to_response(self.get_context_data(form=form), status=429)
        return super().post(request, *args, **kwargs)


class PasswordResetDone(views.PasswordResetDoneView):
    template_name = "accounts/password_reset_done.html"


class PasswordResetConfirm(views.PasswordResetConfirmView):
    template_name = "accounts/password_reset_confirm.html"
    success_url = reverse_lazy("accounts:password_reset_complete")


class PasswordResetComplete(views.PasswordResetCompleteView):
    template_name = "accounts/password_reset_complete.html"


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Say what happened and what to do, to a page as to an htmx request."""
    sentence = _("Your session changed in another tab. Reload this page and try again.")
    response = render(request, "csrf_failure.html", {"problem": sentence}, status=403)
    # In place of a part of a page it would be in the way: there the script says it in a line.
    response["HX-Reswap"] = "none"
    return response
