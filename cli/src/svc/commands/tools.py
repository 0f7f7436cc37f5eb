"""`svc tools`: listing every command, grouped by product."""

from __future__ import annotations

from typing import Any

import click

from svc.catalog import Catalog
from svc.errors import NetworkError
from svc.output import format_json, print_message, write_stdout
from svc.session import get_session


@click.command("tools")
@click.option("--refresh", is_flag=True, help="Update the list of tools from the service first.")
@click.option("--json", "as_json", is_flag=True, help="Print the tools with their schemas as JSON.")
@click.pass_context
def command(ctx: click.Context, refresh: bool, as_json: bool) -> None:
    """List all commands, grouped by product."""
    session = get_session(ctx)
    if refresh or not session.catalog.tools:
        problem = session.fetch_catalog()
        if problem:
            raise NetworkError(problem)
        print_message(f"{len(session.catalog.tools)} tools at {session.base_url}")
    # People often filter the listing with grep, so only --json turns it into JSON.
    write_stdout(format_json(_tool_entries(session.catalog)) if as_json else _format_listing(session.catalog))


def _tool_entries(catalogue: Catalog) -> list[dict[str, Any]]:
    return [{"command": tool.command, **entry} for tool, entry in zip(catalogue.tools, catalogue.entries, strict=True)]


def _format_listing(catalogue: Catalog) -> str:
    groups: dict[str, list[tuple[str, str]]] = {}
    for tool in catalogue.tools:
        groups.setdefault(tool.product_title, []).append((tool.command, tool.title))
    size = max((len(tool.command) for tool in catalogue.tools), default=0)
    blocks = [
        "\n".join([title, *(f"  {name:<{size}}  {line}" for name, line in rows)]) for title, rows in groups.items()
    ]
    return "\n\n".join(blocks)
