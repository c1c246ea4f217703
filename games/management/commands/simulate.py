"""Play whole matches through the services and write their records, one a line."""

from __future__ import annotations

import json
import os
import tempfile
import time
from argparse import ArgumentParser
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import django
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from games.engine.options import PRESETS
from games.management.progress import shown

# The presets, and odd sets of options.
KINDS = (*PRESETS, "odd")


class Command(BaseCommand):
    help = "Plays whole matches on a temporary database of its own and writes their records."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--games", type=int, default=100, help="how many matches")
        parser.add_argument(
            "--preset", default="all", help=f"all, or one of {', '.join(KINDS)} (default all)"
        )
        parser.add_argument("--out", required=True, help="the file of records, one a line")
        parser.add_argument("--seed", type=int, default=1, help="what the players' choices hang on")
        parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")

    def handle(self, *args: Any, **options: Any) -> None:
        kinds = KINDS if options["preset"] == "all" else (options["preset"],)
        if not set(kinds) <= set(KINDS):
            raise CommandError(f"--preset is all or one of {', '.join(KINDS)}.")
        if options["games"] < 1 or options["jobs"] < 1:
            raise CommandError("--games and --jobs are at least 1.")
        began = time.monotonic()
        with (
            tempfile.TemporaryDirectory(prefix="gaple-simulate-") as folder,
            Path(options["out"]).open("w", encoding="utf-8") as out,
            ProcessPoolExecutor(
                options["jobs"], get_context("spawn"), _open_house, (folder,)
            ) as pool,
        ):
            played = [
                pool.submit(_play, kinds[number % len(kinds)], f"{options['seed']}/{number}")
                for number in range(options["games"])
            ]
            reasons: Counter[str] = Counter()
            for future in shown(as_completed(played), options["games"]):
                record = future.result()
                reasons[record["result"]["reason"]] += 1
                out.write(json.dumps(record, ensure_ascii=False) + "\n")
        ways = ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items()))
        self.stdout.write(
            f"{options['games']} matches ({ways}) in {time.monotonic() - began:.0f} s: "
            f"{options['out']}"
        )


def _open_house(folder: str) -> None:
    """Give this process a database of its own, before Django is set up in it."""
    os.environ["DATABASE_URL"] = f"sqlite:///{folder}/{os.getpid()}.sqlite3"
    os.environ["CELERY_BROKER_URL"] = "memory://"
    os.environ["GAPLE_DATA"] = folder
    django.setup()
    settings.GAPLE_NUDGES = False
    call_command("migrate", verbosity=0)


def _play(kind: str, seed: str) -> dict[str, Any]:
    # Imported here: the models may only be loaded once the process has its own settings.
    from games.management.simulation import play_match
    from games.selectors import match_record

    return match_record(play_match(kind, Random(seed))).as_dict()
