"""The lines of CSV text: encoding, delimiter and cells, without artifacts of spreadsheets."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from workspace.lib import error_messages
from workspace.lib.errors import InvalidInputError
from workspace.lib.messages import Message
from workspace.lib.tabular.text_encoding import decode_text

MAX_CHARACTERS = 1_000_000
MAX_BYTES = 4 * MAX_CHARACTERS  # no character is longer
MAX_COLUMNS = 100
USUAL_DELIMITERS = ("\t", ";", ",")  # in a tie, the first one wins: plain text contains it least often
WHITESPACE = " \t\u00a0\ufeff"
# Text that spreadsheets execute, also in full-width and small forms, and after characters that they ignore.
FORMULA = re.compile("(?:[\t\r\n]|[\\s\ufeff\u200b-\u200f\u2060]*[=+\\-@＝＋－＠﹦﹢﹣﹫])")
_ESCAPED_FORMULA = re.compile(f"''*{FORMULA.pattern}")
_WRAPPER_PREFIXES = ("=", "'")
_QUOTED_ZEROS = re.compile(r'="([^"]*)"')  # how spreadsheets write 007


def read_text(source: bytes | str, path: str) -> tuple[str, str]:
    """Return the text and a note on how it was decoded."""
    note = ""
    if isinstance(source, bytes) and len(source) <= MAX_BYTES:
        try:
            source, note = decode_text(source)
        except ValueError as problem:
            raise InvalidInputError.at_path(path, str(problem)) from None
    if isinstance(source, bytes) or len(source) > MAX_CHARACTERS:
        raise InvalidInputError.at_path(path, error_messages.CSV_TOO_LONG(most=f"{MAX_CHARACTERS:,}"))
    if "\0" in source:
        raise InvalidInputError.at_path(path, error_messages.NOT_CSV)
    return source.lstrip("\ufeff"), note


def scan_first_line(text: str) -> tuple[str, dict[str, int]]:
    """Return the first line, including line breaks in quotes, and the count of each delimiter outside of quotes."""
    quoted, counts = False, dict.fromkeys(USUAL_DELIMITERS, 0)
    place = 0
    for piece in re.finditer(r'["\r\n,;\t]', text):
        place = piece.start()
        if piece[0] == '"':
            quoted = not quoted
        elif piece[0] in "\r\n" and not quoted:
            return text[:place], counts
        elif piece[0] in counts and not quoted:
            counts[piece[0]] += 1
    return text, counts


def read_lines(text: str, mark: str, path: str) -> Iterator[tuple[int, list[str]]]:
    """Yield all nonempty lines with their numbers."""
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=mark, skipinitialspace=True, strict=True)
    number = 0
    while True:
        number += 1
        try:
            cells = next(lines)
        except StopIteration:
            return
        except csv.Error as problem:
            raise InvalidInputError.at_path(f"{path}.{number}", _error_message(str(problem), number)) from None
        if len(cells) > MAX_COLUMNS:
            has = error_messages.TOO_MANY_CELLS(line=number, cells=f"{len(cells):,}", most=MAX_COLUMNS)
            raise InvalidInputError.at_path(f"{path}.{number}", has)
        cells = [clean_cell(cell) for cell in cells]
        if any(cells):
            yield number, cells


def _error_message(problem: str, line: int) -> Message:
    """Return the message for one of the csv module's errors."""
    if "limit" in problem:
        return error_messages.CELL_TOO_LONG(line=line, most=f"{csv.field_size_limit():,}")
    return error_messages.UNCLOSED_QUOTE(line=line)


def clean_cell(cell: str) -> str:
    """Return a cell without surrounding white space and without the apostrophe that prevents a formula."""
    cell = cell.strip(WHITESPACE)
    if cell[:1] not in _WRAPPER_PREFIXES:
        return cell
    if zeros := _QUOTED_ZEROS.fullmatch(cell):
        return zeros[1]
    return cell[1:] if _ESCAPED_FORMULA.match(cell) else cell
