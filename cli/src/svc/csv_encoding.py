"""Detecting a file's text encoding from its bytes."""

from __future__ import annotations

import codecs

from svc import workbook

_RESAVE_HINT = "Save it as CSV UTF-8."
# UTF-32 first, because its byte order mark starts with that of UTF-16
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF8, "utf-8-sig", "UTF-8"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)


def decode_text(raw: bytes) -> tuple[str, str]:
    """Return the text (for a workbook, that of its first sheet), and a note if the encoding was guessed.

    Raise ValueError with a human-readable message if that fails.
    """
    if workbook.is_workbook(raw):
        return workbook.read_text(raw)
    for mark, encoding, name in _BYTE_ORDER_MARKS:
        if raw.startswith(mark):
            return _decode_as(raw, encoding, f"The file looks like {name} text but is damaged. {_RESAVE_HINT}"), ""
    if b"\0" in raw:
        # in Western text, letters, commas and line ends make many or all second bytes zero
        even, odd = raw[0::2].count(0), raw[1::2].count(0)
        problem = f"The file is not text, or it is UTF-16 without a byte order mark. {_RESAVE_HINT}"
        if bool(even) == bool(odd) or len(raw) % 2 or 8 * (even + odd) < len(raw):
            raise ValueError(problem)
        text = _decode_as(raw, "utf-16-le" if odd else "utf-16-be", problem)
        return text, "The file has no byte order mark. It was read as UTF-16."
    try:
        return raw.decode("utf-8"), ""
    except UnicodeDecodeError:
        # Excel on Windows writes this for plain "CSV".
        text = _decode_as(raw, "cp1252", f"The file is neither UTF-8 nor Windows-1252. {_RESAVE_HINT}")
        return text, "The file is not UTF-8. It was read as Windows-1252."


def _decode_as(raw: bytes, encoding: str, problem: str) -> str:
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError:
        raise ValueError(problem) from None
    if "\0" in text:
        raise ValueError(problem)
    return text.removeprefix("\ufeff")
