"""A cache for counts that all servers of an instance share, such as sign-in attempts.

With PostgreSQL, where there may be several servers, it is Django's cache in the table `storage_cacheentry`. With
SQLite, the only server uses its memory.
"""

from __future__ import annotations

from typing import Any

from django.utils.crypto import salted_hmac


def cache_settings(*, many: bool) -> dict[str, Any]:
    """Return the settings for `CACHES`.

    Entries are small. The size limit is high enough that a flood of addresses does not evict other counts.
    """
    if not many:
        return {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 50_000}}
    return {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "storage_cacheentry",
        "KEY_FUNCTION": "workspace.storage.shared_cache.hash_key",
        # each write counts the rows
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    }


def hash_key(key: str, prefix: str, version: int) -> str:
    """Return a hash of the key, because keys contain IP addresses."""
    return salted_hmac("storage.cached", f"{prefix}:{version}:{key}", algorithm="sha256").hexdigest()


def delete_expired() -> None:
    """Delete expired cache entries."""
    from workspace.lib import clock  # noqa: PLC0415 - no models are loaded yet
    from workspace.storage.models import CacheEntry  # noqa: PLC0415 - no models are loaded yet

    CacheEntry.objects.filter(expires__lt=clock.now()).delete()
