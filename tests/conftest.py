"""What all tests share."""

import logging
import os
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.core.cache import cache
from django.utils import translation

from gaple_site import catalogues
from tests import services

# Playwright's synchronous interface keeps an event loop in the test's own thread, and Django
# would take each query there for one made by asynchronous code.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"


def pytest_configure(config: pytest.Config) -> None:
    # Compiled catalogues are not committed. Once is enough, before any worker of xdist starts.
    # Process tests ask for hundreds of pages, and a report should begin with what failed.
    logging.getLogger("httpx").setLevel(logging.WARNING)
    if not hasattr(config, "workerinput"):
        catalogues.compile_all()


@pytest.fixture(autouse=True)
def nothing_left_over() -> Iterator[None]:
    """Start each test in the default language and with throttles at zero.

    A request leaves its language active in the thread, and the cache outlives the database.
    """
    cache.clear()
    with translation.override(settings.LANGUAGE_CODE):
        yield


@pytest.fixture(scope="session")
def redis_url() -> str:
    """The throw-away Redis that `make test` starts."""
    return os.environ[services.REDIS]


@pytest.fixture(scope="session")
def postgres_url() -> str:
    """The throw-away PostgreSQL that `make test` starts; may be filled with databases."""
    return os.environ[services.POSTGRES]
