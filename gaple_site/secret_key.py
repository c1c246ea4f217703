"""The secret key of the embedded default: made once, kept beside the data."""

import os
from pathlib import Path

from django.core.management.utils import get_random_secret_key


def kept_in(folder: Path) -> str:
    """Return the key kept in the folder; the first call makes it, readable by the owner only."""
    path = folder / "secret-key"
    if not path.exists():
        _make(path)
    return path.read_text().strip()


def _make(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.touch(mode=0o600)
    draft.write_text(get_random_secret_key() + "\n")
    try:
        # Two first runs at the same moment: linking lets exactly one key win, whole.
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
