"""The encryption keys, in a file next to the database, so that a copy of the database alone reveals no secrets.

The file is created once, and only its owner can read it. If there are several machines, a setting can contain the keys
instead. There is one key per line, newest first. The name of a key is the start of its hash. An encrypted value names
its key, so that another key file cannot be mistaken for a lost one.
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
from workspace.lib.errors import OperationNotAllowedError

FILE_NAME = "encryption-keys"
KEY_BYTES = 32  # AES-256


class KeyFileError(OperationNotAllowedError):
    """The file or setting with the keys is damaged or cannot be read."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            "Stored secrets can’t be read or saved, because the encryption keys of this instance can’t be read. "
            f"To find the reason, the administrator runs `{COMMAND} check`"
        )
        self.reason = reason


_guard = threading.Lock()
_cached_keys: tuple[tuple[int, int, int], dict[str, bytes]] | None = None


def key_file_path() -> Path:
    return Path(settings.DATA) / FILE_NAME


def load_keys() -> dict[str, bytes]:
    """Return the keys, keyed by name, newest first.

    If there are none, they are created. If another process changed the file, it is read again. Raise KeyFileError if it
    is damaged or cannot be read.
    """
    if settings.ENCRYPTION_KEYS:
        return _parse_keys(settings.ENCRYPTION_KEYS.replace(",", "\n"), "WORKSPACE_ENCRYPTION_KEYS")
    global _cached_keys
    with _guard:
        try:
            if not key_file_path().exists():
                _create_key_file()
            at = key_file_path().stat()
            stamp = (at.st_mtime_ns, at.st_size, at.st_ino)
            if _cached_keys is None or _cached_keys[0] != stamp:
                _cached_keys = (stamp, _parse_keys(key_file_path().read_text(), str(key_file_path())))
            return _cached_keys[1]
        except (OSError, UnicodeDecodeError) as problem:
            raise KeyFileError(f"{key_file_path()}: {problem}") from None


def generate_key() -> str:
    return base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()


def add_key() -> None:
    """Add a new key before the others, which can still decrypt their values. This works only for keys in the file."""
    lines = "\n".join([generate_key(), *(base64.b64encode(key).decode() for key in load_keys().values())])
    with _guard:
        part = key_file_path().with_suffix(".part")
        part.unlink(missing_ok=True)
        _write_file(part, lines)
        part.replace(key_file_path())


def key_name(key: bytes) -> str:
    return hashlib.sha256(b"workspace sealing key" + key).hexdigest()[:12]


def _create_key_file() -> None:
    with contextlib.suppress(FileExistsError):  # another process was first
        part = key_file_path().with_name(f"{FILE_NAME}.{os.getpid()}.part")
        part.unlink(missing_ok=True)
        _write_file(part, generate_key())
        try:
            os.link(part, key_file_path())  # atomic, and never overwrites another process's file
        finally:
            part.unlink()


def _write_file(to: Path, text: str) -> None:
    descriptor = os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text + "\n")
        file.flush()
        os.fsync(file.fileno())


def _parse_keys(text: str, path: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for line in text.split():
        try:
            key = base64.b64decode(line, validate=True)
        except (binascii.Error, ValueError):
            raise KeyFileError(f"{path} contains a line that isn't a key") from None
        if len(key) != KEY_BYTES:
            raise KeyFileError(f"{path} contains a key of the wrong length")
        found[key_name(key)] = key
    if not found:
        raise KeyFileError(f"{path} contains no key")
    return found
