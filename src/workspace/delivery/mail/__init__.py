"""Emails: everything that Django sends becomes deliveries, and `send` renders an email from a template.

A message is complete when it is queued, including its Message-ID, so that a retry sends identical bytes. Each recipient
gets a separate delivery, so a rejected address does not delay the others, and a retry reaches only the recipients who
have not got it.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from email import charset as charsets
from email import message_from_bytes, policy
from email.encoders import encode_base64
from email.generator import BytesGenerator
from email.message import EmailMessage as ParsedMessage
from email.message import Message
from email.mime.base import MIMEBase
from email.policy import Compat32
from email.utils import make_msgid, parseaddr
from functools import lru_cache
from io import BytesIO
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.core.mail.backends.base import BaseEmailBackend
from django.core.mail.message import BadHeaderError, sanitize_address
from django.template import Context, TemplateDoesNotExist
from django.template.loader import get_template
from django.utils import translation
from typing_extensions import override

from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.brand.style import DAY, NIGHT
from workspace.delivery import outbox
from workspace.delivery.mail.calendar_invites import FILE_NAME as INVITE
from workspace.delivery.mail.calendar_invites import Invite, attach_invite
from workspace.delivery.mail.from_address import sender_address
from workspace.delivery.models import Delivery
from workspace.lib.languages import OWNER_LANGUAGES

KIND = "email"
MAX_MESSAGE_BYTES = 4 * 1024 * 1024  # of a whole message
MAX_ATTACHMENT_BYTES = 3_000_000  # of all attachments before base64, which adds a third
_MEDIA_TYPE_PATTERN = re.compile(r"[a-z0-9][a-z0-9.+-]*/[a-z0-9][a-z0-9.+-]*")
MAX_HEADER_LENGTH = 76  # characters per line
_HEADER_NAME_PATTERN = re.compile(r"[!-9;-~]+")
_HEADER_INJECTION_PATTERN = re.compile(r"[\r\n](?!\n?[ \t])|\0")

# 7-bit only, so that no relay needs an extension, and readable in the raw source.
_QUOTED_PRINTABLE = charsets.Charset("utf-8")
_QUOTED_PRINTABLE.body_encoding = charsets.QP


@dataclass(frozen=True, slots=True)
class Attachment:
    name: str
    media_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class PreparedEmail:
    """One of many emails, ready for the outbox."""

    payload: dict[str, Any]
    dedupe: str


class OutboxBackend(BaseEmailBackend):
    """Django's email backend, for emails sent by Django or allauth themselves, such as sign-up and password reset."""

    def send_messages(self, email_messages: Iterable[EmailMessage]) -> int:
        """Queue messages. Return how many were queued. Raise ValueError as `queue_message` does."""
        return sum(1 for message in email_messages if queue_message(message))


def send(
    template: str,
    to: str,
    context: dict[str, Any],
    *,
    account: Account | None = None,
    dedupe: str | None = None,
    reply_to: str | None = None,
    at: datetime | None = None,
    attachments: Sequence[Attachment] = (),
    headers: Mapping[str, str] | None = None,
    language: str = "",
    invite: Invite | None = None,
) -> Delivery:
    """Queue an email to one address.

    The template is `mail/TEMPLATE.txt`, whose first line is `Subject: …`, and optionally `mail/TEMPLATE.html`, which
    extends `mail/frame.html`. Both get the context and `subject`, `base_url`, `operator_name` and `language`. For a
    guest, `language` is the language of the page that they used, and the email has the account's brand and sender name.
    Without a `language`, the email is in our own language.

    The email is sent immediately, or not before `at`. `headers` are added to it, and `invite` is attached for the
    reader's calendar. Raise ValueError for an invalid address or subject, and for attachments over
    `MAX_ATTACHMENT_BYTES` in total.
    """
    worn = _brand_context(account) if language and account else {}
    message = _build_message(template, to, {**worn, **context}, language, reply_to, attachments, invite)
    message.extra_headers = dict(headers or {})
    return queue_message(message, account=account, dedupe=dedupe, at=at)[0]


def render_payload(template: str, to: str, context: dict[str, Any], *, reply_to: str | None = None) -> dict[str, Any]:
    """Render an email in our own language as `send` does, and return the payload of its delivery."""
    [payload] = _build_payloads(_build_message(template, to, context, reply_to=reply_to))
    return payload


@dataclass(frozen=True, slots=True)
class EmailPreview:
    subject: str
    html: str


