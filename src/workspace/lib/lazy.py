"""Values that are slow to build and are cached for the lifetime of the process."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

R = TypeVar("R")
Build = TypeVar("Build", bound=Callable[[], Any])

_startup_builds: list[Callable[[], Any]] = []


def cache_first_result(build: Callable[[], R]) -> Callable[[], R]:
    """Cache the value that the first call builds.

    Concurrent callers wait for the first one, whereas with `functools.cache` every thread would build a value.
    """
    guard = threading.Lock()
    built: list[R] = []

    def get() -> R:
        if not built:
            with guard:
                if not built:
                    built.append(build())
        return built[0]

    get.__doc__ = build.__doc__
    return get


def build_at_startup(build: Build) -> Build:
    """Register a function that a server calls before its first request, so that no guest waits for it."""
    _startup_builds.append(build)
    return build


def run_startup_builds() -> None:
    for build in _startup_builds:
        build()
