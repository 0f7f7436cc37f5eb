"""Content lines of vCard (RFC 2426) and iCalendar (RFC 5545): UTF-8, CRLF, folded at 75 octets."""

from __future__ import annotations

import re

MAX_LINE_OCTETS = 75  # without the CRLF
_CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ufeff]")
_BREAKS = re.compile("\r\n|[\r\u2028\u2029\u0085]")


def escape_text(text: str) -> str:
    """Return text with escaped backslashes, semicolons, commas and line breaks.

    Other control characters become spaces.
    """
    text = _CONTROLS.sub(" ", _BREAKS.sub("\n", text))
    text = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return text.replace("\n", "\\n")


def fold_line(line: str) -> bytes:
    """Return a content line as UTF-8 with its CRLF.

    A line longer than 75 octets continues after a CRLF and a space, which counts toward the limit. A character is never
    split.
    """
    whole = line.encode("utf-8", "replace")
    if len(whole) <= MAX_LINE_OCTETS:
        return whole + b"\r\n"
    out, room = bytearray(), MAX_LINE_OCTETS
    for char in line:
        octets = char.encode("utf-8", "replace")
        if len(octets) > room:
            out += b"\r\n "
            room = MAX_LINE_OCTETS - 1
        out += octets
        room -= len(octets)
    return bytes(out) + b"\r\n"


def escape_uri(address: str) -> str:
    """Return a URI with commas and semicolons percent-encoded, as %2C and %3B.

    A URI is not escaped like text, because the backslashes would become part of it. Some clients cut it at a comma,
    and the encoded form is the same address for all of them."""
    return re.sub(r"[\x00-\x20\x7f\\]", "", address).replace(",", "%2C").replace(";", "%3B")
