"""`svc tools`: every command, grouped by product."""

from __future__ import annotations

from typing import Any

import click

from svc.catalog import Catalogue
from svc.errors import NetworkFailure
from svc.output import json_text, say, write
from svc.session import session_of


@click.command("tools")
@click.option("--refresh", is_flag=True, help="Ask the service for its newest tools first.")
@click.option("--json", "as_json", is_flag=True, help="Print the tools with their schemas as JSON.")
@click.pass_context
def command(ctx: click.Context, refresh: bool, as_json: bool) -> None:
    """List every command, grouped by product."""
    session = session_of(ctx)
    if refresh or not session.catalogue.tools:
        problem = session.fetch_catalogue()
        if problem:
            raise NetworkFailure(problem)
        say(f"{len(session.catalogue.tools)} tools at {session.base_url}")
    # A listing is read with grep as often as by eye, so only --json turns it into JSON.
    write(json_text(_entries(session.catalogue)) if as_json else _listing(session.catalogue))


def _entries(catalogue: Catalogue) -> list[dict[str, Any]]:
    return [{"command": tool.command, **entry} for tool, entry in zip(catalogue.tools, catalogue.entries, strict=True)]


def _listing(catalogue: Catalogue) -> str:
    groups: dict[str, list[tuple[str, str]]] = {}
    for tool in catalogue.tools:
        groups.setdefault(tool.product_title, []).append((tool.command, tool.title))
    size = max((len(tool.command) for tool in catalogue.tools), default=0)
    blocks = [
        "\n".join([title, *(f"  {name:<{size}}  {line}" for name, line in rows)]) for title, rows in groups.items()
    ]
    return "\n\n".join(blocks)
