"""What is kept never takes more bytes than it may."""

from __future__ import annotations

from workspace.lib.lru_cache import BoundedCache


def test_what_was_not_asked_for_longest_falls_out() -> None:
    cache: BoundedCache[str] = BoundedCache(10)
    for key in "abc":
        cache.put(key, key.upper(), 4 if key != "c" else 2)
    assert cache.get("a") == "A"
    cache.put("d", "D", 3)
    assert [cache.get(key) for key in "abcd"] == ["A", None, "C", "D"]


def test_a_value_that_is_too_large_is_not_kept_and_one_put_anew_counts_once() -> None:
    cache: BoundedCache[str] = BoundedCache(10)
    cache.put("a", "A", 6)
    cache.put("a", "B", 6)
    assert cache.get("a") == "B"
    cache.put("b", "C", 11)
    assert cache.get("b") is None
    cache.put("d", "D", 10)
    assert cache.get("d") == "D"
