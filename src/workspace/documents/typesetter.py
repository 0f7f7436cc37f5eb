"""Typesetting of data as PDF/A-3b, in a subprocess.

A layout is one of our typst sources. Callers pass data and never markup, so that nothing in people's text is executed.

    typeset_document(document.LAYOUT, build_data(...), title="Quote 12", language="de", attachments=[...])
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from workspace.documents import glyph_coverage
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError, Issue, OperationNotAllowedError
from workspace.lib.subprocess_worker.pool import SubprocessError
from workspace.qr_symbols.render_pool import render_pool

MAX_SHEETS = 50
_MAX_ATTEMPTS = 8  # attempts to replace what cannot be rendered as one letter


@dataclass(frozen=True, slots=True)
class Attachment:
    """A text file attached to the PDF. Readers show its `description`. `relationship` is defined by PDF/A-3."""

    name: str
    content: str
    description: str
    media_type: str = "application/json"
    relationship: Literal["source", "data", "alternative", "supplement"] = "data"


@dataclass(frozen=True, slots=True)
class DocumentSheet:
    """The content of one PDF.

    `data` is the input of the layout. `language` is a BCP 47 tag and decides the text direction and the form of Han
    characters. `at` is the creation time in the file."""

    data: dict[str, Any]
    title: str
    language: str = "en"
    attachments: Sequence[Attachment] = ()
    at: datetime = field(default_factory=clock.now)


class DocumentTooComplexError(OperationNotAllowedError):
    """The document would take too much memory or time."""

    def __init__(self) -> None:
        super().__init__("This is too long for one document. Shorten it, or create several")


class UnprintableTextError(InvalidInputError):
    """Each character of `cluster` has a font, but the characters cannot be rendered as one letter."""

    def __init__(self, issues: Sequence[Issue], cluster: str) -> None:
        super().__init__(issues)
        self.cluster = cluster


def typeset_document(layout: Path, data: dict[str, Any], **more: Any) -> bytes:
    """Typeset one PDF. `more` are additional fields of DocumentSheet.

    Raise InvalidInputError, at their path in the data, for characters that no font has. Raise DocumentTooComplexError,
    or BusyError if the machine has no capacity.
    """
    return typeset_documents(layout, [DocumentSheet(data, **more)])[0]


def render_page_image(layout: Path, data: dict[str, Any], *, width: int, points: float, language: str = "en") -> bytes:
    """Return the first page as a PNG that is `width` pixels wide.

    `points` is the width of the page in points. Errors are those of `typeset_document`.
    """
    glyph_coverage.check_printable(data)
    request = {**_build_request(DocumentSheet(data, title="", language=language)), "width": width, "points": points}
    return _run_typst(layout, [request])[0]


def typeset_leniently(layout: Path, data: dict[str, Any], *, title: str, **more: Any) -> bytes:
    """Typeset a document, replacing unprintable characters with code points such as `U+A000`.

    Use it for text that someone has agreed to, which can no longer be rejected.
    """
    printable: dict[str, Any] = glyph_coverage.replace_unprintable({"data": data, "title": title})
    for _ in range(_MAX_ATTEMPTS):
        try:
            return typeset_document(layout, printable["data"], title=printable["title"], **more)
        except UnprintableTextError as problem:
            printable = glyph_coverage.replace_unprintable(printable, problem.cluster)
    return typeset_document(layout, printable["data"], title=printable["title"], **more)


def typeset_documents(layout: Path, sheets: Sequence[DocumentSheet]) -> list[bytes]:
    """Typeset up to 50 PDFs in one subprocess.

    Errors are those of `typeset_document`, with the number of the sheet prepended to the path.
    """
    if len(sheets) > MAX_SHEETS:
        raise ValueError(f"at most {MAX_SHEETS} at once")
    for number, sheet in enumerate(sheets):
        where = str(number) if len(sheets) > 1 else ""
        glyph_coverage.check_printable(sheet.data, where)
        glyph_coverage.check_printable(sheet.title, f"{where}.title" if where else "title")
    try:
        return _run_typst(layout, [_build_request(sheet) for sheet in sheets])
    except _UnprintableClusterError as problem:
        raise _unprintable_error(sheets[problem.number], problem.cluster) from None


class _UnprintableClusterError(Exception):
    def __init__(self, number: int, cluster: str) -> None:
        super().__init__(cluster)
        self.number, self.cluster = number, cluster


def _run_typst(layout: Path, sheets: list[dict[str, Any]]) -> list[bytes]:
    request = {"layout": str(layout), "sheets": sheets}
    try:
        answer = render_pool.run("workspace.documents.typst_worker", json.dumps(request).encode())
    except SubprocessError as failed:
        if failed.is_exhausted:
            raise DocumentTooComplexError from None
        raise  # an error in a layout
    head, _, body = answer.partition(b"\n")
    results = json.loads(head)
    if "unprintable" in results:
        raise _UnprintableClusterError(results["number"], results["unprintable"])
    found, at = [], 0
    for size in results["sizes"]:
        found.append(body[at : at + size])
        at += size
    return found


def _build_request(sheet: DocumentSheet) -> dict[str, Any]:
    words = "".join(text for _, text in glyph_coverage.iterate_texts(sheet.data)) + sheet.title
    fonts, folders = glyph_coverage.choose_fonts(sheet.language, words)
    language, _, region = sheet.language.replace("_", "-").partition("-")
    about = {
        "title": sheet.title,
        "language": language.lower() if 2 <= len(language) <= 3 else "en",
        "region": region.lower() if len(region) == 2 else None,
        "fonts": fonts,
        "attachments": [asdict(one) for one in sheet.attachments],
    }
    return {
        "data": json.dumps(sheet.data),
        "about": json.dumps(about),
        "folders": [str(folder) for folder in folders],
        "at": int(sheet.at.timestamp()),
    }


def _unprintable_error(sheet: DocumentSheet, cluster: str) -> UnprintableTextError:
    """Return the error for characters that cannot be combined, such as a letter with a mark of another script."""
    paths = [path for path, text in glyph_coverage.iterate_texts(sheet.data) if cluster in text]
    named = ", ".join(map(glyph_coverage.describe_character, cluster))
    words = f"These can’t be printed as one character: {named}. Separate them"
    return UnprintableTextError([Issue(paths[0] if paths else "", words)], cluster)
