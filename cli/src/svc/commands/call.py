"""`svc call TOOL --json OBJECT`: calling any tool by its name."""

from __future__ import annotations

from typing import Any

import click

from svc.app_folders import read_stdin_text
from svc.flags import DRY_RUN_HELP
from svc.json_schema import parse_json
from svc.options import idempotency_option, yes_option
from svc.output import choose_format, output_options, print_result
from svc.session import get_session, verbose_option
from svc.tool_command import confirm_destructive


@click.command("call")
@click.argument("tool")
@click.option(
    "--json",
    "given",
    default="{}",
    metavar="OBJECT",
    help="The arguments: a JSON object, @FILE, or - for standard input.  [default: {}]",
)
@click.option("--dry-run", is_flag=True, help=DRY_RUN_HELP)
@click.pass_context
def command(
    ctx: click.Context,
    tool: str,
    given: str,
    output_format: str | None,
    yes: bool,
    idempotency_key: str | None,
    dry_run: bool,
) -> None:
    """Call any tool by name. Use --json to pass arguments and --output to set the format."""
    arguments = _parse_arguments(given)
    session = get_session(ctx)
    known = session.catalog.find_by_name(tool)
    problem = None
    if known is None:
        problem = session.fetch_catalog()
        known = session.catalog.find_by_name(tool)
    if known is None and not problem:
        near = session.catalog.nearest_name(tool)
        raise click.UsageError(
            f"No such tool: {tool}\n" + (f"Did you mean: {near}" if near else "All tools: svc tools")
        )
    if dry_run:
        arguments["dry_run"] = True
    if known is not None and arguments.get("dry_run") is not True:
        confirm_destructive(known, yes)
    form = choose_format(False, output_format)
    result = session.create_client().call_tool(tool, arguments, idempotency_key)
    columns = known.columns if known is not None else ()
    print_result(result._replace(text=session.catalog.replace_tool_names(result.text)), form, columns)


command.params += [*output_options(json_flag=False), yes_option(), idempotency_option(), verbose_option()]


def _parse_arguments(given: str) -> dict[str, Any]:
    if given in ("-", "@-"):
        given = read_stdin_text()
    try:
        given.encode()
        arguments: dict[str, Any] = parse_json(given, {"object"})
    except ValueError as problem:
        reason = "is not valid UTF-8" if isinstance(problem, UnicodeError) else problem
        raise click.BadParameter(f"{reason}.", param_hint="--json") from None
    return arguments
