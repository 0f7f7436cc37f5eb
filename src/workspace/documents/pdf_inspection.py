"""Inspection of a submitted PDF: our original file, genuine content, changed, signed by others, or unsigned.

Untrusted files are first checked in linear time without parsing. Only files that were signed here are validated by the
library, once, in a subprocess with limited time and memory. Other files therefore cost little.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from workspace.documents import cms_signature, signing_keys
from workspace.documents.pdf_signature import compute_fingerprint
from workspace.lib.errors import TooLargeError
from workspace.lib.lru_cache import BoundedCache
from workspace.lib.subprocess_worker.pool import SubprocessError, SubprocessLimits
from workspace.qr_symbols.render_pool import render_pool

MAX_BYTES = 12 * 1024 * 1024
_LIMITS = SubprocessLimits(megabytes=150, seconds=5)
_decisions = BoundedCache[bytes](4 * 1024 * 1024)
_HEADER_BYTES = 1024  # where PDF readers look for the header
_MAX_RANGES = 20
_MAX_SEAL_BYTES = 64 * 1024
_BYTE_RANGE = re.compile(rb"/ByteRange\s{0,9}\[\s{0,9}0\s{1,9}(\d{1,9})\s{1,9}(\d{1,9})\s{1,9}(\d{1,9})\s{0,9}\]")
# without these, no reader finds anything after the signature
_STRUCTURE = re.compile(rb"obj|xref|trailer")


class PdfVerdict(StrEnum):
    THIS_FILE = "this_file"
    """The file is identical to the one that we issued."""
    GENUINE = "genuine"
    """The content is what was signed here. `PdfFinding.why` says how the file differs nevertheless."""
    CHANGED = "changed"
    """The file has one of our signatures, but its content has changed."""
    FOREIGN = "foreign"
    """The file was signed by someone else."""
    UNSEALED = "unsealed"
    """The PDF has no signature."""
    NOT_PDF = "no_pdf"


class PdfDifference(StrEnum):
    """How a file with genuine content differs from the original file."""

    COPY = "copy"
    """The file was signed here, but its hash is unknown: it is another copy, or no hash was stored."""
    PADDING = "padding"
    """Only padding bytes of the signature were changed."""
    APPENDED = "appended"
    """Something was appended after the signature that no reader shows."""


@dataclass(frozen=True, slots=True)
class PdfFinding:
    """The result of an inspection.

    `attachments` are the attachments of genuine content, by name. `sealed` is the number of bytes that the signature
    covers.
    """

    verdict: PdfVerdict
    why: PdfDifference | None = None
    sha256: str = ""
    sealed: int = 0
    attachments: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Seal:
    """The position of a signature.

    `begin` and `end` are the positions around its hexadecimal digits. The signature covers the bytes outside them.
    """

    begin: int
    end: int
    length: int

    def digits(self, content: bytes) -> bytes:
        return content[self.begin : self.end].strip(b"<>")

    def digest(self, content: bytes) -> bytes:
        digest = hashlib.sha256(memoryview(content)[: self.begin])
        digest.update(memoryview(content)[self.end : self.length])
        return digest.digest()


def _is_never_issued(sha256: str) -> bool:
    return False


def inspect_pdf(content: bytes, is_issued_file: Callable[[str], bool] = _is_never_issued) -> PdfFinding:
    """Inspect a PDF.

    `is_issued_file(sha256)` returns whether we issued a file with this hash. Raise TooLargeError, or BusyError if the
    machine has no capacity.
    """
    if len(content) > MAX_BYTES:
        raise TooLargeError(f"A document can be at most {MAX_BYTES // 1024 // 1024} MB")
    sha256 = compute_fingerprint(content)
    if is_issued_file(sha256):
        return PdfFinding(PdfVerdict.THIS_FILE, sha256=sha256, sealed=len(content))
    if b"%PDF-" not in content[:_HEADER_BYTES]:
        return PdfFinding(PdfVerdict.NOT_PDF, sha256=sha256)
    lowered = content.lower()
    ours = [one for one in signing_keys.list_certificates() if _contains_certificate(one, lowered)]
    if not ours:
        verdict = PdfVerdict.FOREIGN if _BYTE_RANGE.search(content) else PdfVerdict.UNSEALED
        return PdfFinding(verdict, sha256=sha256)
    for seal in _find_seals(content):
        # what a reader would show and what was added after the signature
        if _STRUCTURE.search(content, seal.length):
            continue
        signed = cms_signature.strip_padding(seal.digits(content))
        if signed is not None and cms_signature.is_signed_by(signed, seal.digest(content), ours):
            return _decide_finding(content, seal, signed, ours, sha256)
    return PdfFinding(PdfVerdict.CHANGED, sha256=sha256)


def _contains_certificate(certificate: bytes, lowered: bytes) -> bool:
    """Return whether the file may contain a signature made with this certificate (in hexadecimal digits)."""
    from cryptography import x509  # noqa: PLC0415 - few calls need it
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat  # noqa: PLC0415 - few calls need it

    public = x509.load_der_x509_certificate(certificate).public_key()
    point = public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return point.hex().encode() in lowered


def _find_seals(content: bytes) -> Iterator[_Seal]:
    for number, found in enumerate(_BYTE_RANGE.finditer(content)):
        if number == _MAX_RANGES:
            return
        begin, end, rest = map(int, found.groups())
        if begin < end <= begin + _MAX_SEAL_BYTES and end + rest <= len(content):
            yield _Seal(begin, end, end + rest)


def _decide_finding(content: bytes, seal: _Seal, signed: bytes, ours: list[bytes], sha256: str) -> PdfFinding:
    digest = seal.digest(content)
    decision = _decisions.get(digest)
    if decision is None:
        decision = _validate_in_worker(content[: seal.length], ours)
        if not decision:
            return PdfFinding(PdfVerdict.CHANGED, sha256=sha256)
        _decisions.put(digest, decision, len(decision) + len(digest))
    digits = seal.digits(content)
    if len(content) > seal.length:
        why = PdfDifference.APPENDED
    elif digits != signed.hex().upper().encode().ljust(len(digits), b"0"):
        why = PdfDifference.PADDING
    else:
        why = PdfDifference.COPY
    attachments = {name: base64.b64decode(one) for name, one in json.loads(decision)["attachments"].items()}
    return PdfFinding(PdfVerdict.GENUINE, why, sha256, seal.length, attachments)


def _validate_in_worker(sealed: bytes, ours: list[bytes]) -> bytes:
    """Return the result of the subprocess for genuine content, or b"" for other content."""
    request = json.dumps({"certificates": [base64.b64encode(one).decode() for one in ours]}).encode()
    try:
        result = render_pool.run(
            "workspace.documents.signature_validation_worker", request + b"\n" + sealed, limits=_LIMITS
        )
    except SubprocessError:
        return b""
    return result if json.loads(result)["genuine"] else b""
