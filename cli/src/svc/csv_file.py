"""Reading CSV as spreadsheets write it: BOMs, UTF-16, Windows-1252, semicolons, `sep=` lines, ragged ends. The rules
are those by which the service reads lists itself, so that one file is judged alike wherever it is handed in."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO

from svc.csv_encoding import decode_text

MAX_CELL_LENGTH = 10_000_000
MAX_PROBLEMS = 20
DELIMITER_NAMES = {"\t": "a tab", ";": "a semicolon", ",": "a comma", "|": "a bar"}
_USUAL_DELIMITERS = ("\t", ";", ",")  # where they tie, the one that plain words hold least often
# What spreadsheets run, also in the wide and small forms that some of them fold, and behind what others leave out.
FORMULA = re.compile("(?:[\t\r\n]|[\\s\ufeff\u200b-\u200f\u2060]*[=+\\-@＝＋－＠﹦﹢﹣﹫])")


@dataclass(frozen=True)
class CsvRow:
    """number: as a spreadsheet shows it (the header is row 1); cells: as many as the header has columns; id: what the
    row says and how many rows above say the same, so that it stays when other rows are edited."""

    number: int
    cells: list[str]
    id: str = ""


@dataclass(frozen=True)
class CsvFile:
    """note: what a person should know about how the file was read, or empty."""

    header: list[str]
    rows: list[CsvRow]
    delimiter: str
    note: str


def read_csv(raw: bytes) -> CsvFile:
    """Read a file's bytes. Raises ValueError with a text for people when they are no usable CSV, naming every row that
    is wrong."""
    text, note = decode_text(raw)
    delimiter, text = _detect_delimiter(text)
    csv.field_size_limit(MAX_CELL_LENGTH)
    records = _read_records(text, delimiter)
    first = next(records, None)
    if first is None:
        raise ValueError("The file is empty: its first line must name the columns.")
    header = _parse_header(first[1])
    rows, problems = [], []
    for number, cells in records:
        # spreadsheets end each line with as many empty cells as the heading has
        if len(cells) > len(first[1]) or any(cells[len(header) :]):
            problems.append(
                f"Row {number} has {len(cells)} cells, the heading has {len(header)}: put a cell that holds "
                f"{DELIMITER_NAMES[delimiter]} in quotation marks."
            )
        rows.append(CsvRow(number, (cells + [""] * len(header))[: len(header)]))
    if problems:
        more = [f"And {len(problems) - MAX_PROBLEMS} more."] if len(problems) > MAX_PROBLEMS else []
        raise ValueError("\n".join([*problems[:MAX_PROBLEMS], *more]))
    return CsvFile(header, rows, delimiter, note)


def escape_formula(text: str) -> str:
    """Text that a spreadsheet shows and does not run: an apostrophe stands before it, which reading takes off again."""
    return f"'{text}" if FORMULA.match(text.lstrip("'")) else text


def _parse_header(cells: list[str]) -> list[str]:
    while not cells[-1]:
        cells = cells[:-1]
    if "" in cells:
        raise ValueError(f"Column {cells.index('') + 1} has no name in the first line.")
    return cells


def _read_records(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Each line that holds something, with its number."""
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True)
    number = 0
    while True:
        number += 1
        try:
            cells = [_clean_cell(cell) for cell in next(reader)]
        except StopIteration:
            return
        except csv.Error as problem:
            raise ValueError(f"Row {number} is not valid CSV ({problem}).") from None
        if any(cells):
            yield number, cells


def _detect_delimiter(text: str) -> tuple[str, str]:
    """What stands between cells, and the text without the line that may say so. Otherwise the most frequent candidate
    in the first record, outside quotes."""
    begin = text.lstrip()
    line = re.split(r"[\r\n]", begin, maxsplit=1)[0]
    declared = re.fullmatch(r'\s*"?sep=(.)"?\s*', line, re.IGNORECASE)
    if declared:
        if declared[1] not in DELIMITER_NAMES:
            raise ValueError("The first line names no mark that can stand between cells: use sep=; or sep=,")
        return declared[1], begin[len(line) :].removeprefix("\r").removeprefix("\n")
    quoted, counts = False, dict.fromkeys(_USUAL_DELIMITERS, 0)
    for character in begin:
        if character == '"':
            quoted = not quoted
        elif character in "\r\n" and not quoted:
            break
        elif character in counts and not quoted:
            counts[character] += 1
    best = max(counts, key=lambda candidate: counts[candidate])
    return (best if counts[best] else ","), text


def _clean_cell(cell: str) -> str:
    cell = cell.strip(" \t\u00a0\ufeff")
    # Excel keeps leading zeros by writing ="0123".
    zeros = re.fullmatch(r'="([^"]*)"', cell)
    if zeros:
        return zeros[1]
    # Exports put an apostrophe before what a spreadsheet would run as a formula, a phone number's + too.
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell.lstrip("'")) else cell
