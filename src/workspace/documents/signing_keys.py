"""The installation's seal: an EC P-256 key in its database, made at first use. All its processes and machines share it,
and a copy of the database alone cannot seal, since the key rests there as other secrets do."""

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
    """Both in DER: an X.509 certificate and its private key by PKCS #8."""

    certificate: bytes
    private: bytes


def load_current_key() -> SigningKey:
    """The newest key that can be opened here; made where there is none. Raises KeyFileError."""
    for _ in range(3):
        highest = 0
        for row in SealKey.objects.order_by("-number"):
            highest = max(highest, row.number)
            try:
                private = base64.b64decode(decrypt_secret(row.private_key, NO_OWNER, PURPOSE))
            except DecryptionError:
                # what it has sealed is still told by its certificate
                logger.warning("The %s cannot be opened with the sealing keys that are here", row)
                continue
            return SigningKey(bytes(row.certificate), private)
        _create_key(highest + 1)
    raise DecryptionError


def list_certificates() -> list[bytes]:
    """Of all keys that documents were ever sealed with here, in DER, the newest first."""
    return [bytes(one) for one in SealKey.objects.order_by("-number").values_list("certificate", flat=True)]


def _create_key(number: int) -> None:
    from workspace.documents.certificate import generate_key  # once in the life of an installation

    certificate, private = generate_key()
    sealed = encrypt_secret(base64.b64encode(private).decode(), NO_OWNER, PURPOSE)
    try:
        with write_transaction():
            SealKey.objects.create(number=number, certificate=certificate, private_key=sealed)
    except IntegrityError:  # another process was first, and its key is taken
        return
    logger.info("A key for sealing documents was made")
