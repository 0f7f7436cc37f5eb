"""The keys that seal secrets: in a file of their own beside the database, so that a copy of the database alone tells no
secret. Made once, readable by its owner only; a setting may give them instead, for several machines.

One key a line, the newest first. A key is named by the beginning of its hash, so that a sealed value can say which
one opens it, and another file can never pass for the one that was lost.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import hashlib
import os
import secrets
import threading
from pathlib import Path

from django.conf import settings

from workspace.environment import COMMAND
from workspace.lib.errors import ToolError

FILE = "sealing-keys"
LENGTH = 32  # bytes: AES-256


class KeysUnreadable(ToolError):
    """The file or setting of the keys is damaged, or cannot be read."""

    def __init__(self, why: str) -> None:
        super().__init__(
            "Secrets cannot be opened or kept at the moment: the sealing keys of this installation cannot be read. "
            f"Whoever runs it finds out why with `{COMMAND} check`"
        )
        self.why = why


_guard = threading.Lock()
_read: tuple[tuple[int, int, int], dict[str, bytes]] | None = None


def path() -> Path:
    return Path(settings.DATA) / FILE


def keys() -> dict[str, bytes]:
    """Name → key, the newest first. Made when there are none yet; read anew when another process changed the file.
    Raises KeysUnreadable."""
    if settings.SEALING_KEYS:
        return _parse(settings.SEALING_KEYS.replace(",", "\n"), "WORKSPACE_SEALING_KEYS")
    global _read
    with _guard:
        try:
            if not path().exists():
                _make()
            at = path().stat()
            stamp = (at.st_mtime_ns, at.st_size, at.st_ino)
            if _read is None or _read[0] != stamp:
                _read = (stamp, _parse(path().read_text(), str(path())))
            return _read[1]
        except (OSError, UnicodeDecodeError) as problem:
            raise KeysUnreadable(f"{path()}: {problem}") from None


def new_key() -> str:
    return base64.b64encode(secrets.token_bytes(LENGTH)).decode()


def add() -> None:
    """Put a new key before the others, which go on opening what they have sealed. Only for keys in the file."""
    lines = "\n".join([new_key(), *(base64.b64encode(key).decode() for key in keys().values())])
    with _guard:
        part = path().with_suffix(".part")
        part.unlink(missing_ok=True)
        _write(part, lines)
        part.replace(path())


def name_of(key: bytes) -> str:
    return hashlib.sha256(b"workspace sealing key" + key).hexdigest()[:12]


def _make() -> None:
    with contextlib.suppress(FileExistsError):  # another process was first
        part = path().with_name(f"{FILE}.{os.getpid()}.part")
        part.unlink(missing_ok=True)
        _write(part, new_key())
        try:
            os.link(part, path())  # whole or not at all, and never over another's
        finally:
            part.unlink()


def _write(to: Path, text: str) -> None:
    descriptor = os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text + "\n")
        file.flush()
        os.fsync(file.fileno())


def _parse(text: str, where: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for line in text.split():
        try:
            key = base64.b64decode(line, validate=True)
        except (binascii.Error, ValueError):
            raise KeysUnreadable(f"{where} holds a line that is no key") from None
        if len(key) != LENGTH:
            raise KeysUnreadable(f"{where} holds a key of the wrong length")
        found[name_of(key)] = key
    if not found:
        raise KeysUnreadable(f"{where} holds no key")
    return found
