"""`svc import WORDS... --csv FILE`: one call a row, nothing sent before the whole file is checked."""

from __future__ import annotations

from pathlib import Path

import click

from svc.catalogue import Tool, words_of
from svc.client import Client
from svc.commands.login import account_email
from svc.csv_file import CsvFile, read_csv
from svc.csv_rows import Mapping
from svc.failures import BadFile, Failure, NetworkFailure, RateLimited
from svc.importing import Outcome, Work, errors_path, send, write_errors
from svc.journal import Journal
from svc.output import chosen_format, json_text, output_options, say, stdout_is_terminal, write
from svc.session import Session, on_terminal, session_of
from svc.tool_command import confirm_destructive, yes_option

MOST_PROBLEMS = 20
CHECKED = "required columns, types, lengths and ranges, choices, patterns, formats of dates"


@click.command("import")
@click.argument("words", nargs=-1, required=True)
@click.option("--csv", "path", metavar="FILE", required=True, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Check the file against what the command asks for, send nothing.")
@click.option("--again", is_flag=True, help="Send rows once more that were already sent.")
@click.pass_context
def command(
    ctx: click.Context,
    words: tuple[str, ...],
    path: Path,
    dry_run: bool,
    again: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Call a tool once for every row of a CSV file, for example: svc import qr create --csv codes.csv

    The first line names the flags. Before the first row is sent, all are checked against what the command
    asks for: required columns, types, lengths and ranges, choices, patterns, formats of dates. The service
    judges the rest row by row (whether an address may be used, your plan's limits); what it refuses lands
    in FILE.errors.csv. Running the same command again goes on where it stopped.
    """
    session = session_of(ctx)
    tool = _tool(session, words)
    file, work = _checked(path, tool)
    if dry_run:
        rows = "1 row fits" if len(work) == 1 else f"{len(work)} rows fit"
        say(
            f"{rows} what the command asks for; nothing was sent.\nChecked: {CHECKED}.\n"
            "The service may still refuse rows for what it alone can judge, such as whether an address may be used."
        )
        return
    confirm_destructive(tool, yes)
    client = session.client()
    account = client.call("svc_me", {})
    identity = account_email(account.data) or session.key
    journal = Journal(session.base_url, identity, tool.name, file.digest)
    if again and journal.done:
        journal.start_over()
    left = [(row, arguments) for row, arguments in work if row.number not in journal.done]
    if len(left) < len(work):
        before = len(work) - len(left)
        say(f"{before} of {len(work)} rows were sent before and are left alone (--again sends them again).")
    _mind_the_quota(len(left), account.calls_left, yes)
    outcome = _send_with_progress(client, tool, left, journal)
    _report(outcome, file, path, len(work) - len(left), chosen_format(as_json, None) == "json")
    if outcome.stopped:
        say("To go on where it stopped, run the same command again.")
        raise outcome.stopped
    if outcome.failures:
        ctx.exit(1)


command.params += [yes_option(), output_options()[0]]


def _tool(session: Session, typed: tuple[str, ...]) -> Tool:
    words = tuple(word for argument in typed for word in words_of(argument))
    tool = session.catalogue.at(words)
    if tool is None:
        problem = session.fetch_catalogue()
        tool = session.catalogue.at(words)
        if tool is None and problem and not session.catalogue.tools:
            raise NetworkFailure(problem)
    if tool is None:
        near = session.catalogue.nearest_command(words)
        hint = f"Did you mean: svc import {near.removeprefix('svc ')}" if near else "All commands: svc tools"
        raise click.UsageError(f"No such command: svc {' '.join(typed)}\n{hint}")
    return tool


def _checked(path: Path, tool: Tool) -> tuple[CsvFile, Work]:
    try:
        file = read_csv(path)
        mapping = Mapping(file, tool.input_schema)
    except OSError as problem:
        raise BadFile(f"Could not read {path}: {problem.strerror}.") from problem
    except ValueError as problem:
        raise BadFile(f"{path}: nothing was sent.\n{problem}") from problem
    if file.note:
        say(file.note)
    if not file.rows:
        raise BadFile(f"{path} has a header but no rows.")
    work, problems = [], []
    for row in file.rows:
        arguments, found = mapping.arguments(row)
        work.append((row, arguments))
        problems += [f"  Row {row.number}, {problem}" for problem in found]
    if problems:
        more = len(problems) - MOST_PROBLEMS
        shown = problems[:MOST_PROBLEMS] + ([f"  ... and {more} more"] if more > 0 else [])
        raise BadFile(f"{path}: nothing was sent, as some rows do not fit.\n" + "\n".join(shown))
    return file, work


def _mind_the_quota(rows: int, calls_left: int | None, yes: bool) -> None:
    if calls_left is None or rows <= calls_left:
        return
    short = f"{rows} rows are to be sent, but only {calls_left} calls are left today."
    if calls_left > 0 and yes:
        say(f"{short} Sending as many as fit.")
        return
    if calls_left == 0 or not on_terminal():
        raise RateLimited(f"{short} Nothing was sent.\nAdd --yes to send as many as fit; the rest can follow tomorrow.")
    if not click.confirm(f"{short} Send the first {calls_left} now?", err=True):
        raise Failure("Nothing was sent.")


def _send_with_progress(client: Client, tool: Tool, work: Work, journal: Journal) -> Outcome:
    import sys

    if sys.stderr is None or not sys.stderr.isatty():
        return send(client, tool, work, journal, lambda steps: None)
    with click.progressbar(length=len(work), label=tool.title, file=sys.stderr, show_pos=True) as bar:
        return send(client, tool, work, journal, bar.update)


def _report(outcome: Outcome, file: CsvFile, path: Path, done_before: int, as_json: bool) -> None:
    sent = len(outcome.results) - len(outcome.failures)
    summary = [f"{sent} sent", f"{len(outcome.failures)} failed"]
    if done_before:
        summary.append(f"{done_before} sent before")
    say(", ".join(summary) + ".")
    if outcome.failures:
        for row, message in outcome.failures[:MOST_PROBLEMS]:
            say(f"  Row {row.number}: {message}")
        write_errors(file, outcome.failures, errors_path(path))
        say(f"The failed rows are in {errors_path(path)}. Mend them there and import that file.")
    if as_json or not stdout_is_terminal():
        counts = {"sent": sent, "failed": len(outcome.failures), "sent_before": done_before}
        write(json_text({**counts, "results": outcome.results}))
