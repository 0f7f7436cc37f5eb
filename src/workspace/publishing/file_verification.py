"""Verification of files: whether a file is the original, genuine content, changed or unknown.

The public page and the tool use it. The file is inspected but not stored. Products register how to find their signed
PDFs in the `ready` method of their app: `register(by_hash=…, by_record=…)`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.conf import settings
from django.utils.translation import gettext

from workspace.audit_trail.verification import has_record
from workspace.documents.pdf_inspection import MAX_BYTES, PdfDifference, PdfFinding, inspect_pdf
from workspace.documents.pdf_inspection import PdfVerdict as Seen
from workspace.documents.pdf_signature import compute_fingerprint

__all__ = [
    "MAX_BYTES",
    "VERIFY_PATH",
    "FileVerdict",
    "SignedDocument",
    "VerificationResult",
    "register",
    "verify_file",
    "verify_page_url",
]

MAX_BADGE_BYTES = 64 * 1024
BADGE = "badge"  # as a reason: the file is a badge, not a PDF
_PREFIX_BYTES = 64
_LEADING_BYTES = b"\xef\xbb\xbf \t\r\n"
VERIFY_PATH = "/verify"  # public page


class FileVerdict(StrEnum):
    THIS_FILE = "this_file"
    GENUINE = "genuine"
    CHANGED = "changed"
    UNKNOWN = "unknown"


def verify_page_url() -> str:
    """Return the URL of the public page."""
    return settings.BASE_URL + VERIFY_PATH


@dataclass(frozen=True, slots=True)
class SignedDocument:
    """A signed PDF: its title (`Proposal No. 12`), the business that signed it, and the time."""

    what: str
    business: str
    sealed_at: datetime | None
    sha256: str
    state: str = ""  # current state, in words
    is_valid: bool = True
    url: str = ""  # path of its page


@dataclass(frozen=True, slots=True)
class BadgeCheck:
    """A badge that claims to be ours: the known facts about it, and the problem, or "" if there is none."""

    document: SignedDocument
    problem: str


@dataclass(frozen=True, slots=True)
class VerificationResult:
    """The result of a verification.

    `why` is a keyword for the difference in a genuine file, or for the reason why a file is unknown. It may be empty.
    `record_matches` says whether the record inside is the stored one, or is None if there is no record.
    """

    verdict: FileVerdict
    why: str
    sha256: str
    document: SignedDocument | None = None
    record_matches: bool | None = None


Find = Callable[[str], SignedDocument | None]
FindBadge = Callable[[dict[str, Any]], BadgeCheck | None]
_by_hash: list[Find] = []
_by_record: list[Find] = []
_by_badge: list[FindBadge] = []


def register(*, by_hash: Find, by_record: Find, by_badge: FindBadge | None = None) -> None:
    """Register functions that look up signed documents in all accounts.

    `by_hash(sha256)` and `by_record(id)` find a PDF. `by_badge(document)` checks an Open Badge from an untrusted
    source.
    """
    if by_badge is not None:
        _by_badge.append(by_badge)
    _by_hash.append(by_hash)
    _by_record.append(by_record)


def verify_file(content: bytes) -> VerificationResult:
    """Verify a file, outside of any transaction.

    Raise TooLargeError if it is too large, and BusyError if the server is overloaded.
    """
    if content[:_PREFIX_BYTES].lstrip(_LEADING_BYTES).startswith(b"{"):
        return _verify_badge(content)
    found = inspect_pdf(content, lambda sha256: _find_first(_by_hash, sha256) is not None)
    if found.verdict is Seen.THIS_FILE:
        return VerificationResult(FileVerdict.THIS_FILE, "", found.sha256, _find_first(_by_hash, found.sha256))
    if found.verdict is Seen.GENUINE:
        return _verify_genuine(found)
    verdict = FileVerdict.CHANGED if found.verdict is Seen.CHANGED else FileVerdict.UNKNOWN
    return VerificationResult(verdict, "" if verdict is FileVerdict.CHANGED else found.verdict.value, found.sha256)


def _verify_badge(content: bytes) -> VerificationResult:
    sha256 = compute_fingerprint(content)
    try:
        document = json.loads(content) if len(content) <= MAX_BADGE_BYTES else None
    except (ValueError, RecursionError):
        document = None
    checks = (find(document) for find in _by_badge) if isinstance(document, dict) else iter(())
    came = next((one for one in checks if one is not None), None)
    if came is None:
        return VerificationResult(FileVerdict.UNKNOWN, BADGE, sha256)
    if came.problem:
        # The name in it must not be repeated as if it were true.
        return VerificationResult(FileVerdict.CHANGED, BADGE, sha256)
    return VerificationResult(FileVerdict.GENUINE, BADGE, sha256, came.document)


def describe_verdict(result: VerificationResult) -> str:
    """Describe the verdict as text in the current language."""
    if result.verdict is FileVerdict.THIS_FILE:
        return gettext("This is the original file that was signed here, byte for byte.")
    if result.why == BADGE:
        return _describe_badge(result)
    if result.verdict is FileVerdict.GENUINE:
        return _describe_genuine(result)
    if result.verdict is FileVerdict.CHANGED:
        return gettext("This file was signed here and changed afterwards. Don’t trust it.")
    return _describe_unknown(result)


def _describe_badge(result: VerificationResult) -> str:
    return {
        FileVerdict.GENUINE: gettext("This badge is exactly the one that was signed here."),
        FileVerdict.CHANGED: gettext(
            "This badge claims to be from here, but it isn’t what was signed here. Don’t trust it."
        ),
    }.get(result.verdict, gettext("This file wasn’t signed here, so it can’t be verified."))


def _describe_genuine(result: VerificationResult) -> str:
    head = gettext("The content of this file is genuine. It was signed here and hasn’t been changed.")
    more = {
        PdfDifference.COPY: gettext("It differs from the copy that is stored here."),
        PdfDifference.PADDING: gettext("Unused bytes of its signature were changed, so it isn’t the original file."),
        PdfDifference.APPENDED: gettext("Invisible data was added at the end, so it isn’t the original file."),
    }
    record = (
        gettext("Its embedded record differs from the one that is stored here.")
        if result.record_matches is False
        else ""
    )
    return " ".join(
        part for part in (head, more.get(PdfDifference(result.why), "") if result.why else "", record) if part
    )


def _describe_unknown(result: VerificationResult) -> str:
    return {
        Seen.FOREIGN.value: gettext("This file was signed by someone else, not here."),
        Seen.UNSEALED.value: gettext("This PDF isn’t signed, so it can’t be verified."),
    }.get(result.why, gettext("This file isn’t a PDF."))


def _verify_genuine(finding: PdfFinding) -> VerificationResult:
    inside = _find_record(finding)
    kept = record = None
    if inside is not None:
        id, hash = inside
        kept, record = _find_first(_by_record, id), has_record(id, hash)
    return VerificationResult(
        FileVerdict.GENUINE, finding.why.value if finding.why else "", finding.sha256, kept, record
    )


def _find_record(finding: PdfFinding) -> tuple[str, str] | None:
    """Return the id and hash of the record in a PDF, or None if it contains none."""
    try:
        record: Any = json.loads(finding.attachments["record.json"])
        return str(record["record"]["id"]), str(record["hash"])
    except (KeyError, TypeError, ValueError):
        return None


def _find_first(finders: list[Find], key: str) -> SignedDocument | None:
    return next((kept for find in finders if (kept := find(key)) is not None), None)
