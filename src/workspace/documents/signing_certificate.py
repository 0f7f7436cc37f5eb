"""A new signing key and its X.509 certificate (RFC 5280)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.conf import settings

from workspace.lib import clock

NO_EXPIRY = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)  # RFC 5280, section 4.1.2.5: no well-defined expiration date
_CLOCK_TOLERANCE = timedelta(days=1)  # clocks differ


def generate_signing_key() -> tuple[bytes, bytes]:
    """Return a certificate and its private key (PKCS #8), both in DER."""
    key = ec.generate_private_key(ec.SECP256R1())
    private = key.private_bytes(
        serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return _build_certificate(key), private


def _build_certificate(key: ec.EllipticCurvePrivateKey) -> bytes:
    """Return a self-signed certificate. It is trusted because it is fetched from the instance's address."""
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
        .not_valid_before((clock.now() - _CLOCK_TOLERANCE).replace(tzinfo=None))
        .not_valid_after(NO_EXPIRY)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(
            x509.KeyUsage(digital_signature=True, content_commitment=True, decipher_only=False, **usage), critical=True
        )
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
        .sign(key, hashes.SHA256())
    )
    return made.public_bytes(serialization.Encoding.DER)
