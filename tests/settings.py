"""Settings under test: the real ones, with what is slow or lasting replaced."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

# Nothing that tests do may touch the data of somebody who plays on this machine.
_home = tempfile.mkdtemp(prefix="gaple-test-")
atexit.register(shutil.rmtree, _home, ignore_errors=True)
os.environ["GAPLE_DATA"] = _home
# Nor may a developer's own shell change what is tested; DATABASE_URL alone chooses the database.
for _name in (
    "CELERY_BROKER_URL",
    "EMAIL_URL",
    "GAPLE_ALLOWED_HOSTS",
    "GAPLE_DEBUG",
    "GAPLE_ORIGIN",
):
    os.environ.pop(_name, None)
os.environ["SECRET_KEY"] = "tests-only-" + "0123456789" * 5

from gaple_site.settings import *  # noqa: E402, F403
from gaple_site.settings import BASE_DIR, DATABASES, STORAGES  # noqa: E402

if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file, not memory: threads then have connections and locks of their own, as in real life.
    DATABASES["default"]["TEST"] = {"NAME": str(Path(_home) / "test.sqlite3")}

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
# Hashed names need `collectstatic` first; tests/project has a test of those.
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
STATIC_ROOT = Path(_home) / "static"
STATIC_ROOT.mkdir()
STATICFILES_DIRS = [BASE_DIR / "static"]
