"""A pause of the garbage collector while a process starts, because its imports stay for its whole lifetime."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def pause_garbage_collection(*, to_stay: bool = False) -> Iterator[None]:
    """Pause the garbage collector, which would repeatedly scan long-lived objects.

    With `to_stay`, all existing objects are also excluded from later collections, which could run during a request, and
    collections run less often.
    """
    gc.disable()
    try:
        yield
    finally:
        if to_stay:
            gc.collect()
            gc.freeze()
            gc.set_threshold(10_000, 20, 20)  # Python's default takes 1 to 6 percent of the CPU time of pages
        gc.enable()
