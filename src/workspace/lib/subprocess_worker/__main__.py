"""The subprocess: `python -I -m workspace.lib.subprocess_worker MODULE MEGABYTES SECONDS NICE`.

It passes its input to MODULE.handle and writes the result to its output. MODULE imports little, so that the process
starts quickly."""

from __future__ import annotations

import contextlib
import importlib
import os
import resource
import signal
import sys
from pathlib import Path

OUT_OF_MEMORY_EXIT_CODE = 71


def main() -> int:
    name, megabytes, seconds, nice = sys.argv[1:]
    _lower_priority(int(nice))
    _set_limit(resource.RLIMIT_CPU, int(seconds))
    _set_limit(resource.RLIMIT_CORE, 0)
    _set_limit(resource.RLIMIT_FSIZE, 0)
    answer = importlib.import_module(name).handle
    content = sys.stdin.buffer.read()
    # beyond what the libraries have mapped so far; a system without /proc also lacks this kind of limit
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
    """Give guests' requests priority, and make the OOM killer choose this process first.

    A signal to the whole process group, such as Ctrl-C, is ignored, because the parent finishes the current work.
    """
    os.nice(nice)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def _set_limit(resource_id: int, maximum: int) -> None:
    _, hard = resource.getrlimit(resource_id)
    maximum = maximum if hard == resource.RLIM_INFINITY else min(maximum, hard)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource_id, (maximum, maximum))


if __name__ == "__main__":
    raise SystemExit(main())
