"""Translation files, kept without GNU gettext: extract, bring up to date, check, compile.

Source strings are English. `locale/id` is written by people; `locale/en` repeats the source and
is written by `update`, so that both answer to the same rule: no entry is empty.
"""

import io
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polib
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from django.conf import settings
from django.utils.translation.template import templatize

SOURCES = ("accounts", "games", "gaple_site", "templates")
TEMPLATES = {".html", ".txt"}
SOURCE_LANGUAGE = "en"
PLURALS = {"id": "nplurals=1; plural=0;", "en": "nplurals=2; plural=(n != 1);"}

# Babel knows the plain functions; Django adds these.
KEYWORDS: dict[str, Any] = {
    **DEFAULT_KEYWORDS,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext_lazy": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext_lazy": ((1, "c"), 2, 3),
}

# What a translation must keep: %(name)s, %s, %d, {name}.
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")

Key = tuple[str | None, str]
Entries = dict[Key, polib.POEntry]


def catalogue_path(language: str) -> Path:
    return Path(settings.LOCALE_PATHS[0]) / language / "LC_MESSAGES" / "django.po"


def languages() -> list[str]:
    return [language for language, _ in settings.LANGUAGES]


# --- Compile --------------------------------------------------------------------


def compile_all() -> None:
    """Write each .mo that is missing or older than its .po."""
    for po in map(catalogue_path, languages()):
        mo = po.with_suffix(".mo")
        if not po.exists() or (mo.exists() and mo.stat().st_mtime >= po.stat().st_mtime):
            continue
        # A process that starts at this moment must not read half a file.
        draft = mo.with_name(f"{mo.name}.{os.getpid()}")
        polib.pofile(str(po)).save_as_mofile(str(draft))
        draft.replace(mo)


# --- Extract --------------------------------------------------------------------


def extract_all(root: Path) -> Entries:
    """Return every marked string below the root, in the order of files and lines."""
    entries: Entries = {}
    for path in _source_files(root):
        place = (path.relative_to(root).as_posix(), "")
        for entry in _extract_file(path):
            known = entries.setdefault(_key(entry), entry)
            # gettext keeps one entry for the singular alone and with a plural.
            known.msgid_plural = known.msgid_plural or entry.msgid_plural
            if place not in known.occurrences:
                # Without line numbers: those would change the file at every commit.
                known.occurrences.append(place)
    return entries


def _source_files(root: Path) -> Iterator[Path]:
    for source in SOURCES:
        for path in sorted((root / source).rglob("*")):
            if path.suffix == ".py" or path.suffix in TEMPLATES:
                yield path


def _extract_file(path: Path) -> Iterator[polib.POEntry]:
    source = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        source = _as_python(source, path)
    found = extract(
        "python",
        io.BytesIO(source.encode()),
        keywords=KEYWORDS,
        comment_tags=("Translators:",),
        options={"encoding": "utf-8"},
    )
    for _, message, comments, context in found:
        singular, plural = message if isinstance(message, tuple) else (message, "")
        yield polib.POEntry(
            msgid=singular, msgid_plural=plural, msgctxt=context, comment="\n".join(comments)
        )


def _as_python(source: str, path: Path) -> str:
    """Return calls of gettext for a template's strings, each on its line, and filler between."""
    code = templatize(source, origin=str(path))
    # Indented as the page was, the lines would not be Python. No string runs over a line's end.
    return "\n".join(line.lstrip() for line in code.splitlines())


def _key(entry: polib.POEntry) -> Key:
    return entry.msgctxt, entry.msgid


# --- Update ---------------------------------------------------------------------


def update_all(root: Path) -> None:
    """Bring every catalogue up to date: new strings empty, gone ones dropped, the rest kept."""
    for language in languages():
        path = catalogue_path(language)
        translated = _read(path)
        catalogue = polib.POFile(wrapwidth=98)
        catalogue.metadata = _metadata(language)
        for entry in extract_all(root).values():
            _translate(entry, language, translated.get(_key(entry)))
            catalogue.append(entry)
        path.parent.mkdir(parents=True, exist_ok=True)
        catalogue.save(str(path))


def _metadata(language: str) -> dict[str, str]:
    return {
        "Project-Id-Version": "Gaple",
        "Language": language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": PLURALS[language],
    }


def _translate(entry: polib.POEntry, language: str, old: polib.POEntry | None) -> None:
    if language == SOURCE_LANGUAGE:
        forms = [entry.msgid, entry.msgid_plural]
    elif old:
        forms = list(old.msgstr_plural.values()) or [old.msgstr]
        entry.flags = [flag for flag in old.flags if flag == "fuzzy"]
    else:
        forms = []
    forms += ["", ""]
    if entry.msgid_plural:
        entry.msgstr_plural = dict(enumerate(forms[: _plural_forms(language)]))
    else:
        entry.msgstr = forms[0]


def _plural_forms(language: str) -> int:
    return int(PLURALS[language].removeprefix("nplurals=")[0])


def _read(path: Path) -> Entries:
    return {_key(entry): entry for entry in polib.pofile(str(path))} if path.exists() else {}


# --- Check ----------------------------------------------------------------------


def faults(root: Path) -> list[str]:
    """Return a line for each entry that is missing, empty, fuzzy, outdated or changed in form."""
    wanted = extract_all(root)
    found: list[str] = []
    for language in languages():
        written = _read(catalogue_path(language))
        for key in wanted.keys() | written.keys():
            fault = _fault(wanted.get(key), written.get(key), language)
            if fault:
                found.append(f"{language}: {fault}: {key[1]!r}")
    return sorted(found)


def _fault(wanted: polib.POEntry | None, written: polib.POEntry | None, language: str) -> str:
    if wanted is None:
        return "outdated, no source has it"
    if written is None:
        return "missing"
    if wanted.msgid_plural != written.msgid_plural:
        return "outdated, its plural has changed"
    if written.fuzzy:
        return "fuzzy"
    forms = list(written.msgstr_plural.values()) if wanted.msgid_plural else [written.msgstr]
    sources = [wanted.msgid, wanted.msgid_plural] if wanted.msgid_plural else [wanted.msgid]
    if not all(forms) or (wanted.msgid_plural and len(forms) != _plural_forms(language)):
        return "not translated"
    if language == SOURCE_LANGUAGE:
        return "" if forms == sources else "outdated, differs from its source"
    if any(_placeholders(form) != _placeholders(sources[-1]) for form in forms):
        return "with other placeholders than its source"
    return ""


def _placeholders(text: str) -> list[str]:
    return sorted(PLACEHOLDER.findall(text))
