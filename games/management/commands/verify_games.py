"""Prove that every stored match follows from its ledger."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand

from games.management.progress import shown
from games.models import Game
from games.services.verifying import differences


class Command(BaseCommand):
    help = "Replays every stored match and compares all that is stored beside the ledger."

    def handle(self, *args: Any, **options: Any) -> None:
        games = Game.objects.order_by("pk")
        bad = 0
        for game in shown(games.iterator(chunk_size=200), games.count()):
            found = differences(game)
            bad += bool(found)
            for difference in found:
                self.stdout.write(f"{game.code}: {difference}")
        if bad:
            self.stderr.write(self.style.ERROR(f"{bad} matches differ from their ledger."))
            sys.exit(1)
        self.stdout.write(self.style.SUCCESS(f"{games.count()} matches follow from their ledger."))
