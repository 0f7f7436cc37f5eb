"""Sending the rows of a validated file, with a journal of the results.

A tool that accepts a list gets many rows per call. Any other tool gets one row per call.
"""

from __future__ import annotations

import csv
import hashlib
import json
import re
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from svc.catalog import Tool
from svc.client import Client, Result
from svc.csv_file import CsvFile, CsvRow, escape_formula
from svc.entry_schema import ID, LIST, EntrySchema
from svc.errors import CliError, NetworkError, NotAuthorizedError, RateLimitedError, ToolRefusedError, UnavailableError
from svc.import_journal import ImportJournal

# rows and characters per call: few enough for a fast answer, and to lose little if a call is rejected
MAX_ROWS, MAX_CHARACTERS = 100, 400_000
MAX_WAIT_SECONDS = 60.0


@dataclass(frozen=True)
class ImportCall:
    """A call that sends rows.

    `rows` are the rows in it, `outer` are the arguments besides the list, and `entries` has one entry per row. If the
    tool accepts no list, `entries` is None and `outer` is the row.
    """

    rows: tuple[CsvRow, ...]
    outer: dict[str, Any]
    entries: tuple[dict[str, Any], ...] | None = None

    @property
    def numbers(self) -> list[int]:
        return [row.number for row in self.rows]

    @property
    def ids(self) -> list[str]:
        return [row.id for row in self.rows]

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of the call, with the list of entries if there is one."""
        return self.outer if self.entries is None else {**self.outer, LIST: list(self.entries)}

    def without_rows(self, numbers: set[int]) -> ImportCall:
        return self._with_rows_at([place for place, row in enumerate(self.rows) if row.number not in numbers])

    def _with_rows_at(self, places: list[int]) -> ImportCall:
        entries = None if self.entries is None else tuple(self.entries[place] for place in places)
        return ImportCall(tuple(self.rows[place] for place in places), self.outer, entries)


@dataclass
class ImportResult:
    """The result of an import.

    `stop_error` says why sending ended early, or is None if every row was tried. `is_refused` means that a call was
    rejected as a whole, so that a rerun does not help. `is_interrupted` means Ctrl-C.
    """

    results: list[dict[str, Any]] = field(default_factory=list)
    failures: list[tuple[CsvRow, str]] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    sent_count: int = 0
    stop_error: CliError | None = None
    is_refused: bool = False
    is_interrupted: bool = False


def plan_calls(
    rows: list[tuple[CsvRow, dict[str, Any]]], shared_arguments: dict[str, Any], entries: EntrySchema | None
) -> list[ImportCall]:
    """Return the calls for a file, which are the same in every run. All rows share `shared_arguments`."""
    if entries is None:
        return [ImportCall((row,), {**shared_arguments, **arguments}) for row, arguments in rows]
    most = min(entries.most or MAX_ROWS, MAX_ROWS)
    calls: list[ImportCall] = []
    size = 0
    for row, arguments in rows:
        outer = {**shared_arguments, **{name: value for name, value in arguments.items() if name not in entries.fields}}
        entry = {name: value for name, value in arguments.items() if name in entries.fields}
        length = len(json.dumps(entry))
        last = calls[-1] if calls else None
        if last and last.entries and last.outer == outer and len(last.rows) < most and size + length < MAX_CHARACTERS:
            calls[-1] = ImportCall((*last.rows, row), outer, (*last.entries, entry))
            size += length
        else:
            calls.append(ImportCall((row,), outer, (entry,)))
            size = length
    return calls


def assign_row_ids(rows: list[tuple[CsvRow, dict[str, Any]]]) -> list[tuple[CsvRow, dict[str, Any]]]:
    """Return the rows with their IDs, which are computed from the content and the number of equal rows above."""
    seen: Counter[str] = Counter()
    named = []
    for row, arguments in rows:
        said = json.dumps(arguments, sort_keys=True)
        seen[said] += 1
        named.append((replace(row, id=hashlib.sha256(f"{seen[said]}:{said}".encode()).hexdigest()[:32]), arguments))
    return named


def remaining_calls(calls: list[ImportCall], journal: ImportJournal) -> list[ImportCall]:
    """Return the remaining work of an earlier run: the unchanged call with an unknown outcome, then the rows."""
    rows = {row.id: row for call in calls for row in call.rows}
    begun = _load_interrupted_call(journal, rows)
    settled = journal.done_ids | set(begun.ids if begun else ())
    rest = [call.without_rows({row.number for row in call.rows if row.id in settled}) for call in calls]
    return [*([begun] if begun else []), *(call for call in rest if call.rows)]


def _load_interrupted_call(journal: ImportJournal, rows: dict[str, CsvRow]) -> ImportCall | None:
    """Return the call as it was sent, even if the file has changed since.

    Return None if this file has none of its rows.
    """
    said, ids = journal.pending_call, journal.pending_ids
    if not set(ids) & set(rows):
        return None
    width = len(next(iter(rows.values())).cells)
    gone = [CsvRow(number, [""] * width, id) for number, id in zip(said["numbers"], ids, strict=True)]
    entries = said["entries"]
    found = tuple(rows.get(row.id, row) for row in gone)
    return ImportCall(found, said["outer"], None if entries is None else tuple(entries))


class ImportRun:
    """A run over the calls for a file."""

    def __init__(
        self, client: Client, tool: Tool, journal: ImportJournal | None, advance: Callable[[int], Any]
    ) -> None:
        """Set up the run.

        `journal` is None for calls that change nothing, a dry run or a read. `advance` is called with the number of
        finished rows.
        """
        self._client, self._tool, self._journal, self._advance = client, tool, journal, advance
        self.outcome = ImportResult()

    def run(self, calls: list[ImportCall]) -> ImportResult:
        """Send all calls.

        A rejected row is recorded, and the other rows of its call are sent without it. An error that would affect every
        call stops the run.
        """
        waiting = deque(calls)
        try:
            while waiting and self.outcome.stop_error is None:
                call = waiting.popleft()
                left = self._send_call(call)
                if left is not None:
                    waiting.appendleft(left)
        except KeyboardInterrupt:
            self.outcome.is_interrupted = True
        return self.outcome

    def _send_call(self, call: ImportCall) -> ImportCall | None:
        """Send a call. Return the part of it that must be sent again, or None."""
        if self._journal:
            said = {"numbers": call.numbers, "outer": call.outer, "entries": call.entries}
            self._journal.start_call(call.ids, said)
        try:
            result = self._request(call)
        except (NotAuthorizedError, RateLimitedError, UnavailableError) as failure:
            self._mark_done([])
            self.outcome.stop_error = failure
        except NetworkError as failure:
            self.outcome.stop_error = failure  # it is unknown whether the call arrived, so it remains pending
        except ToolRefusedError as refusal:
            self._mark_done([])
            return self._record_refusal(call, refusal)
        else:
            self._record_success(call, result)
        return None

    def _request(self, call: ImportCall) -> Result:
        key = self._journal.key_for(call.ids) if self._journal else None
        arguments = call.arguments if self._journal or self._tool.read_only else {**call.arguments, "dry_run": True}
        end = time.monotonic() + MAX_WAIT_SECONDS
        while True:
            try:
                return self._client.run(self._tool, arguments, key)
            except ToolRefusedError as refusal:
                # the service is still processing this call, which an interrupted run sent
                if refusal.error != "conflict" or refusal.retry_after is None or time.monotonic() > end:
                    raise
                time.sleep(refusal.retry_after)

    def _record_success(self, call: ImportCall, result: Result) -> None:
        left_out = _rows_over_limit(call, result.data)
        numbers = [number for number in call.numbers if number not in left_out]
        self._mark_done([row.id for row in call.rows if row.number not in left_out])
        for row in call.rows:
            if row.number in left_out:
                self.outcome.failures.append((row, "You have reached your plan's limit"))
        named = {"row": call.numbers[0]} if call.entries is None else {"rows": numbers}
        self.outcome.results.append({**named, "ok": True, "data": result.data})
        if call.entries is not None:
            line = next((line for line in result.text.splitlines() if line and not line.startswith("Dry run")), "")
            self.outcome.messages.append(f"{_format_span(call)}: {line}")
        self.outcome.sent_count += len(numbers)
        self._advance(len(call.rows))

    def _record_refusal(self, call: ImportCall, refusal: ToolRefusedError) -> ImportCall | None:
        faults = _find_row_faults(call, refusal)
        if call.entries is not None and not faults:
            text = f"{_format_span(call)} could not be sent: {refusal.format_one_line()}"
            self.outcome.stop_error, self.outcome.is_refused = CliError(text), True
            return None
        for row in call.rows:
            if row.number in faults:
                text = faults[row.number]
                self.outcome.failures.append((row, text))
                self.outcome.results.append({"row": row.number, "ok": False, "error": refusal.error, "message": text})
        self._advance(len(faults))
        left = call.without_rows(set(faults))
        return left if left.rows else None

    def _mark_done(self, ids: list[str]) -> None:
        if self._journal:
            self._journal.finish_call(ids)


def errors_path(path: str) -> Path:
    return Path("stdin.errors.csv" if path == "-" else f"{path}.errors.csv")


def write_errors(file: CsvFile, failures: list[tuple[CsvRow, str]], path: Path) -> None:
    """Write the failed rows with an `error` column, so that they can be corrected and imported.

    The BOM is for Excel.
    """
    kept = [index for index, name in enumerate(file.header) if name.strip().lower() != "error"]
    with path.open("w", encoding="utf-8-sig", newline="") as out:
        writer = csv.writer(out, delimiter=file.delimiter)
        writer.writerow([*(file.header[index] for index in kept), "error"])
        for row, message in failures:
            writer.writerow([*(escape_formula(row.cells[index]) for index in kept), message])


def _find_row_faults(call: ImportCall, refusal: ToolRefusedError) -> dict[int, str]:
    """Return the problem of each faulty row by number. Return {} if the call was rejected as a whole."""
    if call.entries is None:
        return {call.numbers[0]: refusal.format_one_line()}
    found: dict[int, list[str]] = {}
    for issue in refusal.issues:
        path = str(issue.get("path") or "")
        place = re.fullmatch(rf"{LIST}\.(\d+)(?:\.(.+))?", path)
        if place and int(place[1]) < len(call.rows):
            problems = f"{place[2]}: {issue.get('message')}" if place[2] else str(issue.get("message"))
            found.setdefault(call.numbers[int(place[1])], []).append(problems)
        elif path:
            return {}  # a problem outside the list affects all rows
    if not found and len(call.rows) == 1:
        return {call.numbers[0]: refusal.format_one_line()}
    return {number: " ".join("; ".join(problems).split()) for number, problems in found.items()}


def _rows_over_limit(call: ImportCall, data: Any) -> set[int]:
    """Return the rows over the plan's limit: the last new ones, up to the number in the answer."""
    count = data.get("did_not_fit") if isinstance(data, dict) else None
    if not isinstance(count, int) or count < 1 or call.entries is None:
        return set()
    new = [number for number, entry in zip(call.numbers, call.entries, strict=True) if ID not in entry]
    return set(new[-count:])


def _format_span(call: ImportCall) -> str:
    first, last = call.numbers[0], call.numbers[-1]
    return f"Row {first}" if first == last else f"Rows {first} to {last}"
