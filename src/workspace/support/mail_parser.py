"""Parsing an email: sender, new text, signs of automatic mail, and files.

Limits keep the time in milliseconds, and no content causes an error.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from email.utils import getaddresses

from django.conf import settings

from workspace.storage.files import media_types
from workspace.support import emails, html_to_text, reply_parser, sender_verification
from workspace.support.mime import Head, MimePart, decode_words, first_value, list_parts, parse_head
from workspace.support.models.ticket import MAX_MESSAGE_LENGTH, MAX_SUBJECT_LENGTH

MAX_MAIL_BYTES = 15 * 1024 * 1024
MAX_FILES, MAX_FILES_BYTES = 10, 10 * 1024 * 1024
MAX_TEXT_BYTES = 400_000
MAX_QUOTED_LENGTH = 50_000
MAX_REFERENCES = 50

_BULK = {"bulk", "junk", "list", "auto_reply"}
_LIST = ("list-id", "list-post", "list-unsubscribe", "list-help", "mailing-list")
_SUPPRESSED = {"all", "autoreply", "oof"}
_FAILED = re.compile(r"\b(dmarc|spf|dkim)\s?=\s?fail\b", re.IGNORECASE)
_ADDRESS = re.compile(r"[!-?A-~\u00a1-\U0010ffff]{1,64}@[!-?A-~\u00a1-\U0010ffff]{1,253}")
_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,240}>")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
_RECIPIENTS = ("to", "cc", "delivered-to", "x-original-to", "envelope-to")
_NOT_FILES = ("multipart/", "application/pgp-signature", "application/pkcs7-signature")


@dataclass(frozen=True, slots=True)
class ParsedMail:
    """A parsed email.

    - `text`: the new text.
    - `quoted`: the complete text, if it has more.
    - `own_id`: its Message-ID, or empty if that is missing or invalid.
    - `replied_ids`: ids that it refers to, most likely first.
    - `automatic_reason`: why it is considered automatic, or empty if it is not.
    - `is_refused`: DMARC, SPF or DKIM failed.
    - `is_verified`: our mail server verified the sender's domain.
    - `wants_no_reply`: the sender does not want an automatic reply.
    """

    digest: str
    sender: str
    subject: str
    own_id: str
    recipients: tuple[str, ...]
    replied_ids: tuple[str, ...]
    text: str
    quoted: str
    automatic_reason: str
    is_refused: bool
    is_verified: bool
    wants_no_reply: bool
    files: tuple[MimePart, ...]


def parse_mail(raw: bytes, *, recipients: tuple[str, ...] = (), sender: str | None = None) -> ParsedMail:
    """Parse an email.

    `recipients` and `sender` are those of the SMTP envelope, if known. An empty sender means a bounce.
    """
    head = parse_head(raw)
    parts = list_parts(raw)
    own_id = first_value(head, "message-id").strip()
    writer = _parse_sender(head)
    text, quoted, shown = _extract_texts(raw, parts)
    return ParsedMail(
        digest=hashlib.sha256(f"{writer}\n{own_id}".encode("utf-8", "replace") if own_id else raw).hexdigest(),
        sender=writer,
        subject=_single_line(decode_words(first_value(head, "subject")))[:MAX_SUBJECT_LENGTH],
        own_id=own_id if _MESSAGE_ID.fullmatch(own_id) else "",
        recipients=(*recipients, *(one for name in _RECIPIENTS for one in head.get(name, ())[:20])),
        replied_ids=_replied_ids(head),
        text=text,
        quoted=quoted,
        automatic_reason=_automatic_reason(head, sender),
        is_refused=any(_FAILED.search(one) for one in head.get("authentication-results", ())),
        is_verified=sender_verification.is_sender_verified(
            head.get("authentication-results", ()), settings.SUPPORT_VERIFIED_BY, writer
        ),
        wants_no_reply=_wants_no_reply(head),
        files=tuple(one for one in parts if one is not shown and _is_file(one))[:MAX_FILES],
    )


def attachment_content(raw: bytes, part: MimePart) -> tuple[str, bytes]:
    """Return the name and content of an attachment.

    Raise ValueError with a human-readable message if it is too large.
    """
    content = part.read_content(raw, media_types.MAX_BYTES + 1)
    if len(content) > media_types.MAX_BYTES:
        raise ValueError(f"A file can be at most {media_types.MAX_BYTES // 1024 // 1024} MB")
    return media_types.clean_file_name(_single_line(part.name), "file"), content


def _is_file(part: MimePart) -> bool:
    kind = part.kind
    return part.is_attached or not kind.startswith(("text/", *_NOT_FILES))


def _extract_texts(raw: bytes, parts: list[MimePart]) -> tuple[str, str, MimePart | None]:
    """Return the new text, the complete text if that has more, and its part. Plain text is preferred to HTML."""
    for kind in ("text/plain", "text/html"):
        for part in parts:
            if part.kind != kind or part.is_attached:
                continue
            whole = part.read_text(raw, MAX_TEXT_BYTES)
            whole = _CONTROL.sub("", html_to_text.convert_html(whole) if kind == "text/html" else whole).strip()[
                :MAX_QUOTED_LENGTH
            ]
            if whole:
                new = reply_parser.extract_new_text(whole, emails.REPLY_MARKER)[:MAX_MESSAGE_LENGTH]
                return new, whole if whole != new else "", part
    return "", "", None


def _parse_sender(head: Head) -> str:
    """Return the address in the From header in lower case, or "" unless there is exactly one."""
    named = head.get("from", [])
    try:
        found = getaddresses([decode_words(named[0])]) if len(named) == 1 else []
    except (ValueError, IndexError, RecursionError):
        return ""
    address = found[0][1].strip().lower() if len(found) == 1 else ""
    return address if _ADDRESS.fullmatch(address) and len(address) <= 254 else ""


def _replied_ids(head: Head) -> tuple[str, ...]:
    earlier = first_value(head, "references").split()[-MAX_REFERENCES:]
    return (*first_value(head, "in-reply-to").split()[:3], *reversed(earlier))


def _automatic_reason(head: Head, sender: str | None) -> str:
    submitted = first_value(head, "auto-submitted").split(";")[0].strip().lower()
    if submitted not in ("", "no"):
        return "Sent automatically"
    if any(head.get(name) for name in ("x-autoreply", "x-autorespond", "x-autoresponder")):
        return "Automatic reply"
    if first_value(head, "precedence").strip().lower() in _BULK:
        return "Sent to many recipients"
    is_report = first_value(head, "content-type").strip().lower().startswith("multipart/report")
    if sender == "" or first_value(head, "return-path").strip() == "<>" or is_report:
        return "Delivery report"
    return ""


def _wants_no_reply(head: Head) -> bool:
    """Return whether it is from a mailing list (RFC 2369, RFC 2919) or rejects automatic replies (MS-OXCMAIL)."""
    suppressed = {one.strip().lower() for one in first_value(head, "x-auto-response-suppress").split(",")}
    return any(head.get(name) for name in _LIST) or not suppressed.isdisjoint(_SUPPRESSED)


def _single_line(text: str) -> str:
    return " ".join(_CONTROL.sub(" ", text.replace("\n", " ")).split())
