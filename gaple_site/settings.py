"""Django's settings. Everything a deployment may change is read from the environment here.

The variables are listed, with their defaults, in .env.example and explained in
docs/operations.md.
"""

from datetime import timedelta
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from gaple_site import env, secret_key

BASE_DIR = Path(__file__).resolve().parent.parent

# --- Where the house stands ---------------------------------------------------

DATA_DIR = Path(env.text("GAPLE_DATA", str(BASE_DIR / "data"))).resolve()
DEBUG = env.flag("GAPLE_DEBUG")

_origin = env.origin("GAPLE_ORIGIN", "http://localhost:8000")
# Scheme and host, without a slash at the end: what links in mails begin with.
GAPLE_ORIGIN = f"{_origin.scheme}://{_origin.netloc}"
HTTPS = _origin.scheme == "https"

# The machine itself may always ask, for health checks. Other names of the same house, such as
# its address in a local network, come from GAPLE_ALLOWED_HOSTS or from `manage.py play`.
ALLOWED_HOSTS = [
    _origin.hostname or "",
    "localhost",
    "127.0.0.1",
    "[::1]",
    *env.words("GAPLE_ALLOWED_HOSTS"),
]

# --- Services: none by default, PostgreSQL and Redis where they are named -----

# Requests that one process works on at the same time; each may hold a database connection.
WEB_THREADS = env.number("GAPLE_THREADS", 8, least=1)

DATABASES = {
    "default": env.database(
        "DATABASE_URL",
        f"sqlite:///{DATA_DIR / 'gaple.sqlite3'}",
        # Besides the request threads: the event poller, a stream's access check, one to spare.
        connections=WEB_THREADS + 3,
    )
}
_on_sqlite = DATABASES["default"]["ENGINE"].endswith("sqlite3")
if _on_sqlite:
    # The data folder must exist before SQLite can make its file in it. Threads keep their
    # connections; on PostgreSQL the pool does that.
    # Hands and sessions are in it: it is nobody else's.
    DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    DATABASES["default"]["CONN_MAX_AGE"] = None
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CELERY_BROKER_URL = env.broker("CELERY_BROKER_URL", "memory://")
_in_one_process = CELERY_BROKER_URL.startswith("memory://")

SECRET_KEY = env.text("SECRET_KEY")
# Sessions signed with the previous keys stay valid while a key is being changed.
SECRET_KEY_FALLBACKS = env.words("SECRET_KEY_FALLBACKS")
if not SECRET_KEY:
    if not (_on_sqlite and _in_one_process):
        # Each machine would make its own key, and sign people out at every other click.
        raise ImproperlyConfigured(
            "SECRET_KEY must be set, to the same long random text for every process, "
            "when PostgreSQL or Redis is used."
        )
    SECRET_KEY = secret_key.kept_in(DATA_DIR)

# --- Celery -------------------------------------------------------------------

CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TIMEZONE = "UTC"
CELERY_ENABLE_UTC = True
# Tasks are safe to repeat, so a message is only gone once its work is done, and a killed
# worker's message goes back to the queue.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# Our own LOGGING below redacts; Celery's would not.
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# The schedule needs no memory of its last run: every sweep looks at the rows that are due.
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"
# Thinking bots must not hold up the sweep: they have a queue of their own.
CELERY_TASK_ROUTES = {"games.tasks.play_bots": {"queue": "bots"}}
if _in_one_process:
    # The default of a second would add a second to every bot's turn.
    CELERY_BROKER_TRANSPORT_OPTIONS = {"polling_interval": 0.05}
else:
    # A message is only a hint: rather lose one than keep somebody waiting for a dead broker.
    # `max_retries` is for the first connection, which kombu would try again for six seconds.
    CELERY_TASK_PUBLISH_RETRY = False
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "max_retries": 0,
        "socket_connect_timeout": 2,
        "socket_timeout": 4,
    }
    # Workers and the beat have nobody waiting: they try for ever.
    CELERY_BROKER_CONNECTION_MAX_RETRIES = None

# Whether services wake the workers by a message; simulations play their bots themselves.
GAPLE_NUDGES = True

# --- Caches, counters of the throttle -----------------------------------------

CACHES: dict[str, dict[str, Any]]
if _in_one_process:
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
else:
    CACHES = {
        "default": {
            "BACKEND": "gaple_site.cache.ForgivingRedisCache",
            "LOCATION": CELERY_BROKER_URL,
            "KEY_PREFIX": "gaple",
            "OPTIONS": {"socket_connect_timeout": 2, "socket_timeout": 2},
        }
    }

# --- Applications -------------------------------------------------------------

INSTALLED_APPS = [
    "gaple_site",
    "accounts.apps.AccountsConfig",
    "games.apps.GamesConfig",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "csp",
    "django_htmx",
    "template_partials",
]

MIDDLEWARE = [
    "gaple_site.middleware.refuse_unreadable_requests",
    "gaple_site.middleware.guard_secret_addresses",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "gaple_site.middleware.keep_sessions_of_players",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.use_zone_of_person",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "gaple_site.middleware.redirect_whole_pages",
]

