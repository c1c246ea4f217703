"""Keep the translation files: update, check, compile."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from gaple_site import catalogues


class Command(BaseCommand):
    help = (
        "Translation files: `update` takes new strings from the sources, `check` names every "
        "entry that is missing, empty, fuzzy or outdated, `compile` writes the .mo files."
    )
    # Must work on a tree whose addresses or models do not load at the moment.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("act", choices=["update", "check", "compile"])

    def handle(self, *args: Any, act: str, **options: Any) -> None:
        if act == "compile":
            catalogues.compile_all()
        elif act == "update":
            catalogues.update_all(settings.BASE_DIR)
            catalogues.compile_all()
        else:
            self._check()

    def _check(self) -> None:
        faults = catalogues.faults(settings.BASE_DIR)
        for fault in faults:
            self.stderr.write(fault)
        if faults:
            raise CommandError(
                f"{len(faults)} entries need work: run `manage.py catalogues update`, "
                "then translate them in locale/."
            )
