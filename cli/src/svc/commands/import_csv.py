"""`svc import WORDS... [FLAGS] --csv FILE`: importing a file, which is checked completely before anything is sent."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import click

from svc.argument_builder import collect_arguments
from svc.bulk_import import (
    ImportCall,
    ImportResult,
    ImportRun,
    assign_row_ids,
    errors_path,
    plan_calls,
    remaining_calls,
    write_errors,
)
from svc.catalog import Tool, split_words
from svc.commands.login import find_account_email
from svc.csv_file import CsvFile
from svc.entry_schema import LIST_ARGUMENTS, EntrySchema, find_entry_schema
from svc.errors import CliError, NetworkError, RateLimitedError
from svc.flags import DRY_RUN, DRY_RUN_HELP, flags_for
from svc.import_journal import ImportJournal
from svc.options import yes_option
from svc.output import choose_format, format_json, output_options, print_message, stdout_is_terminal, write_stdout
from svc.session import Session, get_session, is_on_terminal, verbose_option
from svc.table_input import MAX_PROBLEMS, read_table
from svc.tool_command import confirm_destructive

INTERRUPTED_EXIT_CODE = 130
RESUME_HINT = "To resume, run the same command again."


@click.command("import", context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="COMMAND... [FLAGS]")
@click.option("--csv", "path", metavar="FILE|-", required=True, help="CSV file or workbook; - for standard input.")
@click.option("--dry-run", is_flag=True, help=DRY_RUN_HELP)
@click.option("--again", is_flag=True, help="Resend rows that were already sent.")
@click.pass_context
def command(
    ctx: click.Context,
    words: tuple[str, ...],
    path: str,
    dry_run: bool,
    again: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Send the rows of a CSV file or a workbook to a tool, for example:

    \b
    svc import qr create --csv codes.csv
    svc import menu save items --menu-id MENU --csv dishes.csv

    The first line contains the names of the flags. Flags on the command line apply to all rows. Tools with --items
    receive up to 100 rows per call, and all other tools receive one.

    All rows are checked before the first one is sent. The service checks the rest, such as your plan's limits.
    Rejected rows are written to FILE.errors.csv. To resume after an interruption, run the same command again.
    """
    session = get_session(ctx)
    tool, typed = _find_tool(session, words)
    entries = find_entry_schema(tool)
    same = _SharedFlags(tool, entries).parse_flags(ctx, typed)
    file, rows = read_table(
        path, _build_row_schema(tool, entries, same), entries.aliases if entries else None, tool.answer_fields
    )
    rows = assign_row_ids(rows)
    calls = plan_calls(rows, same, entries)
    if not dry_run:
        confirm_destructive(tool, yes)
    elif "dry_run" not in (tool.input_schema.get("properties") or {}):
        print_message(f"{_format_valid_rows(len(rows))}. Nothing was sent, because this command only reads.")
        return
    client = session.create_client()
    account = client.call_tool("svc_me", {})
    identity = find_account_email(account.data) or session.key
    shared = json.dumps(same, sort_keys=True)
    journal = ImportJournal(session.base_url, identity, tool.name, shared)
    ids = [row.id for row, _ in rows]
    if again and set(ids) & {*journal.done_ids, *journal.pending_ids} and not dry_run:
        journal.start_over(ids)
    left = remaining_calls(calls, journal)
    before = len(set(ids) - {id for call in left for id in call.ids})
    if before:
        print_message(
            f"Skipped {before} of {len(rows)} rows that have already been sent. To send them again, add --again."
        )
    _check_quota(left, account.calls_left, yes)
    keeps_book = not (dry_run or tool.read_only)
    outcome = _send_calls(left, tool, lambda advance: ImportRun(client, tool, journal if keeps_book else None, advance))
    _report_result(outcome, file, path, before, dry_run, choose_format(as_json, None) == "json")
    if outcome.is_interrupted:
        settled = before + outcome.sent_count + len(outcome.failures)
        print_message(f"Stopped after {settled} of {_format_row_count(len(rows))}.")
        if keeps_book:
            open_end = (
                " The last call may have been processed. The next run will check this." if journal.pending_ids else ""
            )
            print_message(f"{RESUME_HINT}{open_end}")
        ctx.exit(INTERRUPTED_EXIT_CODE)
    if outcome.stop_error:
        if not dry_run and not outcome.is_refused:
            print_message(RESUME_HINT)
        raise outcome.stop_error
    if outcome.failures:
        ctx.exit(1)


command.params += [yes_option(), output_options()[0], verbose_option()]


