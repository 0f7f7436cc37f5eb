"""A fast first check of a submitted signature (CMS, RFC 5652): whether one of our keys signed these bytes.

It takes a millisecond and can only be passed with our key, so that the slower library only handles files that were
signed here."""

from __future__ import annotations

import binascii
from collections.abc import Sequence


def strip_padding(digits: bytes) -> bytes | None:
    """Return the bytes of hexadecimal digits without trailing padding. The content starts with its length."""
    from asn1crypto.parser import peek

    try:
        padded = binascii.unhexlify(digits)
        return padded[: peek(padded)]
    except ValueError:
        return None


def is_signed_by(signature: bytes, digest: bytes, certificates: Sequence[bytes]) -> bool:
    """Return whether one of the certificates (X.509 in DER) signed this SHA-256 digest."""
    from asn1crypto import cms
    from cryptography import x509  # noqa: PLC0415 - few calls need it
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - few calls need it
    from cryptography.hazmat.primitives import hashes  # noqa: PLC0415 - few calls need it
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 - few calls need it

    try:
        (signer,) = cms.ContentInfo.load(signature)["content"]["signer_infos"]
        attributes = signer["signed_attrs"].untag().dump()
        digests = [one["values"].native for one in signer["signed_attrs"] if one["type"].native == "message_digest"]
        made = signer["signature"].native
    except (ValueError, TypeError, KeyError, RecursionError):
        return False
    if digests != [[digest]]:
        return False
    for certificate in certificates:
        key = x509.load_der_x509_certificate(certificate).public_key()
        assert isinstance(key, ec.EllipticCurvePublicKey)
        try:
            key.verify(made, attributes, ec.ECDSA(hashes.SHA256()))
        except InvalidSignature:
            continue
        return True
    return False
