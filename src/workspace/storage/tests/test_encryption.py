"""Encrypted secrets are decrypted only for their account and purpose, with any existing key.

If a key is lost, the error explains what to do."""

from __future__ import annotations

import base64
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from workspace.storage import encryption_keys
from workspace.storage.encryption import (
    DecryptionError,
    decrypt_secret,
    encrypt_secret,
    find_missing_keys,
    reencrypt_all,
    reencrypt_secret,
    register_rotation,
)
from workspace.storage.encryption_keys import KeyFileError
from workspace.storage.models import SealingKey

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.DATA, settings.ENCRYPTION_KEYS = tmp_path, ""
    return tmp_path


@examples(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text())
def test_every_text_is_decrypted_and_never_encrypted_the_same_way_twice(text: str) -> None:
    first, second = encrypt_secret(text, "acc_1", "hook"), encrypt_secret(text, "acc_1", "hook")
    assert first != second and first.isascii()
    assert len(text) < 8 or text not in first
    assert decrypt_secret(first, "acc_1", "hook") == decrypt_secret(second, "acc_1", "hook") == text


def test_a_value_is_decrypted_only_for_its_account_and_purpose() -> None:
    value = encrypt_secret("s3cret", "acc_1", "hook")
    for account, purpose in (("acc_2", "hook"), ("acc_1", "calendar"), ("acc_1\nhook", ""), ("", "acc_1\nhook")):
        with pytest.raises(DecryptionError):
            decrypt_secret(value, account, purpose)


def test_a_modified_value_is_not_decrypted() -> None:
    value = encrypt_secret("s3cret", "acc_1", "hook")
    for place, letter in enumerate(value):
        changed = value[:place] + ("A" if letter != "A" else "B") + value[place + 1 :]
        with pytest.raises(DecryptionError):
            decrypt_secret(changed, "acc_1", "hook")
    for nonsense in ("", "x", "s1..", "s1.a.b", "s1.é.ü", value[:-8], value + "." + value, value + "\n"):
        with pytest.raises(DecryptionError):
            decrypt_secret(nonsense, "acc_1", "hook")


def test_the_key_file_is_created_once_and_only_readable_by_its_owner(folder: Path) -> None:
    encrypt_secret("a", "acc_1", "hook")
    file = folder / "encryption-keys"
    first = file.read_text()
    assert file.stat().st_mode & 0o077 == 0
    encrypt_secret("b", "acc_1", "hook")
    assert file.read_text() == first
    assert [path.name for path in folder.iterdir()] == ["encryption-keys"]


def test_processes_that_start_together_agree_on_one_key(folder: Path) -> None:
    script = f"""
from django.conf import settings
settings.configure(DATA={str(folder)!r}, ENCRYPTION_KEYS="")
from workspace.storage.encryption_keys import load_keys
print(*load_keys())
"""
    path = {"PYTHONPATH": ":".join(sys.path)}
    started = [subprocess.Popen([sys.executable, "-c", script], env=path, stdout=subprocess.PIPE) for _ in range(6)]
    names = {one.communicate(timeout=60)[0] for one in started}
    assert len(names) == 1 and names != {b""}


def test_after_a_rotation_old_values_are_decrypted_and_encrypted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    # registrations last as long as the process, so this one is only for the test
    monkeypatch.setattr("workspace.storage.encryption._holders", [])
    kept = {"row": encrypt_secret("s3cret", "acc_1", "hook")}
    old = kept["row"]
    encryption_keys.add_key()
    assert decrypt_secret(old, "acc_1", "hook") == "s3cret"

    @register_rotation
    def renew_rows(again: Any) -> int:
        changed = again(kept["row"], "acc_1", "hook")
        kept["row"] = changed or kept["row"]
        return changed is not None

    assert reencrypt_all() >= 1
    assert kept["row"].split(".")[1] == next(iter(encryption_keys.load_keys())) != old.split(".")[1]
    assert reencrypt_secret(kept["row"], "acc_1", "hook") is None
    assert decrypt_secret(kept["row"], "acc_1", "hook") == "s3cret"
    assert (encryption_keys.key_file_path().stat().st_mode & 0o077, len(encryption_keys.load_keys())) == (0, 2)


def test_a_lost_key_raises_an_error_with_advice_and_is_found_by_the_check(folder: Path) -> None:
    value = encrypt_secret("s3cret", "acc_1", "hook")
    assert find_missing_keys() == []
    (folder / "encryption-keys").unlink()
    with pytest.raises(DecryptionError, match="Enter it again"):
        decrypt_secret(value, "acc_1", "hook")
    assert find_missing_keys() == [value.split(".")[1]]
    assert decrypt_secret(encrypt_secret("again", "acc_1", "hook"), "acc_1", "hook") == "again"


@pytest.mark.parametrize("damaged", ["", "nonsense!", base64.b64encode(b"short").decode(), "\udcff"])
def test_a_damaged_key_file_raises_an_error_and_is_never_overwritten(folder: Path, damaged: str) -> None:
    value = encrypt_secret("s3cret", "acc_1", "hook")
    file = folder / "encryption-keys"
    file.write_bytes(damaged.encode("utf-8", "surrogateescape"))
    for attempt in (
        lambda: decrypt_secret(value, "acc_1", "hook"),
        lambda: encrypt_secret("x", "acc_1", "hook"),
        find_missing_keys,
    ):
        with pytest.raises(KeyFileError, match="bin/workspace check") as refused:
            attempt()
    assert "encryption-keys" in refused.value.reason
    assert file.read_bytes() == damaged.encode("utf-8", "surrogateescape")


def test_keys_from_the_setting_need_no_file(folder: Path, settings: Any) -> None:
    old, new = encryption_keys.generate_key(), encryption_keys.generate_key()
    settings.ENCRYPTION_KEYS = old
    value = encrypt_secret("s3cret", "acc_1", "hook")
    settings.ENCRYPTION_KEYS = f"{new}, {old}"
    assert decrypt_secret(value, "acc_1", "hook") == "s3cret"
    again = reencrypt_secret(value, "acc_1", "hook")
    settings.ENCRYPTION_KEYS = new
    assert again is not None and decrypt_secret(again, "acc_1", "hook") == "s3cret"
    assert list(folder.iterdir()) == []


def test_the_database_contains_names_of_keys_and_no_keys(folder: Path) -> None:
    encrypt_secret("s3cret", "acc_1", "hook")
    [name] = SealingKey.objects.values_list("name", flat=True)
    assert name not in (folder / "encryption-keys").read_text()
    assert len(name) == 12