def render_preview(template: str, context: dict[str, Any], *, account: Account, language: str) -> EmailPreview:
    """Render an email as a guest would get it, without sending it. The template must have an HTML version."""
    message = _build_message(template, "nobody@example.com", {**_brand_context(account), **context}, language)
    return EmailPreview(str(message.subject), str(message.alternatives[0][0]))


def send_many(
    template: str, mails: Iterable[tuple[str, dict[str, Any], str]], *, account: Account | None = None
) -> list[Delivery]:
    """Queue an email to many guests with one query.

    Every guest has a context and a language. Another query loads the brand.
    """
    worn = _brand_context(account) if account else {}
    wanted = (_build_message(template, to, {**worn, **context}, language) for to, context, language in mails)
    payloads = [one for message in wanted for one in _build_payloads(message)]
    return outbox.put_many(KIND, payloads, account=account)


def prepare_email(
    template: str,
    to: str,
    context: dict[str, Any],
    *,
    account: Account | None,
    dedupe: str,
    language: str,
    reply_to: str | None = None,
    headers: Mapping[str, str] | None = None,
    invite: Invite | None = None,
) -> PreparedEmail:
    """Render an email as `send` does, but do not queue it. Call it before the transaction."""
    given = {**(_brand_context(account) if account else {}), **context}
    message = _build_message(template, to, given, language, reply_to, invite=invite)
    message.extra_headers = dict(headers or {})
    [payload] = _build_payloads(message)
    return PreparedEmail(payload, dedupe)


def queue_emails(letters: Sequence[PreparedEmail], *, account: Account | None) -> None:
    """Queue emails with one query, in the caller's transaction. Skip those whose dedupe key was used before."""
    outbox.put_many(KIND, [one.payload for one in letters], account=account, dedupes=[one.dedupe for one in letters])


def _build_message(
    template: str,
    to: str,
    context: dict[str, Any],
    language: str = "",
    reply_to: str | None = None,
    attachments: Sequence[Attachment] = (),
    invite: Invite | None = None,
) -> EmailMultiAlternatives:
    if not to.strip():
        raise ValueError("An email needs a recipient")
    language = language or OWNER_LANGUAGES[0]
    given = {"base_url": settings.BASE_URL, "operator_name": settings.OPERATOR_NAME, "language": language, **context}
    with translation.override(language):
        message = _render_message(template, to, given, reply_to)
    if "brand" in given:
        message.from_email = sender_address(given["brand"].name)
    if invite is not None:
        attachments = [*attachments, Attachment(INVITE, "application/ics", attach_invite(message, invite))]
    _add_attachments(message, attachments)
    return message


def _render_message(template: str, to: str, context: dict[str, Any], reply_to: str | None) -> EmailMultiAlternatives:
    plain: Any = get_template(f"mail/{template}.txt")
    # plain text is not HTML, so an ampersand in a name is not escaped
    first, _, text = plain.template.render(Context(context, autoescape=False)).partition("\n")
    if not first.startswith("Subject: "):
        raise ValueError(f"mail/{template}.txt does not start with its subject")
    subject = " ".join(first.removeprefix("Subject: ").split())
    message = EmailMultiAlternatives(subject, text.strip() + "\n", to=[to], reply_to=[reply_to] if reply_to else None)
    page = _render_html(f"mail/{template}.html", {**context, "subject": subject})
    if page is not None:
        message.attach_alternative(page, "text/html")
    return message


def _brand_context(account: Account) -> dict[str, Any]:
    """Return the brand's values for the email layout. Colors are inline, because emails load no style sheet."""
    brand = Brand.for_account(account)
    day, night = brand.style.compute_colors(DAY), brand.style.compute_colors(NIGHT)
    return {
        "brand": brand,
        "color": day["brand"],
        "on_color": day["on-brand"],
        "night_color": night["brand"],
        "on_night_color": night["on-brand"],
    }


def _add_attachments(message: EmailMultiAlternatives, attachments: Sequence[Attachment]) -> None:
    if sum(len(one.content) for one in attachments) > MAX_ATTACHMENT_BYTES:
        raise ValueError(f"Attachments can have at most {MAX_ATTACHMENT_BYTES // 1_000_000} MB. Send a link instead")
    for one in attachments:
        if not _MEDIA_TYPE_PATTERN.fullmatch(one.media_type):
            raise ValueError(f"Not a media type: {one.media_type[:80]!r}")
        # as bytes for all types, so that text keeps its line endings
        part = MIMEBase(*one.media_type.split("/"))
        part.set_payload(one.content)
        encode_base64(part)
        part.add_header("Content-Disposition", "attachment", filename=("utf-8", "", _safe_file_name(one.name)))
        message.attach(part)


