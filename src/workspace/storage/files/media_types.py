"""Detecting file types that businesses commonly use from the content, never from what the sender declares.

Other files are stored as `application/octet-stream`, and executable files are rejected. All files are served as
attachments, so a wrong type affects only an icon.
"""

from __future__ import annotations

import re

OCTET_STREAM = "application/octet-stream"
MAX_BYTES = 8 * 1024 * 1024
MAX_NAME_LENGTH = 120

IMAGE_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp")
_SIGNATURES = [
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"%PDF-", "application/pdf"),
    (b"ID3", "audio/mpeg"),
]
# ISO base media (ISO/IEC 14496-12): the brand after `ftyp`
_BRANDS = {
    b"heic": "image/heic",
    b"heix": "image/heic",
    b"hevc": "image/heic",
    b"mif1": "image/heif",
    b"msf1": "image/heif",
    b"avif": "image/avif",
    b"avis": "image/avif",
    b"M4A ": "audio/mp4",
    b"isom": "video/mp4",
    b"mp41": "video/mp4",
    b"mp42": "video/mp4",
    b"qt  ": "video/quicktime",
}
_OFFICE = "application/vnd.openxmlformats-officedocument"
_OPEN_DOCUMENT = "application/vnd.oasis.opendocument"
# a part that each format must contain; a ZIP file lists names uncompressed at its end
_PARTS = [
    (b"word/document.xml", f"{_OFFICE}.wordprocessingml.document"),
    (b"xl/workbook.xml", f"{_OFFICE}.spreadsheetml.sheet"),
    (b"ppt/presentation.xml", f"{_OFFICE}.presentationml.presentation"),
]
_OPEN_DOCUMENT_KINDS = ("text", "spreadsheet", "presentation")
_TEXTS = {
    "csv": "text/csv",
    "ics": "text/calendar",
    "vcf": "text/vcard",
    "json": "application/json",
}
# Windows, Linux, macOS (four byte orders, and universal binaries), Windows shortcuts, scripts with an interpreter
_PROGRAM_SIGNATURES = (
    b"MZ",
    b"\x7fELF",
    b"\xfe\xed\xfa\xce",
    b"\xfe\xed\xfa\xcf",
    b"\xce\xfa\xed\xfe",
    b"\xcf\xfa\xed\xfe",
    b"\xca\xfe\xba\xbe",
    b"L\x00\x00\x00\x01\x14\x02\x00",
    b"#!",
)
_EXECUTABLE_NAME = re.compile(
    r"\.(apk|app|bat|cmd|com|cpl|dll|dmg|exe|gadget|hta|jar|jnlp|jse?|lnk|ms[cip]|pif|ps1|reg|scr|sh|vb|vb[es]|ws[fh]"
    r"|xlsm|docm|pptm)[. ]*$",
    re.IGNORECASE,
)
_PROGRAM_MESSAGE = "Programs and documents with macros aren’t allowed. Send a document, spreadsheet or image"
# possible starts of the type for each file extension, with OCTET_STREAM if not every variant is detected above
_ALLOWED_TYPES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(["jpg", "jpeg", "png", "gif", "webp", "heic", "heif", "avif", "tif", "tiff"], ("image/",)),
    **dict.fromkeys(["docx", "xlsx", "pptx"], (_OFFICE, "application/zip", OCTET_STREAM)),
    **dict.fromkeys(["odt", "ods", "odp"], (_OPEN_DOCUMENT, "application/zip", OCTET_STREAM)),
    **dict.fromkeys(["txt", "csv", "ics", "vcf", "json"], ("text/", "application/json", OCTET_STREAM)),
    **dict.fromkeys(["mp3", "m4a", "mp4", "mov"], ("audio/", "video/", OCTET_STREAM)),
    "pdf": ("application/pdf",),
    "zip": ("application/zip", _OFFICE, _OPEN_DOCUMENT),
}
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f]")
_MARKUP = re.compile(r"\s*<[!?a-z]", re.IGNORECASE)


def detect_media_type(content: bytes, name: str = "", *, max_bytes: int = MAX_BYTES) -> str:
    """Return the media type of a file.

    Raise ValueError with a human-readable message if it is empty, too large or executable.
    """
    if not content:
        raise ValueError("This file is empty")
    if len(content) > max_bytes:
        raise ValueError(f"A file can be at most {max_bytes // 1024 // 1024} MB")
    if _EXECUTABLE_NAME.search(name) or content.startswith(_PROGRAM_SIGNATURES):
        raise ValueError(_PROGRAM_MESSAGE)
    for beginning, found in _SIGNATURES:
        if content.startswith(beginning):
            return found
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    if content[4:8] == b"ftyp":
        return _BRANDS.get(content[8:12], OCTET_STREAM)
    if content.startswith(b"PK\x03\x04"):
        return _detect_archive_type(content)
    return _detect_text_type(content, name.rpartition(".")[2].lower())


def name_matches_type(name: str, kind: str) -> bool:
    """Return whether a file with this name may have the detected type. Unknown extensions match all types."""
    return kind.startswith(_ALLOWED_TYPES.get(name.rpartition(".")[2].lower(), ""))


def clean_file_name(name: str, default: str = "file") -> str:
    """Return a file name without folders and unprintable characters, at most 120 characters long with its extension."""
    kept = "".join(char for char in name.replace("\\", "/").rpartition("/")[2] if char.isprintable()).strip(". ")
    stem, dot, ending = kept.rpartition(".")
    if len(kept) > MAX_NAME_LENGTH and dot and len(ending) < 10:
        kept = f"{stem[: MAX_NAME_LENGTH - len(ending) - 1]}.{ending}"
    return kept[:MAX_NAME_LENGTH] or default


def _detect_archive_type(content: bytes) -> str:
    if b"vbaProject.bin" in content:
        raise ValueError(_PROGRAM_MESSAGE)
    if content[30:38] == b"mimetype":
        for kind in _OPEN_DOCUMENT_KINDS:
            if content[38 : 38 + len(f"{_OPEN_DOCUMENT}.{kind}")] == f"{_OPEN_DOCUMENT}.{kind}".encode():
                return f"{_OPEN_DOCUMENT}.{kind}"
    return next((found for part, found in _PARTS if part in content), "application/zip")


def _detect_text_type(content: bytes, ending: str) -> str:
    """Return the type of a text file. Markup does not count as text, because HTML and SVG would run in a browser."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return OCTET_STREAM
    if _CONTROL.search(text) or _MARKUP.match(text[:1000]):
        return OCTET_STREAM
    return _TEXTS.get(ending, "text/plain")
