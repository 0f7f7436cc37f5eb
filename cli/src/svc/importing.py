"""Sending the rows of a checked file, one call each, and keeping book of what happened."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from svc.catalogue import Tool
from svc.client import Client
from svc.csv_file import CsvFile, Row, without_formula
from svc.failures import Failure, NetworkFailure, NotAuthorized, RateLimited, Refused, Unavailable
from svc.journal import Journal

Work = list[tuple[Row, dict[str, Any]]]


@dataclass
class Outcome:
    """stopped: why sending ended early, None when every row was tried."""

    results: list[dict[str, Any]] = field(default_factory=list)
    failures: list[tuple[Row, str]] = field(default_factory=list)
    stopped: Failure | None = None


def send(client: Client, tool: Tool, work: Work, journal: Journal, advance: Any) -> Outcome:
    """Call the tool for each row. A refused row is noted; what would refuse every row stops."""
    outcome = Outcome()
    for row, arguments in work:
        try:
            result = client.run(tool, arguments, None if tool.read_only else journal.key_of(row.number))
        except (NotAuthorized, RateLimited, NetworkFailure, Unavailable) as failure:
            outcome.stopped = failure
            break
        except Refused as refusal:
            text = refusal.in_one_line()
            outcome.failures.append((row, text))
            outcome.results.append({"row": row.number, "ok": False, "error": refusal.error, "message": text})
        else:
            if not tool.read_only:
                journal.note(row.number)
            outcome.results.append({"row": row.number, "ok": True, "data": result.data})
        advance(1)
    return outcome


def errors_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.errors.csv")


def write_errors(file: CsvFile, failures: list[tuple[Row, str]], path: Path) -> None:
    """The failed rows with an `error` column: mend them and import that file. The BOM is for Excel."""
    kept = [index for index, name in enumerate(file.header) if name.strip().lower() != "error"]
    with path.open("w", encoding="utf-8-sig", newline="") as out:
        writer = csv.writer(out, delimiter=file.delimiter)
        writer.writerow([*(file.header[index] for index in kept), "error"])
        for row, message in failures:
            writer.writerow([*(without_formula(row.cells[index]) for index in kept), message])
