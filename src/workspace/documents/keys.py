"""The installation's seal: an EC P-256 key in its database, made at first use. All its processes and machines share it,
and a copy of the database alone cannot seal, since the key rests there as other secrets do."""

from __future__ import annotations

import base64
import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.conf import settings
from django.db import IntegrityError

from workspace.documents.models import SealKey
from workspace.storage.database import writing
from workspace.storage.secrets import CannotUnseal, Renew, seal, unseal
from workspace.toolkit import clock

logger = logging.getLogger(__name__)

NOBODY, PURPOSE = "installation", "documents.seal"
FOR_EVER = datetime(9999, 12, 31, 23, 59, 59)  # RFC 5280, 4.1.2.5: no end that anybody knows of
_EARLIER = timedelta(days=1)  # clocks differ


@dataclass(frozen=True, slots=True)
class Key:
    """Both in DER: an X.509 certificate and its private key by PKCS #8."""

    certificate: bytes
    private: bytes


def current() -> Key:
    """The newest key that can be opened here; made where there is none. Raises KeysUnreadable."""
    for _ in range(3):
        highest = 0
        for row in SealKey.objects.order_by("-number"):
            highest = max(highest, row.number)
            try:
                private = base64.b64decode(unseal(row.private_key, NOBODY, PURPOSE))
            except CannotUnseal:
                # what it has sealed is still told by its certificate
                logger.warning("The %s cannot be opened with the sealing keys that are here", row)
                continue
            return Key(bytes(row.certificate), private)
        _make(highest + 1)
    raise CannotUnseal


def certificates() -> list[bytes]:
    """Of all keys that documents were ever sealed with here, in DER, the newest first."""
    return [bytes(one) for one in SealKey.objects.order_by("-number").values_list("certificate", flat=True)]


def renew_all(renew: Renew) -> int:
    changed = 0
    for row in SealKey.objects.all():
        try:
            renewed = renew(row.private_key, NOBODY, PURPOSE)
        except CannotUnseal:
            continue
        if renewed is not None:
            changed += SealKey.objects.filter(pk=row.pk).update(private_key=renewed)
    return changed


def _make(number: int) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    private = key.private_bytes(
        serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    sealed = seal(base64.b64encode(private).decode(), NOBODY, PURPOSE)
    try:
        with writing():
            SealKey.objects.create(number=number, certificate=_certificate(key), private_key=sealed)
    except IntegrityError:  # another process was first, and its key is taken
        return
    logger.info("A key for sealing documents was made")


def _certificate(key: ec.EllipticCurvePrivateKey) -> bytes:
    """Signed by itself: who trusts the installation's address trusts what is fetched from there."""
    host = urlsplit(settings.BASE_URL).hostname or "localhost"
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Seal of {host}"[:64])])
    public = key.public_key()
    usage = dict.fromkeys(
        ("data_encipherment", "key_encipherment", "key_agreement", "key_cert_sign", "crl_sign", "encipher_only"), False
    )
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before((clock.now() - _EARLIER).replace(tzinfo=None))
        .not_valid_after(FOR_EVER)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(
            x509.KeyUsage(digital_signature=True, content_commitment=True, decipher_only=False, **usage), critical=True
        )
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
        .sign(key, hashes.SHA256())
    )
    return made.public_bytes(serialization.Encoding.DER)