class _SharedFlags(click.Command):
    """The flags of a tool for `svc import`: values shared by every row."""

    def __init__(self, tool: Tool, entries: EntrySchema | None) -> None:
        self.tool, self.entries = tool, entries
        flags = [flag for flag in flags_for(tool, entries) if flag.path not in (DRY_RUN, ("remove",), ("order",))]
        self.flags = flags
        super().__init__(name="import", params=list(flags), add_help_option=False)

    def parse_flags(self, ctx: click.Context, typed: list[str]) -> dict[str, Any]:
        """Return the arguments.

        Raise a usage error for fields of an entry, except those that also exist outside the list.
        """
        if not typed:
            return {}
        inner = self.make_context(" ".join(("import", *self.tool.name_parts)), typed, parent=ctx.parent)
        given = collect_arguments(self.tool, self.entries, inner, self.flags, [])
        if given.has_entry:
            raise click.UsageError(f"{given.format_entry_flags()}: set this in the rows of the file.", inner)
        return given.tool_arguments


def _find_tool(session: Session, typed: tuple[str, ...]) -> tuple[Tool, list[str]]:
    """Return the tool named by the words before the first flag, and the remaining flags."""
    end = next((place for place, text in enumerate(typed) if text.startswith("-")), len(typed))
    words = tuple(word for argument in typed[:end] for word in split_words(argument))
    tool = session.catalog.find_by_words(words)
    if tool is None:
        problem = session.fetch_catalog()
        tool = session.catalog.find_by_words(words)
        if tool is None and problem and not session.catalog.tools:
            raise NetworkError(problem)
    if tool is None:
        near = session.catalog.nearest_command(words)
        hint = f"Did you mean: svc import {near.removeprefix('svc ')}" if near else "All commands: svc tools"
        raise click.UsageError(f"No such command: svc {' '.join(typed[:end])}\n{hint}")
    return tool, list(typed[end:])


def _build_row_schema(tool: Tool, entries: EntrySchema | None, same: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a row: the tool's arguments, or an entry's fields and the others, without shared ones."""
    root = tool.input_schema
    beside = LIST_ARGUMENTS if entries else ("dry_run",)
    own = {name: leaf for name, leaf in (root.get("properties") or {}).items() if name not in beside}
    fields = {name: leaf for name, leaf in {**own, **(entries.fields if entries else {})}.items() if name not in same}
    required = [*(root.get("required") or []), *((entries.root.get("required") or []) if entries else [])]
    return {**root, "properties": fields, "required": [name for name in required if name in fields]}


def _format_valid_rows(count: int) -> str:
    return "1 row is valid" if count == 1 else f"{count} rows are valid"


def _format_row_count(count: int) -> str:
    return "1 row" if count == 1 else f"{count} rows"


def _check_quota(calls: list[ImportCall], calls_left: int | None, yes: bool) -> None:
    if calls_left is None or len(calls) <= calls_left:
        return
    rows = sum(len(call.rows) for call in calls)
    needed = "" if rows == len(calls) else f" in {len(calls)} calls"
    short = f"{rows} rows need to be sent{needed}, but only {calls_left} calls are left today."
    if calls_left > 0 and yes:
        print_message(f"{short} Sending as many as possible.")
        return
    if calls_left == 0 or not is_on_terminal():
        raise RateLimitedError(
            f"{short} Nothing was sent.\nAdd --yes to send as many as possible today, and the rest tomorrow."
        )
    if not click.confirm(f"{short} Send as many as possible now?", err=True):
        raise CliError("Nothing was sent.")


def _send_calls(
    calls: list[ImportCall], tool: Tool, sending: Callable[[Callable[[int], Any]], ImportRun]
) -> ImportResult:
    if sys.stderr is None or not sys.stderr.isatty():
        return sending(lambda rows: None).run(calls)
    length = sum(len(call.rows) for call in calls)
    with click.progressbar(length=length, label=tool.title, file=sys.stderr, show_pos=True) as bar:
        return sending(bar.update).run(calls)


def _report_result(outcome: ImportResult, file: CsvFile, path: str, before: int, dry_run: bool, as_json: bool) -> None:
    summary = [f"{outcome.sent_count} {'would be sent' if dry_run else 'sent'}", f"{len(outcome.failures)} failed"]
    if before:
        summary.append(f"{before} already sent")
    print_message(", ".join(summary) + (". Dry run: nothing was changed." if dry_run else "."))
    for line in outcome.messages[:MAX_PROBLEMS]:
        print_message(f"  {line}")
    for row, message in outcome.failures[:MAX_PROBLEMS]:
        print_message(f"  Row {row.number}: {message}")
    if outcome.failures and not dry_run:
        write_errors(file, outcome.failures, errors_path(path))
        print_message(f"The failed rows are in {errors_path(path)}. Correct them there and import that file.")
    if as_json or not stdout_is_terminal():
        counts = {"sent": outcome.sent_count, "failed": len(outcome.failures), "sent_before": before}
        write_stdout(format_json({**counts, "results": outcome.results}))
