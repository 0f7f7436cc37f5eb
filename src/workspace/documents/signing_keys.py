"""The instance's signing key: an EC P-256 key in its database, created at first use.

All processes and machines share it. A copy of the database alone cannot sign, because the key is encrypted like other
secrets.
"""

from __future__ import annotations

import base64
import logging
from dataclasses import dataclass

from django.db import IntegrityError

from workspace.documents.models import SealKey
from workspace.storage.database.transactions import write_transaction
from workspace.storage.encryption import DecryptionError, decrypt_secret, encrypt_secret

logger = logging.getLogger(__name__)

NO_OWNER, PURPOSE = "installation", "documents.seal"


@dataclass(frozen=True, slots=True)
class SigningKey:
    """An X.509 certificate and its private key (PKCS #8), both in DER."""

    certificate: bytes
    private: bytes


def load_current_key() -> SigningKey:
    """Return the newest key that can be decrypted. If there is none, create one.

    Raise KeyFileError if keys are missing.
    """
    for _ in range(3):
        highest = 0
        for row in SealKey.objects.order_by("-number"):
            highest = max(highest, row.number)
            try:
                private = base64.b64decode(decrypt_secret(row.private_key, NO_OWNER, PURPOSE))
            except DecryptionError:
                # its signatures are still verified with its certificate
                logger.warning("The %s cannot be decrypted with the present keys", row)
                continue
            return SigningKey(bytes(row.certificate), private)
        _create_key(highest + 1)
    raise DecryptionError


def list_certificates() -> list[bytes]:
    """Return the certificates of all keys that ever signed documents here, in DER, newest first."""
    return [bytes(one) for one in SealKey.objects.order_by("-number").values_list("certificate", flat=True)]


def _create_key(number: int) -> None:
    from workspace.documents.signing_certificate import generate_signing_key  # imported late: needed once per instance

    certificate, private = generate_signing_key()
    sealed = encrypt_secret(base64.b64encode(private).decode(), NO_OWNER, PURPOSE)
    try:
        with write_transaction():
            SealKey.objects.create(number=number, certificate=certificate, private_key=sealed)
    except IntegrityError:  # another process was first, and its key is used
        return
    logger.info("A key for signing documents was created")