ROOT_URLCONF = "gaple_site.urls"
WSGI_APPLICATION = "gaple_site.wsgi.application"
ASGI_APPLICATION = "gaple_site.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "games.context_processors.once",
                "games.context_processors.waiting",
            ]
        },
    }
]

# --- People -------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "accounts:sign_in"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
PASSWORD_RESET_TIMEOUT = int(timedelta(hours=12).total_seconds())
# A guest's session is the only key to a seat, and a match may rest for weeks. It is renewed by
# playing (middleware.keep_sessions_of_players), never by looking.
SESSION_COOKIE_AGE = int(timedelta(days=90).total_seconds())

# --- Languages and time -------------------------------------------------------

LANGUAGE_CODE = "id"
LANGUAGES = [("id", "Bahasa Indonesia"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_COOKIE_AGE = int(timedelta(days=365).total_seconds())
LANGUAGE_COOKIE_SAMESITE = "Lax"
USE_TZ = True
TIME_ZONE = "Asia/Jakarta"

# --- Static files -------------------------------------------------------------

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = BASE_DIR / "staticfiles"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        # Names carry a hash of the content, so browsers may keep them for ever and a page that
        # was open over an update still finds its old files.
        "BACKEND": (
            "django.contrib.staticfiles.storage.StaticFilesStorage"
            if DEBUG
            else "whitenoise.storage.CompressedManifestStaticFilesStorage"
        )
    },
}
WHITENOISE_USE_FINDERS = DEBUG

# --- Mail ---------------------------------------------------------------------

_mail = env.mail("EMAIL_URL", "console://")
EMAIL_BACKEND = _mail["EMAIL_BACKEND"]
EMAIL_HOST = _mail.get("EMAIL_HOST", "")
EMAIL_PORT = _mail.get("EMAIL_PORT", 0)
EMAIL_HOST_USER = _mail.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = _mail.get("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_SSL = _mail.get("EMAIL_USE_SSL", False)
EMAIL_USE_TLS = _mail.get("EMAIL_USE_TLS", False)
EMAIL_TIMEOUT = _mail.get("EMAIL_TIMEOUT")
DEFAULT_FROM_EMAIL = env.text("GAPLE_MAIL_FROM", f"Gaple <gaple@{_origin.hostname}>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL

# --- Security -----------------------------------------------------------------

CSRF_TRUSTED_ORIGINS = [GAPLE_ORIGIN]
# Our script reads the token at request time: another tab's sign-in rotates it.
CSRF_COOKIE_HTTPONLY = False
CSRF_FAILURE_VIEW = "accounts.views.csrf_failure"

# All follow the address. Whether a request came by https is told by uvicorn, which believes
# X-Forwarded-Proto only from the proxies named in FORWARDED_ALLOW_IPS.
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_SECURE = HTTPS
SECURE_HSTS_SECONDS = int(timedelta(days=365).total_seconds()) if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS

SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
}

# No page takes more than a phrase and a few fields.
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024
# Requests are counted by the address of the connection, which uvicorn has already corrected.
RATELIMIT_IP_META_KEY = "accounts.throttle.address"
# Where the counters cannot be reached (gaple_site/cache.py), people are let in.
RATELIMIT_FAIL_OPEN = True

SILENCED_SYSTEM_CHECKS = [
    # To be in the browsers' preload list is a promise that only an operator can make.
    "security.W021",
]
if _in_one_process:
    # The throttle wants a cache that all processes share, and here there is exactly one process.
    SILENCED_SYSTEM_CHECKS += ["django_ratelimit.E003", "django_ratelimit.W001"]
else:
    # It knows Django's own Redis cache by name, and ours is one.
    SILENCED_SYSTEM_CHECKS += ["django_ratelimit.W001"]

DEFAULT_EXCEPTION_REPORTER_FILTER = "gaple_site.reports.NoVariables"

# --- Logs ---------------------------------------------------------------------

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"no_hostname_noise": {"()": "gaple_site.logs.NoHostnameNoise"}},
    "formatters": {
        "redacted": {
            "()": "gaple_site.logs.RedactingFormatter",
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        }
    },
    "handlers": {
        # The only handler, so that no line gets past the redaction.
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "redacted",
            "filters": ["no_hostname_noise"],
        }
    },
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {
        # Named here, these lose the handlers they bring along and speak through the root.
        "django": {"level": "INFO", "propagate": True},
        "django.server": {"level": "INFO", "propagate": True},
        "uvicorn": {"level": "INFO", "propagate": True},
        "uvicorn.access": {"level": "INFO", "propagate": True},
        "uvicorn.error": {"level": "INFO", "propagate": True},
        # A line for every sweep, every two seconds, would bury all others.
        "celery.app.trace": {"level": "WARNING"},
        "celery.beat": {"level": "WARNING"},
        "celery.worker.strategy": {"level": "WARNING"},
    },
}