def _safe_file_name(name: str) -> str:
    """Return a name without folders and unprintable characters, because some mail clients save to any given path."""
    kept = "".join(char for char in name.replace("\\", "/").rpartition("/")[2] if char.isprintable()).strip(". ")
    return kept[:120] or "attachment"


def _render_html(name: str, context: dict[str, Any]) -> str | None:
    try:
        template = get_template(name)
    except TemplateDoesNotExist as missing:
        if missing.args[0] != name:  # the template exists, but a template that it extends does not
            raise
        return None
    return template.render(context)


def queue_message(
    message: EmailMessage, *, account: Account | None = None, dedupe: str | None = None, at: datetime | None = None
) -> list[Delivery]:
    """Queue one delivery for each recipient (to, cc, bcc), in the caller's transaction.

    Raise ValueError for a message over 4 MB, a header or file name with a line break, or an invalid address."""
    payloads = _build_payloads(message)
    with outbox.join_transaction():
        return [
            outbox.put(
                KIND,
                one,
                account=account,
                dedupe=dedupe if dedupe is None or len(payloads) == 1 else f"{dedupe}:{one['to']}",
                at=at,
            )
            for one in payloads
        ]


def _build_payloads(message: EmailMessage) -> list[dict[str, Any]]:
    recipients = list(dict.fromkeys(_envelope_address(address) for address in message.recipients()))
    sender = _envelope_address(message.from_email)
    headers = {name.lower() for name in message.extra_headers}
    message.extra_headers = {
        **({} if "message-id" in headers else {"Message-ID": make_msgid(domain=sender.rpartition("@")[2])}),
        **({} if "auto-submitted" in headers else {"Auto-Submitted": "auto-generated"}),
        **message.extra_headers,
    }
    message.encoding = _QUOTED_PRINTABLE
    ready: Any = message.message()
    for part in ready.walk():
        _check_header_injection(part)
        if part.is_multipart():
            part.set_boundary(secrets.token_hex(16))  # otherwise Python searches the whole message for its boundary
    flat = BytesIO()
    BytesGenerator(flat, mangle_from_=False, policy=_ShortHeaders(linesep="\r\n")).flatten(ready)
    raw = flat.getvalue().replace(b"\0", b"")
    if len(raw) > MAX_MESSAGE_BYTES:
        raise ValueError(f"An email with attachments can have at most {MAX_MESSAGE_BYTES // 1024 // 1024} MB")
    # Latin-1 maps each byte to one character and back, whatever an attachment contains
    payload = {"from": sender, "subject": str(message.subject), "message": raw.decode("latin-1")}
    return [{**payload, "to": address} for address in recipients]


class _ShortHeaders(Compat32):
    """The default policy, but headers that fit on a line are not folded. That halves the time."""

    @override
    def fold_binary(self, name: str, value: Any) -> bytes:
        line = f"{name}: {value}"
        is_short = isinstance(value, str) and len(line) < MAX_HEADER_LENGTH and line == line.strip()
        if is_short and line.isascii() and line.isprintable():
            return f"{line}{self.linesep}".encode("ascii")
        return super().fold_binary(name, value)


@lru_cache(maxsize=256)  # there are few senders, and parsing is slow
def _envelope_address(address: str) -> str:
    """Return the bare address for the envelope, with the domain in ASCII."""
    bare = parseaddr(sanitize_address(address, "utf-8"))[1]
    if not re.fullmatch(r"[!-~]+@[!-~]+", bare):
        raise ValueError(f"Not an email address: {address[:100]!r}")
    return bare


def _check_header_injection(part: Message) -> None:
    """Raise BadHeaderError for a line break in a header's name, a file name or a media type.

    Django checks only the values of the message's own headers.
    """
    for name, value in part.items():
        if not _HEADER_NAME_PATTERN.fullmatch(name) or _HEADER_INJECTION_PATTERN.search(str(value)):
            raise BadHeaderError(f"A line break in the header {name[:50]!r}")


def message_bytes(delivery: Delivery) -> bytes:
    """Return the message as bytes, as it is transmitted. Raise ValueError if its content was deleted."""
    if delivery.payload is None:
        raise ValueError("The content of this email was deleted")
    return str(delivery.payload["message"]).encode("latin-1")


def parse_message(delivery: Delivery) -> ParsedMessage:
    """Return the parsed message, with `get_body`, `iter_attachments` and decoded headers."""
    return message_from_bytes(message_bytes(delivery), policy=policy.default)
