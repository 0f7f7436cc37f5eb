"""Encryption of second factors with the instance's secret key.

A copy of the database alone does not reveal them, and without the key no one can read them.
"""

from __future__ import annotations

import base64
import hashlib

from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

from workspace.storage.database.transactions import write_transaction

_ENCRYPTED_FIELDS = frozenset({"secret", "seed", "migrated_codes"})  # of an authenticator's data


class MfaDecryptionError(Exception):
    """The data was encrypted with a key that this instance no longer has."""


def encrypt_text(text: str) -> str:
    """Encrypt text with the current key."""
    return _build_cipher().encrypt(text.encode()).decode()


def decrypt_text(sealed: str) -> str:
    """Decrypt text with the current key or an earlier one. Raise MfaDecryptionError if no key matches."""
    try:
        return _build_cipher().decrypt(sealed.encode()).decode()
    except InvalidToken:
        raise MfaDecryptionError from None


def reencrypt_all() -> int:
    """Re-encrypt everything with the current key, so that earlier keys can be removed.

    Return the number of second factors whose key is missing.
    """
    unreadable = 0
    for id in Authenticator.objects.exclude(type=Authenticator.Type.WEBAUTHN).values_list("pk", flat=True):
        try:
            with write_transaction():
                _reencrypt(Authenticator.objects.select_for_update().get(pk=id))
        except MfaDecryptionError:
            unreadable += 1
        except Authenticator.DoesNotExist:  # it was removed a moment ago
            continue
    return unreadable


def count_unreadable() -> int:
    """Return the number of second factors that no key can decrypt."""
    found = Authenticator.objects.exclude(type=Authenticator.Type.WEBAUTHN)
    return sum(not _is_readable(authenticator) for authenticator in found)


def _reencrypt(authenticator: Authenticator) -> None:
    data = authenticator.data
    renewed = {name: _reencrypt_value(value) if name in _ENCRYPTED_FIELDS else value for name, value in data.items()}
    if renewed != data:
        authenticator.data = renewed
        authenticator.save(update_fields=["data"])


def _reencrypt_value(value: str | list[str]) -> str | list[str]:
    if isinstance(value, list):
        return [str(_reencrypt_value(one)) for one in value]
    try:
        _build_fernet(settings.SECRET_KEY).decrypt(value.encode())
    except InvalidToken:
        return encrypt_text(decrypt_text(value))
    return value


def _is_readable(authenticator: Authenticator) -> bool:
    try:
        for name in _ENCRYPTED_FIELDS & authenticator.data.keys():
            value = authenticator.data[name]
            for one in value if isinstance(value, list) else [value]:
                decrypt_text(one)
    except MfaDecryptionError:
        return False
    return True


def _build_cipher() -> MultiFernet:
    return MultiFernet([_build_fernet(key) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _build_fernet(secret: str) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(hashlib.sha256(b"second factors:" + secret.encode()).digest()))
