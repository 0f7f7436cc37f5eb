"""Answers of export tools.

The file is created again for each call and not stored. The answer contains its download URL for the account. Small text
files are also included.

    return export_text("card", "leads", name, table.write(COLUMNS, rows), rows=len(rows), kind=kind, card_id=card_id)
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, NotRequired
from urllib.parse import urlencode

from django.conf import settings
from typing_extensions import TypedDict

from workspace.lib.errors import InvalidInputError
from workspace.lib.tabular import workbook_writer
from workspace.lib.text import format_count
from workspace.owner_translation import owner_gettext
from workspace.publishing import messages
from workspace.tools.answer import Answer, File
from workspace.tools.tool import Tool

MAX_INLINE_BYTES = 50_000  # maximum size of text that is included in the answer
XLSX = "xlsx"
BOM = "\ufeff"  # lets spreadsheets detect UTF-8
MEDIA_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "ics": "text/calendar; charset=utf-8",
    "vcf": "text/vcard; charset=utf-8",
    "json": "application/json",
    "jsonl": "application/jsonl",
    "pdf": "application/pdf",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


class Export(TypedDict):
    """The result of an export.

    `file_url` works for people signed in to the account and with its API key. `content` is the text of a small file.
    """

    kind: str
    file_name: str
    media_type: str
    size: int
    rows: int
    file_url: str
    content: NotRequired[str]


def export_text(
    tool_word: str,
    noun: str,
    name: str,
    text: str,
    *,
    rows: int,
    kind: str,
    exclusion_note: str = "",
    **arguments: str | None,
) -> Answer[Export]:
    """Return the answer of the tool `svc_WORD_export` for a text file with `rows` rows.

    `noun` is the word for a row (`lead`). The file extension of `name` determines the media type. `arguments` are the
    call's arguments other than `kind`. `exclusion_note` is a sentence about excluded data.
    """
    form = name.rpartition(".")[2]
    content = ((BOM if form == "csv" else "") + text).encode()
    found = export_file(
        tool_word, noun, name, content, rows=rows, kind=kind, exclusion_note=exclusion_note, **arguments
    )
    if len(content) <= MAX_INLINE_BYTES:
        return replace(
            found, data={**found.data, "content": text}, text_source=f"{found.text}\n\n{format_code_block(text, form)}"
        )
    return replace(found, text_source=f"{found.text}\nToo long to include here. Download it from that URL.")


def has_workbook_format(tool: Tool[Any]) -> bool:
    """Return whether a tool supports the format `xlsx` itself, with its own column widths."""
    return XLSX in str(tool.input_schema.get("properties", {}).get("format", ""))


def as_workbook(file: File) -> File:
    """Convert a CSV file of a tool to XLSX. Every table is available as XLSX at the same URL with `format=xlsx`.

    Raise InvalidInputError if the file is not a CSV, and TooLargeError if it is too large.
    """
    name, _, form = file.name.rpartition(".")
    if form != "csv" or not isinstance(file.content, bytes):
        raise InvalidInputError.at_path("format", messages.NOT_A_TABLE)
    return File(
        f"{name}.xlsx",
        MEDIA_TYPES["xlsx"],
        workbook_writer.build_from_csv(owner_gettext("Table"), file.content.decode("utf-8-sig")),
    )


def export_file(
    tool_word: str,
    noun: str,
    name: str,
    content: bytes,
    *,
    kind: str,
    rows: int = 1,
    exclusion_note: str = "",
    **arguments: str | None,
) -> Answer[Export]:
    """Return the answer of the tool `svc_WORD_export` for a binary file. The arguments are those of `export_text`."""
    form = name.rpartition(".")[2]
    given = {"kind": kind, **{key: value for key, value in arguments.items() if value is not None}}
    data: Export = {
        "kind": kind,
        "file_name": name,
        "media_type": MEDIA_TYPES[form],
        "size": len(content),
        "rows": rows,
        "file_url": f"{settings.BASE_URL}/files/{tool_word}/export?{urlencode(given)}",
    }
    facts = [
        f"{format_count(rows, noun)} in {name} ({data['media_type']}, {len(content)} bytes). Download it signed in or "
        f"with an API key: {data['file_url']}"
    ]
    if form == "csv":
        facts.append("Add format=xlsx to that URL for a workbook.")
    if exclusion_note:
        facts.append(exclusion_note)
    return Answer(data, "\n".join(facts), file=File(name, data["media_type"], content))


def format_code_block(text: str, form: str) -> str:
    """Return the text as a Markdown code block, regardless of its content."""
    longest = max((len(marks) for marks in re.findall("`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{form}\n{text}\n{fence}"
