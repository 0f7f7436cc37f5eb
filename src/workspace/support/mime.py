"""Parsing of an email into parts (RFC 5322, RFC 2045, RFC 2046).

It searches bytes and not lines, so any content takes only milliseconds. Headers, parts and depth are limited. Anything
beyond a limit is left out without an error.
"""

from __future__ import annotations

import binascii
import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.errors import MessageError
from email.header import decode_header
from email.message import Message

MAX_HEAD_BYTES, MAX_PART_HEAD_BYTES = 64 * 1024, 8 * 1024
MAX_FIELDS = 1000
MAX_VALUE_LENGTH = 4000
MAX_PARSED_LENGTH = 1000  # characters of a value that are parsed
MAX_PARTS, MAX_DEPTH = 60, 6

_FOLD = re.compile(r"\r?\n[ \t]+")
_ENDS = (b"\r\n\r\n", b"\n\n")
# Some of Python's codecs are no charsets, and some take quadratic time.
_CHARSETS = re.compile(
    r"utf-(8|16|16-le|16-be)|utf_8_sig|ascii|iso8859-\d+|cp(125\d|932|949|950|866)|koi8-[ru]|gb2312|gbk|gb18030|big5"
    r"|euc_(jp|kr)|iso2022_jp|shift_jis|mac-roman"
)
Head = dict[str, list[str]]  # values by name in lower case


@dataclass(frozen=True, slots=True)
class MimePart:
    """A leaf part: its header fields, and where its body starts and ends in the raw email."""

    head: Head
    start: int
    end: int

    @property
    def kind(self) -> str:
        return _parse_field(self.head, "content-type").get_content_type()

    @property
    def name(self) -> str:
        """The file name given by the sender; empty if there is none."""
        name = _parse_field(self.head, "content-disposition").get_filename() or ""
        name = name or _parse_field(self.head, "content-type").get_filename() or ""
        return decode_words(name)

    @property
    def is_attached(self) -> bool:
        return _parse_field(self.head, "content-disposition").get_content_disposition() == "attachment" or bool(
            self.name
        )

    def read_content(self, raw: bytes, max_bytes: int) -> bytes:
        """Return the decoded content, cut to about `max_bytes` bytes."""
        encoding = first_value(self.head, "content-transfer-encoding").strip().lower()
        body = raw[
            self.start : min(self.end, self.start + (max_bytes * 3 // 2 if encoding == "base64" else max_bytes * 3))
        ]
        if encoding == "base64":
            return _decode_base64(body)[:max_bytes]
        return (binascii.a2b_qp(body) if encoding == "quoted-printable" else body)[:max_bytes]

    def read_text(self, raw: bytes, max_bytes: int) -> str:
        charset = _parse_field(self.head, "content-type").get_content_charset("utf-8")
        return decode_text(self.read_content(raw, max_bytes), charset).replace("\r\n", "\n").replace("\r", "\n")


def first_value(head: Head, name: str) -> str:
    return next(iter(head.get(name, ())), "")


def parse_head(raw: bytes) -> Head:
    """Return the header fields of the email itself."""
    return _parse_fields(raw[: _find_body(raw, 0, len(raw), MAX_HEAD_BYTES)])


def list_parts(raw: bytes) -> list[MimePart]:
    """Return the leaf parts in order, at most MAX_PARTS."""
    found: list[MimePart] = []
    for part in _walk_parts(raw, 0, len(raw), MAX_HEAD_BYTES, 0):
        found.append(part)
        if len(found) >= MAX_PARTS:
            break
    return found


def decode_words(text: str) -> str:
    """Decode the encoded words of a header value (RFC 2047)."""
    text = text[:MAX_PARSED_LENGTH]
    try:
        pieces = decode_header(text)
    except (MessageError, ValueError):
        return text
    return "".join(one if isinstance(one, str) else decode_text(one, charset or "utf-8") for one, charset in pieces)


def decode_text(content: bytes, charset: str) -> str:
    try:
        name = codecs.lookup(charset).name
    except (LookupError, ValueError):
        name = ""
    return content.decode(name if _CHARSETS.fullmatch(name) else "utf-8", "replace")


def _walk_parts(raw: bytes, start: int, end: int, max_bytes: int, depth: int) -> Iterator[MimePart]:
    body = _find_body(raw, start, end, max_bytes)
    head = _parse_fields(raw[start:body])
    content_type = _parse_field(head, "content-type")
    boundary = content_type.get_param("boundary") if content_type.get_content_maintype() == "multipart" else None
    if depth >= MAX_DEPTH or not isinstance(boundary, str) or not 0 < len(boundary) <= 200:
        yield MimePart(head, body, end)
        return
    for inner_start, inner_end in _split_parts(raw, body, end, b"--" + boundary.encode("utf-8", "replace")):
        yield from _walk_parts(raw, inner_start, inner_end, MAX_PART_HEAD_BYTES, depth + 1)


def _split_parts(raw: bytes, start: int, end: int, line: bytes) -> Iterator[tuple[int, int]]:
    at = start if raw.startswith(line, start, end) else _find_boundary(raw, line, start, end)
    for _ in range(MAX_PARTS):
        if at < 0 or raw.startswith(b"--", at + len(line), end):
            return
        begins = raw.find(b"\n", at + len(line), end) + 1
        if not begins:
            return
        # The boundary of the next part may follow immediately.
        at = _find_boundary(raw, line, begins - 1, end)
        ends = end if at < 0 else at - 1
        yield begins, max(begins, ends - 1 if raw[ends - 1 : ends] == b"\r" else ends)


def _find_boundary(raw: bytes, line: bytes, start: int, end: int) -> int:
    at = raw.find(b"\n" + line, start, end)
    return at + 1 if at >= 0 else -1


def _find_body(raw: bytes, start: int, end: int, max_bytes: int) -> int:
    """Return the end of the header. If there is no end, everything up to the limit is the header."""
    if raw.startswith((b"\r\n", b"\n"), start, end):
        return raw.find(b"\n", start, end) + 1
    limit = min(end, start + max_bytes)
    found = [at + len(mark) for mark in _ENDS if (at := raw.find(mark, start, limit)) >= 0]
    return min(found, default=limit)


def _parse_fields(head: bytes) -> Head:
    found: Head = {}
    for line in _FOLD.sub(" ", decode_text(head, "utf-8")).split("\n")[:MAX_FIELDS]:
        name, colon, value = line.partition(":")
        if colon:
            found.setdefault(name.strip().lower()[:100], []).append(value.strip()[:MAX_VALUE_LENGTH])
    return found


def _parse_field(head: Head, name: str) -> Message:
    """Return a header field as a message that the standard library can parse."""
    message = Message()
    message[name] = first_value(head, name)[:MAX_PARSED_LENGTH]
    return message


def _decode_base64(body: bytes) -> bytes:
    try:
        return binascii.a2b_base64(body)
    except binascii.Error:
        pass
    bare = re.sub(rb"[^A-Za-z0-9+/]+", b"", body)
    return binascii.a2b_base64(bare[: len(bare) // 4 * 4])
