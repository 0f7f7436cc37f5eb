"""A cache of limited size in bytes that removes the least recently used entries."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class BoundedCache(Generic[T]):
    """A thread-safe LRU cache. Callers pass the size of each value in bytes."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self._entries: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._guard = threading.Lock()
        self._size = 0

    def get(self, key: Hashable) -> T | None:
        with self._guard:
            if key not in self._entries:
                return None
            self._entries.move_to_end(key)
            return self._entries[key][0]

    def put(self, key: Hashable, value: T, size: int) -> None:
        with self._guard:
            _, earlier = self._entries.pop(key, (None, 0))
            self._entries[key] = (value, size)
            self._size += size - earlier
            while self._size > self.max_bytes:
                _, (_, gone) = self._entries.popitem(last=False)
                self._size -= gone

    def clear(self) -> None:
        with self._guard:
            self._entries.clear()
            self._size = 0
