"""`svc import WORDS... [FLAGS] --csv FILE`: a file's rows, nothing sent before the whole file is checked."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import click

from svc.argument_builder import collect
from svc.bulk_import import Call, Outcome, Sending, calls_for, errors_path, name_rows, still_to_send, write_errors
from svc.catalog import Tool, words_of
from svc.commands.login import account_email
from svc.csv_file import CsvFile
from svc.errors import Failure, NetworkFailure, RateLimited
from svc.flags import DRY_RUN, DRY_RUN_HELP, flags_of
from svc.import_journal import Journal
from svc.list_items import BESIDE, Entries, entries_of
from svc.options import yes_option
from svc.output import chosen_format, json_text, output_options, say, stdout_is_terminal, write
from svc.session import Session, on_terminal, session_of, verbose_option
from svc.table_input import MOST_PROBLEMS, table
from svc.tool_command import confirm_destructive

INTERRUPTED = 130
GO_ON = "To go on where it stopped, run the same command again."


@click.command("import", context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="COMMAND... [FLAGS]")
@click.option(
    "--csv", "path", metavar="FILE|-", required=True, help="The table, CSV or a workbook; - for standard input."
)
@click.option("--dry-run", is_flag=True, help=DRY_RUN_HELP)
@click.option("--again", is_flag=True, help="Send rows once more that were already sent.")
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

    The first line names the flags; flags given here hold for every row. A tool that takes a list (its help shows
    --items) is sent up to 100 rows a call, every other one row a call.

    Before the first row is sent, all are checked against what the command asks for. The service judges the rest
    (whether an address may be used, your plan's limits); what it refuses lands in FILE.errors.csv. Running the same
    command again goes on where it stopped.
    """
    session = session_of(ctx)
    tool, typed = _tool(session, words)
    entries = entries_of(tool)
    same = _SharedFlags(tool, entries).read(ctx, typed)
    file, rows = table(path, _row_schema(tool, entries, same), entries.aliases if entries else None, tool.answers)
    rows = name_rows(rows)
    calls = calls_for(rows, same, entries)
    if not dry_run:
        confirm_destructive(tool, yes)
    elif "dry_run" not in (tool.input_schema.get("properties") or {}):
        say(f"{_rows(len(rows))} what the command asks for; nothing was sent, as it changes nothing.")
        return
    client = session.client()
    account = client.call("svc_me", {})
    identity = account_email(account.data) or session.key
    shared = json.dumps(same, sort_keys=True)
    journal = Journal(session.base_url, identity, tool.name, shared)
    ids = [row.id for row, _ in rows]
    if again and set(ids) & {*journal.done, *journal.under_way} and not dry_run:
        journal.start_over(ids)
    left = still_to_send(calls, journal)
    before = len(set(ids) - {id for call in left for id in call.ids})
    if before:
        say(f"{before} of {len(rows)} rows were sent before and are left alone (--again sends them again).")
    _mind_the_quota(left, account.calls_left, yes)
    keeps_book = not (dry_run or tool.read_only)
    outcome = _send(left, tool, lambda advance: Sending(client, tool, journal if keeps_book else None, advance))
    _report(outcome, file, path, before, dry_run, chosen_format(as_json, None) == "json")
    if outcome.interrupted:
        settled = before + outcome.sent + len(outcome.failures)
        say(f"Stopped: {settled} of {_counted(len(rows))} went.")
        if keeps_book:
            open_end = " The call under way may have arrived: that run settles it." if journal.under_way else ""
            say(f"{GO_ON}{open_end}")
        ctx.exit(INTERRUPTED)
    if outcome.stopped:
        if not dry_run and not outcome.refused:
            say(GO_ON)
        raise outcome.stopped
    if outcome.failures:
        ctx.exit(1)


command.params += [yes_option(), output_options()[0], verbose_option()]


class _SharedFlags(click.Command):
    """A tool's flags as `svc import` takes them beside the file: what holds for every row."""

    def __init__(self, tool: Tool, entries: Entries | None) -> None:
        self.tool, self.entries = tool, entries
        flags = [flag for flag in flags_of(tool, entries) if flag.path not in (DRY_RUN, ("remove",), ("order",))]
        self.flags = flags
        super().__init__(name="import", params=list(flags), add_help_option=False)

    def read(self, ctx: click.Context, typed: list[str]) -> dict[str, Any]:
        """The arguments; of a list's entries none but what stands beside the list, too. Raises a usage error."""
        if not typed:
            return {}
        inner = self.make_context(" ".join(("import", *self.tool.words)), typed, parent=ctx.parent)
        given = collect(self.tool, self.entries, inner, self.flags, [])
        if given.makes_entry:
            raise click.UsageError(f"{given.entry_flags()}: the rows of the file say that.", inner)
        return given.own


