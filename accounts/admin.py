"""People in the admin. Guests and accounts are told apart; passwords stay with their owners."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.utils.translation import gettext_lazy as _

from .models import User


@admin.register(User)
class PeopleAdmin(UserAdmin):
    list_display = ("username", "name", "is_guest", "is_active", "is_staff", "date_joined")
    list_filter = ("is_guest", "is_active", "is_staff")
    search_fields = ("username", "name", "email")
    ordering = ("-date_joined",)
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        (_("Person"), {"fields": ("name", "email", "is_guest", "language", "zone")}),
        (
            _("Appearance"),
            {"fields": ("theme", "confirm_moves", "colour_pips", "large_numerals")},
        ),
        (
            _("Permissions"),
            {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")},
        ),
        (_("Dates"), {"fields": ("last_login", "date_joined")}),
    )
    readonly_fields = ("last_login", "date_joined")

    def has_delete_permission(self, request: object, obj: object = None) -> bool:
        """Ledgers point to people: they are deactivated, never deleted."""
        return False
