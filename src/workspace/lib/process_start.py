"""How a process begins: what it imports then is there for as long as it lives."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def pause_garbage_collection(*, to_stay: bool = False) -> Iterator[None]:
    """Without the collector, which would look at all of it again and again and find nothing.

    `to_stay`: what has been built is not looked at later either, when the collector comes by while somebody waits."""
    gc.disable()
    try:
        yield
    finally:
        if to_stay:
            gc.collect()
            gc.freeze()
        gc.enable()
