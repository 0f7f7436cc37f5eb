"""Encryption of stored secrets, such as webhook secrets, calendar passwords and payment provider keys.

Secrets are encrypted with AES-256-GCM and the instance's keys, and bound to their account and purpose. A value that was
copied to another row cannot be decrypted.

    row.password = encrypt_secret(password, account.pk, "calendar.password")
    decrypt_secret(row.password, account.pk, "calendar.password")

All encrypted columns are registered, so that they are encrypted again when the keys change:

    register_encrypted_columns(Calendar, address="calendar.address", password="calendar.password")
"""

from __future__ import annotations

import base64
import binascii
import logging
import os
from collections.abc import Callable

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.db.models import Model, QuerySet, Value

from workspace.lib.errors import OperationNotAllowedError
from workspace.storage import encryption_keys
from workspace.storage.database.compiled_function import compile_once
from workspace.storage.database.transactions import write_transaction
from workspace.storage.models import SealingKey

logger = logging.getLogger(__name__)

VERSION = "s1"
NONCE_BYTES = 12

Renew = Callable[[str, str, str], str | None]
Holder = Callable[[Renew], int]
_holders: list[Holder] = []


class DecryptionError(OperationNotAllowedError):
    """The key of this value is lost, or the value is damaged or belongs to another account or purpose."""

    def __init__(self) -> None:
        super().__init__("A stored secret can no longer be decrypted. Enter it again")


def encrypt_secret(text: str, account_id: str, purpose: str) -> str:
    """Encrypt text. The result is ASCII, about a third longer than the text plus 70 characters.

    Raise KeyFileError if the keys cannot be read.
    """
    name, key = next(iter(encryption_keys.load_keys().items()))
    _record_key(name)
    nonce = os.urandom(NONCE_BYTES)
    sealed = AESGCM(key).encrypt(nonce, text.encode(), _associated_data(account_id, purpose))
    return f"{VERSION}.{name}.{_to_base64(nonce + sealed)}"


def decrypt_secret(value: str, account_id: str, purpose: str) -> str:
    """Decrypt a value. Raise DecryptionError or KeyFileError, both with advice for the user."""
    version, name, body = _split_value(value)
    key = encryption_keys.load_keys().get(name)
    if version != VERSION or key is None:
        raise DecryptionError
    try:
        raw = base64.b64decode(body, altchars=b"-_", validate=True)
        if _to_base64(raw) != body:  # base64 allows several encodings of the same bytes; only one is accepted
            raise DecryptionError
        return AESGCM(key).decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], _associated_data(account_id, purpose)).decode()
    except (InvalidTag, binascii.Error, ValueError):
        raise DecryptionError from None


def reencrypt_secret(value: str, account_id: str, purpose: str) -> str | None:
    """Re-encrypt a value with the newest key, or return None if it already uses that key.

    Errors are those of `decrypt_secret`.
    """
    if _split_value(value)[1] == next(iter(encryption_keys.load_keys())):
        return None
    return encrypt_secret(decrypt_secret(value, account_id, purpose), account_id, purpose)


def register_rotation(holder: Holder) -> Holder:
    """Register a function that re-encrypts stored values after a key is added. It returns how many changed."""
    if holder not in _holders:
        _holders.append(holder)
    return holder


def register_encrypted_columns(
    model: type[Model],
    /,
    *,
    owner_lookup: str | Value = "account_id",
    skip_undecryptable: bool = False,
    **purposes: str,
) -> None:
    """Register columns with encrypted or empty values, and the purposes of the columns.

    `owner_lookup` is the lookup that returns the owner's id. With `skip_undecryptable`, a value that cannot be
    decrypted is left unchanged. Otherwise, it stops the rotation.
    """

    def renew_values(renew: Renew) -> int:
        changed = 0
        held = model._base_manager.exclude(**dict.fromkeys(purposes, ""))
        for pk, owner, *values in held.values_list("pk", owner_lookup, *purposes).iterator(chunk_size=500):
            for (column, purpose), value in zip(purposes.items(), values, strict=True):
                try:
                    new = renew(value, owner, purpose) if value else None
                except DecryptionError:
                    if not skip_undecryptable:
                        raise
                    logger.warning("A secret in %s can no longer be decrypted", model._meta.label)
                    continue
                if new is not None:
                    with write_transaction():  # unless the value was replaced in the meantime
                        changed += model._base_manager.filter(pk=pk, **{column: value}).update(**{column: new})
        return changed

    register_rotation(renew_values)


def reencrypt_all() -> int:
    """Encrypt all stored secrets with the newest key. Return how many values changed."""
    return sum(holder(reencrypt_secret) for holder in _holders)


def find_missing_keys() -> list[str]:
    """Return the names of lost keys that stored values still use. Raise KeyFileError if the keys cannot be read."""
    here = encryption_keys.load_keys()
    return sorted(name for name in SealingKey.objects.values_list("name", flat=True) if name not in here)


def _associated_data(account_id: str, purpose: str) -> bytes:
    return f"{VERSION}\n{account_id}\n{purpose}".encode()


def _to_base64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode()


def _split_value(value: str) -> list[str]:
    parts = value.split(".")
    if len(parts) != 3:
        raise DecryptionError
    return parts


def _record_key(name: str) -> None:
    """Record the use of this key, so that the command `check` can detect its loss."""
    if _keys_on_record.exists(name):
        return
    with write_transaction():
        SealingKey.objects.bulk_create([SealingKey(name=name)], ignore_conflicts=True)


@compile_once
def _keys_on_record(name: str) -> QuerySet[SealingKey, str]:
    return SealingKey.objects.filter(name=name).values_list("name", flat=True)
