"""The work of subprocesses in tests, selected by a word of their input."""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import tempfile
import time


def handle(content: bytes) -> bytes:
    word = content.decode()
    if word == "eat":
        return bytes(1024**3)[:1]
    if word == "spin":
        while True:
            pass
    if word == "sleep":
        time.sleep(600)
    if word == "nap":
        time.sleep(1.5)
    if word == "die":
        os.kill(os.getpid(), signal.SIGSEGV)
    if word == "fail":
        raise RuntimeError("a library's own words")
    if word == "write":
        with tempfile.TemporaryFile() as file:
            file.write(b"x")
            file.flush()
    told = {
        "environment": sorted(os.environ),
        "modules": sorted(sys.modules),
        "nice": os.nice(0),
        "memory": resource.getrlimit(resource.RLIMIT_AS)[0],
    }
    return json.dumps(told).encode()
