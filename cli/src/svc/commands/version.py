"""`svc version`: showing the version."""

from __future__ import annotations

import click

from svc import __version__


@click.command("version")
def command() -> None:
    """Show the version of this program."""
    click.echo(f"svc {__version__}")
