"""The command's own files, and files passed by the user.

Its own files are in XDG folders, are written atomically and can be read only by their owner. For files passed by the
user, `-` means standard input.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path


def config_folder() -> Path:
    return _folder("XDG_CONFIG_HOME", ".config")


def cache_folder() -> Path:
    return _folder("XDG_CACHE_HOME", ".cache")


def state_folder() -> Path:
    return _folder("XDG_STATE_HOME", ".local/state")


def _folder(variable: str, fallback: str) -> Path:
    # The XDG specification requires relative paths to be ignored.
    named = os.environ.get(variable, "")
    return (Path(named) if os.path.isabs(named) else Path.home() / fallback) / "svc"


def read_bytes(path: str) -> bytes:
    """Return the content of a file, or of standard input for `-`. Raise OSError if it cannot be read."""
    if path != "-":
        return Path(path).read_bytes()
    return sys.stdin.buffer.read() if sys.stdin else b""


def read_stdin_text() -> str:
    return read_bytes("-").decode("utf-8-sig", "replace")


def write_private(path: Path, text: str) -> None:
    """Write `text` to `path` with mode 0600, replacing the file atomically. Raise OSError if that fails."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    with contextlib.suppress(FileNotFoundError):
        draft.unlink()
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(draft, path)
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise
