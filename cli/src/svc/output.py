"""Writing data to stdout: JSON for scripts, and tables, CSV and text for people. Messages go to stderr."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from svc.cell_text import format_cell, replace_controls

if TYPE_CHECKING:
    from collections.abc import Sequence

    from svc.client import Result

FORMATS = ("json", "table", "csv", "text")


def output_options(json_flag: bool = True) -> list[click.Option]:
    """Return the flags that select a format. They are the same for every command that prints data."""
    named = click.Option(
        ["--output", "output_format"],
        type=click.Choice(FORMATS),
        envvar="SVC_OUTPUT",
        show_envvar=True,
        help="Output format. Defaults to json outside a terminal.",
    )
    flag = click.Option(["--json", "as_json"], is_flag=True, help="Print JSON, the same as --output json.")
    return [flag, named] if json_flag else [named]


def choose_format(as_json: bool, output_format: str | None) -> str:
    """Return one of FORMATS, or `auto`: a table for lists and the summary for single results."""
    if as_json:
        return "json"
    if output_format:
        return output_format
    return "auto" if stdout_is_terminal() else "json"


def stdout_is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def print_result(result: Result, form: str, columns: Sequence[str] = ()) -> None:
    """Print a tool's answer. `--output json` prints only `data`, because scripts need no envelope."""
    rows = find_rows(result.data)
    if form == "auto":
        form = "table" if rows is not None else "text"
    if form == "json":
        write_stdout(format_json(result.data))
    elif form == "csv":
        write_stdout(format_csv(as_rows(result.data)))
    elif form == "table":
        from svc.text_table import format_table

        shown = rows if rows is not None else _as_pairs(result.data)
        text, left_out = format_table(
            shown, width=_terminal_width(), bold=_uses_color(), column_names=columns if rows is not None else ()
        )
        write_stdout(text)
        if left_out:
            print_message("For more columns, use --output json")
        _print_more_hint(result.data)
    else:
        write_stdout(replace_controls(result.text or format_json(result.data)))


def find_rows(data: Any) -> list[Any] | None:
    """Return the rows of a list answer (its `items`, the answer itself, or the only list in it), or None."""
    if isinstance(data, list):
        return data
    name = find_list_name(data)
    rows: list[Any] | None = None if name is None else data[name]
    return rows


def as_rows(data: Any) -> list[Any]:
    """Return the rows of an answer. A single result is one row."""
    rows = find_rows(data)
    return [_as_row(data)] if rows is None else rows


def find_list_name(data: Any) -> str | None:
    """Return the name of the member that contains the rows of a list answer."""
    if not isinstance(data, dict):
        return None
    lists = [name for name, value in data.items() if isinstance(value, list)]
    if "items" in lists:
        return "items"
    return lists[0] if len(data) == 1 and lists else None


def format_json(data: Any) -> str:
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower()
    return json.dumps(data, indent=2, ensure_ascii=not encoding.startswith("utf"))


def format_csv(rows: list[Any]) -> str:
    """Format rows as CSV (RFC 4180) with a header. Nested values are JSON, and no text can be executed as a formula."""
    import csv
    from io import StringIO

    from svc.csv_file import escape_formula

    def format_value(value: Any) -> str:
        # guests write some of these values
        return escape_formula(value) if isinstance(value, str) else format_cell(value)

    columns, table = tabulate_values(rows)
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    quoting = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    if columns:
        writer.writerow([escape_formula(name) for name in columns])
    for row in table:
        cells = [format_value(value) for value in row]
        # Most readers would treat a single carriage return as a line end, but the writer does not quote it.
        (quoting if any("\r" in cell for cell in cells) else writer).writerow(cells)
    return out.getvalue().removesuffix("\n")


def tabulate_values(rows: list[Any]) -> tuple[list[str], list[list[Any]]]:
    """Return the columns and a table for rows that may differ in their fields. Missing values are None."""
    table = [_as_row(row) for row in rows]
    columns = list(dict.fromkeys(name for row in table for name in row))
    return columns, [[row.get(name) for name in columns] for row in table]


def tabulate_cells(rows: list[Any]) -> tuple[list[str], list[list[Any]]]:
    """Return the columns and a table for a workbook. Numbers remain numbers, and everything else becomes text."""
    columns, table = tabulate_values(rows)
    return columns, [[value if _is_number(value) else format_cell(value) for value in row] for row in table]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def write_stdout(text: str) -> None:
    """Write to stdout with a line end. A reader that stops early (`svc ...

    head`) is not an error.
    """
    if sys.stdout is None or not text:
        return
    try:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes again at exit, so give it a file for which that succeeds.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except UnicodeEncodeError:
        encoding = sys.stdout.encoding
        sys.stdout.write(text.encode(encoding, "replace").decode(encoding) + "\n")


def print_message(text: str) -> None:
    """Print a human-readable message to stderr."""
    click.echo(replace_controls(text), err=True)


def _print_more_hint(data: Any) -> None:
    if not isinstance(data, dict) or not data.get("has_more"):
        return
    reached = int(data.get("offset") or 0) + int(data.get("count") or 0)
    print_message(f"Showing {reached} of {data.get('total')}. For more, use --offset {reached} or --all")


def _as_row(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {"value": value}


def _as_pairs(data: Any) -> list[dict[str, Any]]:
    return [{"field": name, "value": value} for name, value in _as_row(data).items()]


def _terminal_width() -> int | None:
    """Return the width of the terminal, or None if there is no terminal and nothing should be truncated."""
    if not stdout_is_terminal():
        return None
    import shutil

    return shutil.get_terminal_size().columns


def _uses_color() -> bool:
    return stdout_is_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
