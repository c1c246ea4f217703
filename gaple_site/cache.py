"""The cache that all processes share. It holds counters of throttles and nothing else."""

import logging
from typing import Any

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)


class ForgivingRedisCache(RedisCache):
    """While Redis is away, nothing is counted; signing in and sitting down go on."""

    def add(self, key: Any, value: Any, *args: Any, **kwargs: Any) -> bool:
        try:
            return super().add(key, value, *args, **kwargs)
        except RedisError as fault:
            _report(fault)
            return False

    def incr(self, key: Any, *args: Any, **kwargs: Any) -> int:
        try:
            return super().incr(key, *args, **kwargs)
        except RedisError as fault:
            _report(fault)
            # What Django's caches say of a key that they do not hold.
            raise ValueError(f"Key {key!r} cannot be counted.") from fault

    def get(self, key: Any, default: Any = None, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().get(key, default, *args, **kwargs)
        except RedisError as fault:
            _report(fault)
            return default


def _report(fault: RedisError) -> None:
    logger.warning("The cache does not answer (%s): nothing is throttled.", type(fault).__name__)
