"""Validation of untrusted PDFs with pyHanko in a subprocess: the validity of the signature, and the attachments."""

from __future__ import annotations

import base64
import json
from io import BytesIO
from typing import Any

MAX_ATTACHMENT_BYTES = 4 * 1024 * 1024  # in total


def handle(content: bytes) -> bytes:
    """Validate a PDF. Return {genuine, attachments} as JSON.

    The input is a line of JSON with `certificates` (DER in base64), followed by the PDF.
    """
    head, _, pdf = content.partition(b"\n")
    certificates = [base64.b64decode(one) for one in json.loads(head)["certificates"]]
    try:
        result = _validate_seal(pdf, certificates)
    except MemoryError:
        raise
    except Exception:  # whatever error the library raises for a damaged file
        result = None
    return json.dumps(result or {"genuine": False}).encode()


def _validate_seal(pdf: bytes, certificates: list[bytes]) -> dict[str, Any] | None:
    from asn1crypto.x509 import Certificate
    from pyhanko.pdf_utils.reader import PdfFileReader
    from pyhanko.sign.validation import SignatureCoverageLevel, validate_pdf_signature
    from pyhanko_certvalidator import ValidationContext

    reader = PdfFileReader(BytesIO(pdf))
    signatures = reader.embedded_regular_signatures
    if len(signatures) != 1 or signatures[0].signer_cert.dump() not in certificates:
        return None
    signature = signatures[0]
    roots = [Certificate.load(one) for one in certificates]
    status = validate_pdf_signature(signature, ValidationContext(trust_roots=roots, allow_fetching=False))
    if not status.bottom_line or status.coverage != SignatureCoverageLevel.ENTIRE_FILE:
        return None
    attached = {name: base64.b64encode(one).decode() for name, one in _read_attachments(reader)}
    return {"genuine": True, "attachments": attached}


def _read_attachments(reader: Any) -> list[tuple[str, bytes]]:
    names = reader.root.get("/Names", {}).get("/EmbeddedFiles", {}).get("/Names", [])
    found, size = [], 0
    for at in range(0, len(names) - 1, 2):
        content = names[at + 1]["/EF"]["/F"].data
        size += len(content)
        if size > MAX_ATTACHMENT_BYTES:
            break
        found.append((str(names[at]), content))
    return found
