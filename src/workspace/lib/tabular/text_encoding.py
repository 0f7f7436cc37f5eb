"""Detecting the encoding of a text file, for files from spreadsheets of any age."""

from __future__ import annotations

import codecs
import re

from workspace.lib import error_messages

# UTF-32 first, because its mark starts with that of UTF-16
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF8, "utf-8-sig", "UTF-8"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)
# letters at the six positions where Windows-1254 differs, followed by neighboring letters that are only Turkish or
# Icelandic
_TURKISH_OR_ICELANDIC, _TURKISH, _ICELANDIC = re.compile("[ÐðÝýÞþ]"), re.compile("[ÝýÇçÜü]"), re.compile("[ÁáÍíÓóÚúÆæ]")
_WORKBOOK_SIGNATURES = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # .xlsx and .ods, .xls


def decode_text(content: bytes) -> tuple[str, str]:
    """Return the text, and a human-readable note if the encoding was guessed.

    Raise ValueError with a human-readable message if it is not text or the encoding is unknown.
    """
    if content.startswith(_WORKBOOK_SIGNATURES):
        raise ValueError(error_messages.WORKBOOK_INSTEAD_OF_CSV)
    for mark, encoding, name in _BYTE_ORDER_MARKS:
        if content.startswith(mark):
            try:
                return content.decode(encoding), ""
            except UnicodeDecodeError:
                raise ValueError(
                    error_messages.BROKEN_ENCODING(encoding=name, hint=error_messages.SAVE_AS_UTF_8)
                ) from None
    if b"\0" in content:
        return _decode_unmarked_utf_16(content), "The file does not name its encoding and was read as UTF-16."
    try:
        return content.decode("utf-8"), ""
    except UnicodeDecodeError:
        pass
    try:
        # the default of spreadsheets on Windows
        text, name = content.decode("cp1252"), "Windows-1252"
    except UnicodeDecodeError:
        raise ValueError(error_messages.UNKNOWN_ENCODING(hint=error_messages.SAVE_AS_UTF_8)) from None
    if _TURKISH_OR_ICELANDIC.search(text) and _TURKISH.search(text) and not _ICELANDIC.search(text):
        text, name = content.decode("cp1254", "replace"), "Windows-1254 (Turkish)"
    return text, f"The file is not UTF-8 and was read as {name}: check letters with accents."


def _decode_unmarked_utf_16(content: bytes) -> str:
    """Decode UTF-16 without a byte order mark.

    In Western text, many or all second bytes are zero: those at odd positions if the low byte comes first.
    """
    even, odd = content[0::2].count(0), content[1::2].count(0)
    if bool(even) != bool(odd) and len(content) % 2 == 0 and 8 * (even + odd) >= len(content):
        try:
            text = content.decode("utf-16-le" if odd else "utf-16-be")
        except UnicodeDecodeError:
            text = "\0"
        if "\0" not in text:
            return text
    raise ValueError(error_messages.NOT_TEXT(hint=error_messages.SAVE_AS_UTF_8))
