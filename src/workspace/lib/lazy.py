"""What takes a moment to build and is kept as long as the process lives."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

R = TypeVar("R")
Build = TypeVar("Build", bound=Callable[[], Any])

_ahead: list[Callable[[], Any]] = []


def once(build: Callable[[], R]) -> Callable[[], R]:
    """Built at the first call. Whoever asks meanwhile waits for that one, where `functools.cache` would let every
    thread build its own."""
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


def ahead(build: Build) -> Build:
    """Have a server call it before its first request, so that no guest waits for what it builds."""
    _ahead.append(build)
    return build


def build_ahead() -> None:
    for build in _ahead:
        build()
