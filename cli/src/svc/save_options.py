"""Saving answers to files: lists as CSV, and files that a tool creates."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from svc.errors import CliError
from svc.output import as_rows, format_csv, print_message, tabulate_cells, write_stdout

if TYPE_CHECKING:
    from svc.client import Client, Result

WORKBOOK_SUFFIX = ".xlsx"
CSV_HELP = "Write the rows to a CSV file, or to a workbook if the name ends in .xlsx; - for standard output."


def csv_option(text: str) -> click.Option:
    return click.Option(["--csv"], metavar="FILE|-", help=text)


def save_option(*, waits: bool = False) -> click.Option:
    help_text = "Wait until the file is ready, and save it." if waits else "Save the file; - for standard output."
    return click.Option(["--save"], metavar="FILE" if waits else "FILE|-", help=help_text)


def save_result(ctx: click.Context, client: Client, result: Result) -> bool:
    """Write the file requested by `--csv` or `--save`. Return False if neither is given."""
    table, save = ctx.params.get("csv"), ctx.params.get("save")
    if table is None and save is None:
        return False
    if table is not None and save is not None:
        raise click.UsageError("Use either --csv or --save.", ctx)
    path, data = str(table if save is None else save), result.data
    if isinstance(data, dict) and "file_url" in data:
        if table is not None and not str(data.get("file_name")).endswith(".csv"):
            raise CliError(f"The result is {data.get('file_name')}, not CSV. Save it with --save FILE.")
        _write_file(path, _load_content(client, data, path), f"Wrote {data.get('file_name')} to {path}.")
    elif path.lower().endswith(WORKBOOK_SUFFIX):
        from svc import workbook

        rows = as_rows(data)
        _write_file(path, workbook.build_workbook(*tabulate_cells(rows)), f"Wrote {len(rows)} rows to {path}.")
    elif path == "-":
        write_stdout(format_csv(as_rows(data)))
    else:
        rows = as_rows(data)
        # the byte order mark tells Excel that it is UTF-8
        _write_file(path, (format_csv(rows) + "\n").encode("utf-8-sig"), f"Wrote {len(rows)} rows to {path}.")
    return True


def _load_content(client: Client, data: dict[str, Any], path: str) -> bytes:
    text, address = data.get("content"), str(data["file_url"])
    if path.lower().endswith(WORKBOOK_SUFFIX) and str(data.get("file_name")).endswith(".csv"):
        return client.fetch_file(_add_format(address, "xlsx"))
    return text.encode() if isinstance(text, str) else client.fetch_file(str(data["file_url"]))


def _add_format(address: str, form: str) -> str:
    from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

    parts = urlsplit(address)
    query = [pair for pair in parse_qsl(parts.query) if pair[0] != "format"]
    return urlunsplit(parts._replace(query=urlencode([*query, ("format", form)])))


def _write_file(path: str, content: bytes, text: str) -> None:
    if path == "-":
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    try:
        Path(path).write_bytes(content)
    except OSError as problem:
        raise CliError(f"Could not write {path}: {problem.strerror}.") from problem
    print_message(text)