def _tool(session: Session, typed: tuple[str, ...]) -> tuple[Tool, list[str]]:
    """The tool that the words before the first flag name, and its flags."""
    end = next((place for place, text in enumerate(typed) if text.startswith("-")), len(typed))
    words = tuple(word for argument in typed[:end] for word in words_of(argument))
    tool = session.catalogue.at(words)
    if tool is None:
        problem = session.fetch_catalogue()
        tool = session.catalogue.at(words)
        if tool is None and problem and not session.catalogue.tools:
            raise NetworkFailure(problem)
    if tool is None:
        near = session.catalogue.nearest_command(words)
        hint = f"Did you mean: svc import {near.removeprefix('svc ')}" if near else "All commands: svc tools"
        raise click.UsageError(f"No such command: svc {' '.join(typed[:end])}\n{hint}")
    return tool, list(typed[end:])


def _row_schema(tool: Tool, entries: Entries | None, same: dict[str, Any]) -> dict[str, Any]:
    """What one row may hold: the tool's arguments, or an entry's fields beside them, without those that all share."""
    root = tool.input_schema
    beside = BESIDE if entries else ("dry_run",)
    own = {name: leaf for name, leaf in (root.get("properties") or {}).items() if name not in beside}
    fields = {name: leaf for name, leaf in {**own, **(entries.fields if entries else {})}.items() if name not in same}
    required = [*(root.get("required") or []), *((entries.root.get("required") or []) if entries else [])]
    return {**root, "properties": fields, "required": [name for name in required if name in fields]}


def _rows(count: int) -> str:
    return "1 row fits" if count == 1 else f"{count} rows fit"


def _counted(count: int) -> str:
    return "1 row" if count == 1 else f"{count} rows"


def _mind_the_quota(calls: list[Call], calls_left: int | None, yes: bool) -> None:
    if calls_left is None or len(calls) <= calls_left:
        return
    rows = sum(len(call.rows) for call in calls)
    needed = "" if rows == len(calls) else f" by {len(calls)} calls"
    short = f"{rows} rows are to be sent{needed}, but only {calls_left} calls are left today."
    if calls_left > 0 and yes:
        say(f"{short} Sending as many as fit.")
        return
    if calls_left == 0 or not on_terminal():
        raise RateLimited(f"{short} Nothing was sent.\nAdd --yes to send as many as fit; the rest can follow tomorrow.")
    if not click.confirm(f"{short} Send what fits now?", err=True):
        raise Failure("Nothing was sent.")


def _send(calls: list[Call], tool: Tool, sending: Callable[[Callable[[int], Any]], Sending]) -> Outcome:
    if sys.stderr is None or not sys.stderr.isatty():
        return sending(lambda rows: None).run(calls)
    length = sum(len(call.rows) for call in calls)
    with click.progressbar(length=length, label=tool.title, file=sys.stderr, show_pos=True) as bar:
        return sending(bar.update).run(calls)


def _report(outcome: Outcome, file: CsvFile, path: str, before: int, dry_run: bool, as_json: bool) -> None:
    summary = [f"{outcome.sent} {'would be sent' if dry_run else 'sent'}", f"{len(outcome.failures)} failed"]
    if before:
        summary.append(f"{before} sent before")
    say(", ".join(summary) + (". Dry run: nothing was changed." if dry_run else "."))
    for line in outcome.told[:MOST_PROBLEMS]:
        say(f"  {line}")
    for row, message in outcome.failures[:MOST_PROBLEMS]:
        say(f"  Row {row.number}: {message}")
    if outcome.failures and not dry_run:
        write_errors(file, outcome.failures, errors_path(path))
        say(f"The failed rows are in {errors_path(path)}. Mend them there and import that file.")
    if as_json or not stdout_is_terminal():
        counts = {"sent": outcome.sent, "failed": len(outcome.failures), "sent_before": before}
        write(json_text({**counts, "results": outcome.results}))
