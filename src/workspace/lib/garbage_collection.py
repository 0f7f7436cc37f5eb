"""A pause of the garbage collector while a process starts, because its imports stay for its whole lifetime."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def pause_garbage_collection(*, to_stay: bool = False) -> Iterator[None]:
    """Pause the garbage collector, which would repeatedly scan objects that stay.

    If `to_stay` is set, everything built so far is also excluded from later collections, which could run during a
    request.
    """
    gc.disable()
    try:
        yield
    finally:
        if to_stay:
            gc.collect()
            gc.freeze()
        gc.enable()
