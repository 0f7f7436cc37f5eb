"""Stored logins by profile. The key is in the system's keychain, or else in a file with mode 0600."""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from svc.app_folders import config_folder, write_private
from svc.errors import CliError

KEYCHAIN_SERVICE = "svc"


@dataclass(frozen=True)
class Login:
    """A stored login. `base_url` is the service that the key belongs to. The key is never sent anywhere else."""

    base_url: str
    key: str
    place: str


def profiles_file() -> Path:
    return config_folder() / "profiles.json"


def base_url_for(profile: str) -> str | None:
    """Return the URL of a profile without using the keychain, which would take 60 ms."""
    return _load_entry(profile).get("base_url")


def load_login(profile: str) -> Login | None:
    """Return the stored login, or None. Raise CliError if the keychain fails."""
    entry = _load_entry(profile)
    if not entry.get("base_url"):
        return None
    if entry.get("api_key"):
        return Login(entry["base_url"], entry["api_key"], str(profiles_file()))
    keychain = _find_keychain()
    if keychain is None:
        return None
    try:
        key = keychain.get_password(KEYCHAIN_SERVICE, profile)
    except Exception as problem:
        raise CliError(
            f"The system keychain could not be opened ({type(problem).__name__}). Unlock it and try again."
        ) from None
    return Login(entry["base_url"], key, "the system keychain") if key else None


def save_login(profile: str, base_url: str, key: str) -> Login:
    """Store a login. Return the login with the place where it is stored. Raise CliError if it cannot be written."""
    keychain = _find_keychain()
    if keychain is not None:
        # A locked or broken keychain is no reason to reject a login, because the file is the fallback.
        try:
            keychain.set_password(KEYCHAIN_SERVICE, profile, key)
        except Exception:
            keychain = None
    kept = {**_load_all(), profile: {"base_url": base_url, **({} if keychain else {"api_key": key})}}
    _save_all(kept)
    return Login(base_url, key, "the system keychain" if keychain else str(profiles_file()))


def delete_login(profile: str) -> bool:
    """Delete a stored login. Return False if there was none."""
    kept = _load_all()
    entry = kept.pop(profile, None)
    if entry is None:
        return False
    keychain = None if entry.get("api_key") else _find_keychain()
    if keychain is not None:
        with contextlib.suppress(Exception):
            keychain.delete_password(KEYCHAIN_SERVICE, profile)
    _save_all(kept)
    return True


def _find_keychain() -> Any:
    """Return the keyring backend, or None if there are only placeholder backends."""
    try:
        import keyring

        backend = keyring.get_keyring()
        # The fail and null backends mean "no keychain", and have a low priority.
        return backend if backend.priority >= 1 else None
    except Exception:
        return None


def _load_entry(profile: str) -> dict[str, Any]:
    entry = _load_all().get(profile)
    return entry if isinstance(entry, dict) else {}


def _load_all() -> dict[str, Any]:
    try:
        kept = json.loads(profiles_file().read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as problem:
        raise CliError(f"Could not read {profiles_file()}. Correct or delete it, then log in again.") from problem
    return kept if isinstance(kept, dict) else {}


def _save_all(profiles: dict[str, Any]) -> None:
    try:
        write_private(profiles_file(), json.dumps(profiles, indent=2) + "\n")
    except OSError as problem:
        raise CliError(f"Could not write {profiles_file()}: {problem.strerror}.") from problem
