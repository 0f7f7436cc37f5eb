"""The child: `python -I -m workspace.lib.subprocess_worker MODULE MEGABYTES SECONDS NICE`.

It gives what it reads to MODULE.handle and writes what that returns. MODULE imports little, so that the child starts
in a moment.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import resource
import signal
import sys
from pathlib import Path

OUT_OF_MEMORY_EXIT_CODE = 71  # the exit code


def main() -> int:
    name, megabytes, seconds, nice = sys.argv[1:]
    _lower_priority(int(nice))
    _set_limit(resource.RLIMIT_CPU, int(seconds))
    _set_limit(resource.RLIMIT_CORE, 0)
    _set_limit(resource.RLIMIT_FSIZE, 0)
    answer = importlib.import_module(name).handle
    content = sys.stdin.buffer.read()
    # beyond what the libraries have mapped so far; a system that does not tell has no limit of this kind either
    with contextlib.suppress(OSError):
        mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        _set_limit(resource.RLIMIT_AS, mapped + int(megabytes) * 1024 * 1024)
    try:
        sys.stdout.buffer.write(answer(content))
        sys.stdout.buffer.flush()
    except MemoryError:
        return OUT_OF_MEMORY_EXIT_CODE
    return 0


def _lower_priority(nice: int) -> None:
    """Guests' requests come first; where the machine's memory ends, the child does.

    A signal to the whole group, such as Ctrl-C, leaves it to the parent, which finishes what is under way."""
    os.nice(nice)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def _set_limit(what: int, most: int) -> None:
    _, hard = resource.getrlimit(what)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(what, (most, most))


if __name__ == "__main__":
    raise SystemExit(main())
