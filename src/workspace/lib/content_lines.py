"""The lines that vCard (RFC 2426) and iCalendar (RFC 5545) are made of: UTF-8, CRLF, folded at 75 octets."""

from __future__ import annotations

import re

MAX_LINE_OCTETS = 75  # octets of a line, without its CRLF
_CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ufeff]")
_BREAKS = re.compile("\r\n|[\r\u2028\u2029\u0085]")


def escape_text(text: str) -> str:
    """A text value: backslash, semicolon, comma and line break escaped, other control characters as spaces."""
    text = _CONTROLS.sub(" ", _BREAKS.sub("\n", text))
    text = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return text.replace("\n", "\\n")


def fold(line: str) -> bytes:
    """A content line as UTF-8 with its CRLF.

    What is longer than 75 octets goes on after CRLF and a space, which counts too; a character is never split."""
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
    """An address is no text, so backslashes would become part of it; yet some readers cut it at a comma.

    Written out as %2C and %3B it is the same address to every one of them."""
    return re.sub(r"[\x00-\x20\x7f\\]", "", address).replace(",", "%2C").replace(";", "%3B")
