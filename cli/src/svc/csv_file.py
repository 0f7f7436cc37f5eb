"""Reading CSV as spreadsheets write it: BOMs, UTF-16, Windows-1252, semicolons, `sep=` lines, ragged ends."""

from __future__ import annotations

import csv
import hashlib
import re
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

LONGEST_CELL = 10_000_000


@dataclass(frozen=True)
class Row:
    """number: as a spreadsheet shows it (the header is row 1); cells: as many as the header has columns."""

    number: int
    cells: list[str]


@dataclass(frozen=True)
class CsvFile:
    """digest: SHA-256 of the bytes; note: what a person should know about how the file was read, or empty."""

    header: list[str]
    rows: list[Row]
    digest: str
    delimiter: str
    note: str


def read_csv(path: Path) -> CsvFile:
    """Read a file. Raises ValueError with a text for people when it is no usable CSV, or OSError."""
    raw = path.read_bytes()
    text, note = _decoded(raw)
    delimiter = None
    first, _, rest = text.partition("\n")
    declared = re.fullmatch(r'"?sep=(.)"?', first.rstrip("\r"), re.IGNORECASE)
    if declared:
        delimiter, text = declared[1], rest
    delimiter = delimiter or _delimiter(text)
    csv.field_size_limit(LONGEST_CELL)
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        records = [[_tidy(cell) for cell in record] for record in reader]
    except csv.Error as problem:
        raise ValueError(f"Line {reader.line_num} is not valid CSV ({problem}).") from None
    if not records or not any(records[0]):
        raise ValueError("The file is empty: its first line must name the columns.")
    header = records[0]
    while header and not header[-1]:
        header = header[:-1]
    if "" in header:
        raise ValueError(f"Column {header.index('') + 1} has no name in the first line.")
    rows = []
    for number, record in enumerate(records[1:], start=2):
        if not any(record):
            continue
        if any(record[len(header) :]):
            raise ValueError(f"Row {number} has {len(record)} cells, but the first line names {len(header)} columns.")
        rows.append(Row(number, (record + [""] * len(header))[: len(header)]))
    return CsvFile(header, rows, hashlib.sha256(raw).hexdigest(), delimiter, note)


def _decoded(raw: bytes) -> tuple[str, str]:
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return raw.decode("utf-16"), ""
        except UnicodeDecodeError:
            raise ValueError("The file begins like UTF-16 text but is broken. Save it as CSV UTF-8.") from None
    try:
        return raw.decode("utf-8-sig"), ""
    except UnicodeDecodeError:
        # What Excel on Windows writes when one chooses plain "CSV".
        return raw.decode("cp1252", "replace"), "The file is not UTF-8; it was read as Windows-1252."


def _delimiter(text: str) -> str:
    """The most frequent candidate in the first record, outside quotes."""
    quoted, counts = False, dict.fromkeys(",;\t", 0)
    for character in text:
        if character == '"':
            quoted = not quoted
        elif character in "\r\n" and not quoted:
            break
        elif character in counts and not quoted:
            counts[character] += 1
    return max(counts, key=lambda candidate: counts[candidate])


def _tidy(cell: str) -> str:
    cell = cell.strip(" \t\u00a0\ufeff")
    # Excel keeps leading zeros by writing ="0123".
    formula = re.fullmatch(r'="([^"]*)"', cell)
    if formula:
        return formula[1]
    # Exports put an apostrophe before what a spreadsheet would run as a formula, a phone number's + too.
    return cell[1:] if re.match(r"'[=+\-@\t\r\n]", cell) else cell
