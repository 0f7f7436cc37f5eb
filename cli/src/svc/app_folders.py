"""Files: where the command keeps its own (XDG folders; written whole or not at all, for their owner only), and those
that are handed to it, where `-` is standard input."""

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
    # The XDG specification says that relative paths are to be ignored.
    named = os.environ.get(variable, "")
    return (Path(named) if os.path.isabs(named) else Path.home() / fallback) / "svc"


def read_bytes(path: str) -> bytes:
    """What a file holds, or standard input for `-`. Raises OSError."""
    if path != "-":
        return Path(path).read_bytes()
    return sys.stdin.buffer.read() if sys.stdin else b""


def read_stdin_text() -> str:
    return read_bytes("-").decode("utf-8-sig", "replace")


def write_private(path: Path, text: str) -> None:
    """Write `text` to `path` with mode 0600, replacing it in one step. Raises OSError."""
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
