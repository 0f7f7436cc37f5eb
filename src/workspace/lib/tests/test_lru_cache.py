"""The cache never uses more bytes than its limit."""

from __future__ import annotations

from workspace.lib.lru_cache import BoundedCache


def test_the_least_recently_used_entry_is_removed() -> None:
    cache: BoundedCache[str] = BoundedCache(10)
    for key in "abc":
        cache.put(key, key.upper(), 4 if key != "c" else 2)
    assert cache.get("a") == "A"
    cache.put("d", "D", 3)
    assert [cache.get(key) for key in "abcd"] == ["A", None, "C", "D"]


def test_a_too_large_value_is_not_cached_and_a_replaced_one_counts_once() -> None:
    cache: BoundedCache[str] = BoundedCache(10)
    cache.put("a", "A", 6)
    cache.put("a", "B", 6)
    assert cache.get("a") == "B"
    cache.put("b", "C", 11)
    assert cache.get("b") is None
    cache.put("d", "D", 10)
    assert cache.get("d") == "D"
