"""A PDF comes back: this very file, genuine content, changed, somebody else's, or none of that.

What a stranger sends is looked at in linear time, without parsing. Only what was signed here goes to the library that
decides, in a child process with bounded time and memory, and once: so it costs strangers' wishes nothing.
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
_HEADER_BYTES = 1024  # bytes in which readers look for the mark of a PDF
_MAX_RANGES = 20
_MAX_SEAL_BYTES = 64 * 1024
_BYTE_RANGE = re.compile(rb"/ByteRange\s{0,9}\[\s{0,9}0\s{1,9}(\d{1,9})\s{1,9}(\d{1,9})\s{1,9}(\d{1,9})\s{0,9}\]")
# without these no reader finds anything in what follows the seal
_STRUCTURE = re.compile(rb"obj|xref|trailer")


class PdfVerdict(StrEnum):
    THIS_FILE = "this_file"
    """Byte for byte what was given out."""
    GENUINE = "genuine"
    """What it shows and carries is what was sealed here; `PdfFinding.why` says what is different all the same."""
    CHANGED = "changed"
    """It bears a seal of ours, and is not what was sealed."""
    FOREIGN = "foreign"
    """It is signed, by somebody else."""
    UNSEALED = "unsealed"
    """A PDF without a seal."""
    NOT_PDF = "no_pdf"


class PdfDifference(StrEnum):
    """How genuine content is another file than the one that was kept."""

    COPY = "copy"
    """Sealed here, and its hash is not known: another copy, or one of which nothing is kept."""
    PADDING = "padding"
    """Bytes of the seal that say nothing were changed."""
    APPENDED = "appended"
    """Something that no reader shows follows after the seal."""


@dataclass(frozen=True, slots=True)
class PdfFinding:
    """`attachments` of genuine content, by name; `sealed` is how many bytes of the file the seal is about."""

    verdict: PdfVerdict
    why: PdfDifference | None = None
    sha256: str = ""
    sealed: int = 0
    attachments: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Seal:
    """Where a seal lies: `begin` and `end` are the hexadecimal digits between the bytes that it is about."""

    begin: int
    end: int
    length: int

    def digits(self, content: bytes) -> bytes:
        return content[self.begin : self.end].strip(b"<>")

    def digest(self, content: bytes) -> bytes:
        told = hashlib.sha256(memoryview(content)[: self.begin])
        told.update(memoryview(content)[self.end : self.length])
        return told.digest()


def _keeps_nothing(sha256: str) -> bool:
    return False


def inspect_pdf(content: bytes, is_kept: Callable[[str], bool] = _keeps_nothing) -> PdfFinding:
    """`is_kept(sha256)` says whether a file with this hash was given out. Raises TooLargeError, and BusyError when the
    machine has no time for it."""
    if len(content) > MAX_BYTES:
        raise TooLargeError(f"A document to be checked may have up to {MAX_BYTES // 1024 // 1024} MB")
    sha256 = compute_fingerprint(content)
    if is_kept(sha256):
        return PdfFinding(PdfVerdict.THIS_FILE, sha256=sha256, sealed=len(content))
    if b"%PDF-" not in content[:_HEADER_BYTES]:
        return PdfFinding(PdfVerdict.NOT_PDF, sha256=sha256)
    lowered = content.lower()
    ours = [one for one in signing_keys.list_certificates() if _contains_certificate(one, lowered)]
    if not ours:
        verdict = PdfVerdict.FOREIGN if _BYTE_RANGE.search(content) else PdfVerdict.UNSEALED
        return PdfFinding(verdict, sha256=sha256)
    for seal in _find_seals(content):
        # what a reader would show of what follows is not what was sealed
        if _STRUCTURE.search(content, seal.length):
            continue
        signed = cms_signature.strip_padding(seal.digits(content))
        if signed is not None and cms_signature.is_signed_by(signed, seal.digest(content), ours):
            return _decide_finding(content, seal, signed, ours, sha256)
    return PdfFinding(PdfVerdict.CHANGED, sha256=sha256)


def _contains_certificate(certificate: bytes, lowered: bytes) -> bool:
    """Whether a seal of this certificate may be in there: it is written in hexadecimal digits."""
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
    told = _decisions.get(digest)
    if told is None:
        told = _validate_in_worker(content[: seal.length], ours)
        if not told:
            return PdfFinding(PdfVerdict.CHANGED, sha256=sha256)
        _decisions.put(digest, told, len(told) + len(digest))
    digits = seal.digits(content)
    if len(content) > seal.length:
        why = PdfDifference.APPENDED
    elif digits != signed.hex().upper().encode().ljust(len(digits), b"0"):
        why = PdfDifference.PADDING
    else:
        why = PdfDifference.COPY
    attachments = {name: base64.b64decode(one) for name, one in json.loads(told)["attachments"].items()}
    return PdfFinding(PdfVerdict.GENUINE, why, sha256, seal.length, attachments)


def _validate_in_worker(sealed: bytes, ours: list[bytes]) -> bytes:
    """What the child tells of genuine content; empty for other."""
    asked = json.dumps({"certificates": [base64.b64encode(one).decode() for one in ours]}).encode()
    try:
        told = render_pool.run("workspace.documents.pyhanko_worker", asked + b"\n" + sealed, limits=_LIMITS)
    except SubprocessError:
        return b""
    return told if json.loads(told)["genuine"] else b""
