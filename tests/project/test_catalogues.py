"""Translation files: extraction, update and the check, on a small tree of their own."""

import gettext
from pathlib import Path

import polib
import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command

from gaple_site import catalogues

PYTHON = """
from django.utils.translation import gettext as _, ngettext, pgettext_lazy
_("Play now")
pgettext_lazy("verb", "Pass")
def tell(n): return ngettext("%(n)d tile", "%(n)d tiles", n) % {"n": n}
"""
TEMPLATE = """
<p>{% translate "It's your turn" %} {{ name|default:_("nobody") }}</p>
    {% blocktranslate trimmed count n=tiles|length %}
      {{ n }} tile
      left
    {% plural %}
      {{ n }} tiles
      left
  {% endblocktranslate %}
{% translate "Pass" context "noun" %}
"""


@pytest.fixture
def tree(tmp_path: Path, settings: LazySettings) -> Path:
    (tmp_path / "games").mkdir()
    (tmp_path / "templates").mkdir()
    (tmp_path / "games/views.py").write_text(PYTHON)
    (tmp_path / "templates/table.html").write_text(TEMPLATE)
    settings.LOCALE_PATHS = [tmp_path / "locale"]
    settings.BASE_DIR = tmp_path
    return tmp_path


def translate_all(tree: Path) -> polib.POFile:
    """Give each Indonesian entry a translation that keeps its placeholders."""
    file = polib.pofile(str(catalogues.catalogue_path("id")))
    for one in file:
        if one.msgid_plural:
            one.msgstr_plural = {0: one.msgid_plural}
        else:
            one.msgstr = one.msgid
    file.save()
    return file


def entry(file: polib.POFile, msgid: str) -> polib.POEntry:
    found = file.find(msgid)
    assert found
    return found


def test_strings_are_found_in_python_and_in_templates(tree: Path) -> None:
    assert set(catalogues.extract_all(tree)) == {
        (None, "Play now"),
        ("verb", "Pass"),
        (None, "%(n)d tile"),
        (None, "It's your turn"),
        (None, "nobody"),
        (None, "%(n)s tile left"),
        ("noun", "Pass"),
    }


def test_update_fills_english_and_leaves_indonesian_to_people(tree: Path) -> None:
    catalogues.update_all(tree)
    english = polib.pofile(str(catalogues.catalogue_path("en")))
    assert english.percent_translated() == 100
    assert entry(english, "%(n)d tile").msgstr_plural == {0: "%(n)d tile", 1: "%(n)d tiles"}
    faults = catalogues.faults(tree)
    assert len(faults) == 7
    assert all(fault.startswith("id: not translated: ") for fault in faults)


def test_update_keeps_what_was_translated_and_drops_what_is_gone(tree: Path) -> None:
    catalogues.update_all(tree)
    translate_all(tree)
    assert catalogues.faults(tree) == []
    (tree / "templates/table.html").write_text("")
    catalogues.update_all(tree)
    assert len(polib.pofile(str(catalogues.catalogue_path("id")))) == 3
    assert catalogues.faults(tree) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ("fuzzy", "id: fuzzy: 'Play now'"),
        ("empty", "id: not translated: 'Play now'"),
        ("placeholder", "id: with other placeholders than its source: '%(n)d tile'"),
        ("gone", "id: missing: 'Play now'"),
        ("extra", "id: outdated, no source has it: 'Play later'"),
    ],
)
def test_the_check_names_each_entry_that_needs_work(tree: Path, change: str, fault: str) -> None:
    catalogues.update_all(tree)
    file = translate_all(tree)
    play = entry(file, "Play now")
    if change == "fuzzy":
        play.flags.append("fuzzy")
    elif change == "empty":
        play.msgstr = ""
    elif change == "placeholder":
        entry(file, "%(n)d tile").msgstr_plural = {0: "kartu"}
    elif change == "gone":
        file.remove(play)
    else:
        file.append(polib.POEntry(msgid="Play later", msgstr="Main nanti"))
    file.save()
    assert catalogues.faults(tree) == [fault]
    with pytest.raises(CommandError, match="1 entries need work"):
        call_command("catalogues", "check")


def test_english_that_differs_from_its_source_is_outdated(tree: Path) -> None:
    catalogues.update_all(tree)
    translate_all(tree)
    path = catalogues.catalogue_path("en")
    path.write_text(path.read_text().replace('msgstr "Play now"', 'msgstr "Play"'))
    assert catalogues.faults(tree) == ["en: outdated, differs from its source: 'Play now'"]


def test_compiled_catalogues_speak(tree: Path) -> None:
    catalogues.update_all(tree)
    file = translate_all(tree)
    entry(file, "Play now").msgstr = "Main sekarang"
    file.save()
    catalogues.compile_all()
    with catalogues.catalogue_path("id").with_suffix(".mo").open("rb") as compiled:
        speech = gettext.GNUTranslations(compiled)
    assert speech.gettext("Play now") == "Main sekarang"
    assert speech.ngettext("%(n)d tile", "%(n)d tiles", 1) == "%(n)d tiles"
