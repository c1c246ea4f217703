"""Lists that forget nothing: open tables, and matches that are over."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.options import PRESETS
from games.models import Game
from games.selectors import open_tables
from games.services import attendance, table
from tests.factories import guest, match_of, person

pytestmark = pytest.mark.django_db(transaction=True)


def test_full_tables_take_no_place_in_the_list_of_open_ones() -> None:
    free, _token = table.create_table(
        host=guest(), options=PRESETS["klasik"], turn_seconds=3600, public=True
    )
    full, _token = table.create_table(
        host=guest(), options=PRESETS["berlima"], turn_seconds=3600, public=True
    )
    for _ in range(4):
        table.join(code=full.code, user=guest())
    assert [row.code for row in open_tables(guest())] == [free.code]
    assert open_tables(free.host) == []


def test_every_match_that_is_over_can_be_found_again(client: Client) -> None:
    account = person("Budi")
    for _ in range(32):
        game = match_of([account])
        attendance.leave_match(code=game.code, user=account)
    client.force_login(account)
    pages = [client.get(reverse("games:finished"), {"page": number}) for number in (1, 2)]
    found = [row.code for page in pages for row in page.context["games"]]
    over = Game.objects.filter(finished_at__isnull=False).order_by("-finished_at")
    assert found == list(over.values_list("code", flat=True))
    assert len(pages[0].context["games"]) == 30
