"""What takes a moment to build and is kept as long as the process lives."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

R = TypeVar("R")
Build = TypeVar("Build", bound=Callable[[], Any])

_startup_builds: list[Callable[[], Any]] = []


def build_once(build: Callable[[], R]) -> Callable[[], R]:
    """Built at the first call.

    Whoever asks meanwhile waits for that one, where `functools.cache` would let every thread build its own."""
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
    """Have a server call it before its first request, so that no guest waits for what it builds."""
    _startup_builds.append(build)
    return build


def run_startup_builds() -> None:
    for build in _startup_builds:
        build()
