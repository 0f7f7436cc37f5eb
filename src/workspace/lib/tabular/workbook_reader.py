"""Workbooks in place of a text table: the sheet with the list, as text for `csv_table.parse_csv`."""

from __future__ import annotations

import json

from workspace.lib import error_messages
from workspace.lib.subprocess_worker.pool import SubprocessError, SubprocessPool

# a sheet of a thousand lines needs a hundredth of either limit
_worker_pool = SubprocessPool(0.1, megabytes=150, seconds=1)
_SIGNATURES = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # .xlsx and .ods, .xls
_PROBLEMS = {
    "unreadable": error_messages.WORKBOOK_UNREADABLE,
    "empty": error_messages.WORKBOOK_EMPTY,
    "large": error_messages.WORKBOOK_TOO_LARGE,
}


def is_workbook(content: bytes) -> bool:
    return content.startswith(_SIGNATURES)


def read_text(content: bytes) -> tuple[str, str]:
    """Return the first sheet with a heading or content, and a human-readable note if there are other sheets.

    Cells are separated by tabs. Raise ValueError with a human-readable message, or BusyError.
    """
    try:
        head, _mark, text = _worker_pool.run("workspace.lib.tabular.workbook_worker", content).partition(b"\n")
    except SubprocessError as failed:
        raise ValueError(_PROBLEMS["large" if failed.is_exhausted else "unreadable"]) from None
    said = json.loads(head)
    if problem := said.get("problem"):
        raise ValueError(_PROBLEMS[problem])
    note = f"Only the sheet “{said['sheet']}” was read."
    others = ", ".join(f"“{name}”" for name in said["others"][:10])
    return text.decode(), f"{note} Other sheets: {others}." if others else ""
