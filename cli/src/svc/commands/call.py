"""`svc call TOOL --json OBJECT`: any tool by its name."""

from __future__ import annotations

from typing import Any

import click

from svc.app_folders import text_of_stdin
from svc.flags import DRY_RUN_HELP
from svc.json_schema import json_from_text
from svc.options import idempotency_option, yes_option
from svc.output import chosen_format, output_options, print_result
from svc.session import session_of, verbose_option
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
    """Call any tool by its name. Here --json carries the arguments; --output chooses the format."""
    arguments = _arguments(given)
    session = session_of(ctx)
    known = session.catalogue.named(tool)
    problem = None
    if known is None:
        problem = session.fetch_catalogue()
        known = session.catalogue.named(tool)
    if known is None and not problem:
        near = session.catalogue.nearest_name(tool)
        raise click.UsageError(
            f"No such tool: {tool}\n" + (f"Did you mean: {near}" if near else "All tools: svc tools")
        )
    if dry_run:
        arguments["dry_run"] = True
    if known is not None and arguments.get("dry_run") is not True:
        confirm_destructive(known, yes)
    form = chosen_format(False, output_format)
    result = session.client().call(tool, arguments, idempotency_key)
    columns = known.columns if known is not None else ()
    print_result(result._replace(text=session.catalogue.in_commands(result.text)), form, columns)


command.params += [*output_options(json_flag=False), yes_option(), idempotency_option(), verbose_option()]


def _arguments(given: str) -> dict[str, Any]:
    if given in ("-", "@-"):
        given = text_of_stdin()
    try:
        given.encode()
        arguments: dict[str, Any] = json_from_text(given, {"object"})
    except ValueError as problem:
        reason = "is not valid UTF-8" if isinstance(problem, UnicodeError) else problem
        raise click.BadParameter(f"{reason}.", param_hint="--json") from None
    return arguments
