"""A paper comes back: is it this very file, genuine content, changed, or unknown? For the page that anybody may use,
and for the tool. What is sent is looked at and forgotten.

Products say what they keep of sealed papers: `register(by_hash=…, by_record=…)` in the `ready` of their app.
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

from workspace.audit_trail.verification import is_kept
from workspace.documents.pdf_inspection import MAX_BYTES, Finding, Why, examine
from workspace.documents.pdf_inspection import Verdict as Seen
from workspace.documents.pdf_signature import fingerprint

__all__ = ["MAX_BYTES", "PATH", "Kept", "Told", "Verdict", "address", "register", "verify"]

LARGEST_BADGE = 64 * 1024  # bytes
BADGE = "badge"  # why: it is one, not a paper
_BEGINNING = 64
_BEFORE = b"\xef\xbb\xbf \t\r\n"
PATH = "/verify"  # the page that anybody may use


class Verdict(StrEnum):
    THIS_FILE = "this_file"
    GENUINE = "genuine"
    CHANGED = "changed"
    UNKNOWN = "unknown"


def address() -> str:
    """Of the page that anybody may use."""
    return settings.BASE_URL + PATH


@dataclass(frozen=True, slots=True)
class Kept:
    """What is known of a sealed paper: `what` it is (`Proposal No. 12`), `business` who sealed it, and when."""

    what: str
    business: str
    sealed_at: datetime | None
    sha256: str
    state: str = ""  # how it stands today, in words
    holds: bool = True
    url: str = ""  # of its own page, from the root


@dataclass(frozen=True, slots=True)
class Came:
    """A badge that says it is ours: what is known of it, and what is wrong with it, empty for nothing."""

    kept: Kept
    problem: str


@dataclass(frozen=True, slots=True)
class Told:
    """`why` in a word of ours: what is different about a genuine one, or why one is unknown; empty where there is
    nothing to add. `record`: whether the record inside is the one that is kept; None where there is none."""

    verdict: Verdict
    why: str
    sha256: str
    kept: Kept | None = None
    record: bool | None = None


Find = Callable[[str], Kept | None]
FindBadge = Callable[[dict[str, Any]], Came | None]
_by_hash: list[Find] = []
_by_record: list[Find] = []
_by_badge: list[FindBadge] = []


def register(*, by_hash: Find, by_record: Find, by_badge: FindBadge | None = None) -> None:
    """`by_hash(sha256)` and `by_record(id)` find what is kept of a paper, of any account; `by_badge(document)` what is
    of an Open Badge, which a stranger wrote."""
    if by_badge is not None:
        _by_badge.append(by_badge)
    _by_hash.append(by_hash)
    _by_record.append(by_record)


def verify(content: bytes) -> Told:
    """Outside of any transaction. Raises TooLarge, and Busy when the machine has no time for it."""
    if content[:_BEGINNING].lstrip(_BEFORE).startswith(b"{"):
        return _badge(content)
    found = examine(content, lambda sha256: _first(_by_hash, sha256) is not None)
    if found.verdict is Seen.THIS_FILE:
        return Told(Verdict.THIS_FILE, "", found.sha256, _first(_by_hash, found.sha256))
    if found.verdict is Seen.GENUINE:
        return _genuine(found)
    verdict = Verdict.CHANGED if found.verdict is Seen.CHANGED else Verdict.UNKNOWN
    return Told(verdict, "" if verdict is Verdict.CHANGED else found.verdict.value, found.sha256)


def _badge(content: bytes) -> Told:
    sha256 = fingerprint(content)
    try:
        document = json.loads(content) if len(content) <= LARGEST_BADGE else None
    except (ValueError, RecursionError):
        document = None
    asked = (find(document) for find in _by_badge) if isinstance(document, dict) else iter(())
    came = next((one for one in asked if one is not None), None)
    if came is None:
        return Told(Verdict.UNKNOWN, BADGE, sha256)
    if came.problem:
        # whose name it bears is not told as though it were so
        return Told(Verdict.CHANGED, BADGE, sha256)
    return Told(Verdict.GENUINE, BADGE, sha256, came.kept)


def words(told: Told) -> str:
    """What it means, in the language that is spoken."""
    if told.verdict is Verdict.THIS_FILE:
        return gettext("This is the very file that was sealed here, byte for byte.")
    if told.why == BADGE:
        return _badge_words(told)
    if told.verdict is Verdict.GENUINE:
        return _genuine_words(told)
    if told.verdict is Verdict.CHANGED:
        return gettext("This file bears a seal of ours, and was changed after it was sealed. Do not trust it.")
    return _unknown_words(told)


def _badge_words(told: Told) -> str:
    return {
        Verdict.GENUINE: gettext("This badge is the one that was signed here, word for word."),
        Verdict.CHANGED: gettext("This badge bears a name of ours, and is not what was signed here. Do not trust it."),
    }.get(told.verdict, gettext("This file was not signed here, so nothing can be said about it."))


def _genuine_words(told: Told) -> str:
    head = gettext("What this file shows is genuine: it was sealed here and has not been changed.")
    more = {
        Why.COPY: gettext("It is another copy than the one that is kept."),
        Why.PADDING: gettext("Bytes of its seal that say nothing were changed, so it is not the very file."),
        Why.APPENDED: gettext("Something that no reader shows was added at its end, so it is not the very file."),
    }
    record = gettext("The record inside is not the one that is kept.") if told.record is False else ""
    return " ".join(part for part in (head, more.get(Why(told.why), "") if told.why else "", record) if part)


def _unknown_words(told: Told) -> str:
    return {
        Seen.FOREIGN.value: gettext("This file was signed by somebody else, and not sealed here."),
        Seen.UNSEALED.value: gettext("This PDF bears no seal, so nothing can be said about it."),
    }.get(told.why, gettext("This is not a PDF."))


def _genuine(found: Finding) -> Told:
    inside = _inside(found)
    kept = record = None
    if inside is not None:
        id, hash = inside
        kept, record = _first(_by_record, id), is_kept(id, hash)
    return Told(Verdict.GENUINE, found.why.value if found.why else "", found.sha256, kept, record)


def _inside(found: Finding) -> tuple[str, str] | None:
    """The id and hash of the record that a paper carries."""
    try:
        told: Any = json.loads(found.attachments["record.json"])
        return str(told["record"]["id"]), str(told["hash"])
    except (KeyError, TypeError, ValueError):
        return None


def _first(finders: list[Find], key: str) -> Kept | None:
    return next((kept for find in finders if (kept := find(key)) is not None), None)
