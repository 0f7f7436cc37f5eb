"""PDF signatures: PAdES (ETSI EN 319 142-1) with pyHanko, certified, with no changes allowed afterwards.

The signature proves genuine content. Only the hash proves that a file is the original, so callers store the hash."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from io import BytesIO

from workspace.documents import signing_keys

FIELD_NAME = "Seal"
_SIGNATURE_DIGITS = 4096  # digits reserved for the signature, which needs about two thousand


@dataclass(frozen=True, slots=True)
class SignedPdf:
    """A signed PDF. Store its `sha256`, in hexadecimal digits, for `inspect_pdf`."""

    content: bytes
    sha256: str


def compute_fingerprint(content: bytes) -> str:
    """Return the SHA-256 of a file in hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def sign_document(pdf: bytes) -> SignedPdf:
    """Sign a PDF.

    This takes about 15 ms, and half a second more for the first PDF in a process. Never call it in a transaction.
    """
    # imported late: half a second and 15 MB, only for processes that sign
    from asn1crypto.keys import PrivateKeyInfo
    from asn1crypto.x509 import Certificate
    from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
    from pyhanko.sign.fields import MDPPerm, SigSeedSubFilter
    from pyhanko.sign.signers import PdfSignatureMetadata, SimpleSigner, sign_pdf
    from pyhanko_certvalidator.registry import SimpleCertificateStore

    key = signing_keys.load_current_key()
    signer = SimpleSigner(
        signing_cert=Certificate.load(key.certificate),
        signing_key=PrivateKeyInfo.load(key.private),
        cert_registry=SimpleCertificateStore(),
    )
    metadata = PdfSignatureMetadata(
        field_name=FIELD_NAME,
        md_algorithm="sha256",
        subfilter=SigSeedSubFilter.PADES,
        certify=True,
        docmdp_permissions=MDPPerm.NO_CHANGES,
    )
    # without the number of bytes, the file would be signed twice to measure it
    content = sign_pdf(
        IncrementalPdfFileWriter(BytesIO(pdf)), metadata, signer=signer, bytes_reserved=_SIGNATURE_DIGITS
    ).getvalue()
    return SignedPdf(content, compute_fingerprint(content))
