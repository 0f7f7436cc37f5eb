"""What all servers of an installation have to count together, such as tries to sign in: Django's cache in the table
`storage_cacheentry` where there may be several, on PostgreSQL. SQLite's one server counts in its memory."""

from __future__ import annotations

from typing import Any

from django.utils.crypto import salted_hmac


def cache_settings(*, many: bool) -> dict[str, Any]:
    """For `CACHES`. Entries are small, and the cap keeps a flood of addresses from pushing the counts of others out."""
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
    """Keys hold the addresses of who tried."""
    return salted_hmac("storage.cached", f"{prefix}:{version}:{key}", algorithm="sha256").hexdigest()


def delete_expired() -> None:
    """Housekeeping."""
    from workspace.lib import clock  # noqa: PLC0415 - no models are loaded yet
    from workspace.storage.models import CacheEntry  # noqa: PLC0415 - no models are loaded yet

    CacheEntry.objects.filter(expires__lt=clock.now()).delete()
