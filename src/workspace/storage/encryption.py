"""Secrets at rest (what a webhook signs with, a calendar's password, a provider's key), sealed with AES-256-GCM under
the installation's own keys and bound to their account and purpose: put into another row, a value does not open.

    row.password = seal(password, account.pk, "calendar.password")
    unseal(row.password, account.pk, "calendar.password")

Whatever keeps sealed values says where, so that they are sealed anew when the keys change:

    sealed_in(Calendar, address="calendar.address", password="calendar.password")
"""

from __future__ import annotations

import base64
import binascii
import logging
import os
from collections.abc import Callable

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.db.models import Model, Value

from workspace.lib.errors import OperationNotAllowedError
from workspace.storage import encryption_keys
from workspace.storage.database.transactions import write_transaction
from workspace.storage.models import SealingKey

logger = logging.getLogger(__name__)

VERSION = "s1"
NONCE_BYTES = 12  # bytes

Renew = Callable[[str, str, str], str | None]
Holder = Callable[[Renew], int]
_holders: list[Holder] = []


class DecryptionError(OperationNotAllowedError):
    """The key of this value is lost, or the value is damaged or another's."""

    def __init__(self) -> None:
        super().__init__("A secret that was kept here cannot be opened any more: enter it again")


def encrypt_secret(text: str, account_id: str, purpose: str) -> str:
    """The value to keep, in ASCII, about a third longer than the text and 70 characters. Raises KeyFileError."""
    name, key = next(iter(encryption_keys.load_keys().items()))
    _record_key(name)
    nonce = os.urandom(NONCE_BYTES)
    sealed = AESGCM(key).encrypt(nonce, text.encode(), _associated_data(account_id, purpose))
    return f"{VERSION}.{name}.{_to_base64(nonce + sealed)}"


def decrypt_secret(value: str, account_id: str, purpose: str) -> str:
    """Raises DecryptionError, and KeyFileError, both refusals that tell a person what to do."""
    version, name, body = _split_value(value)
    key = encryption_keys.load_keys().get(name)
    if version != VERSION or key is None:
        raise DecryptionError
    try:
        raw = base64.b64decode(body, altchars=b"-_", validate=True)
        if _to_base64(raw) != body:  # base64 has more than one spelling; one value has one
            raise DecryptionError
        return AESGCM(key).decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], _associated_data(account_id, purpose)).decode()
    except (InvalidTag, binascii.Error, ValueError):
        raise DecryptionError from None


def reencrypt_secret(value: str, account_id: str, purpose: str) -> str | None:
    """The value sealed with the newest key, or None when it is already. Raises as `decrypt_secret` does."""
    if _split_value(value)[1] == next(iter(encryption_keys.load_keys())):
        return None
    return encrypt_secret(decrypt_secret(value, account_id, purpose), account_id, purpose)


def register_rotation(holder: Holder) -> Holder:
    if holder not in _holders:
        _holders.append(holder)
    return holder


def register_encrypted_columns(
    model: type[Model], /, *, of: str | Value = "account_id", passes_over: bool = False, **purposes: str
) -> None:
    """Columns of a table that hold sealed values, or nothing, each with its purpose.

    `of` leads from a row to whose they are; `passes_over`: one that cannot be opened any more stays as it is, where it
    else ends the rotation."""

    def renew_values(renew: Renew) -> int:
        changed = 0
        held = model._base_manager.exclude(**dict.fromkeys(purposes, ""))
        for pk, owner, *values in held.values_list("pk", of, *purposes).iterator(chunk_size=500):
            for (column, purpose), value in zip(purposes.items(), values, strict=True):
                try:
                    new = renew(value, owner, purpose) if value else None
                except DecryptionError:
                    if not passes_over:
                        raise
                    logger.warning("A secret in %s cannot be opened any more", model._meta.label)
                    continue
                if new is not None:
                    with write_transaction():  # unless another one was put there meanwhile
                        changed += model._base_manager.filter(pk=pk, **{column: value}).update(**{column: new})
        return changed

    register_rotation(renew_values)


def reencrypt_all() -> int:
    """Everything that is kept, sealed with the newest key; the number of values that changed."""
    return sum(holder(reencrypt_secret) for holder in _holders)


def find_missing_keys() -> list[str]:
    """The names of keys that have sealed something here and are there no more. Raises KeyFileError."""
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
    """That this key has sealed something, so that `check` can tell when it is lost."""
    if SealingKey.objects.filter(name=name).exists():
        return
    with write_transaction():
        SealingKey.objects.bulk_create([SealingKey(name=name)], ignore_conflicts=True)
