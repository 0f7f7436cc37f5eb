"""`svc logout`: deleting the stored key."""

from __future__ import annotations

import os

import click

from svc import profiles
from svc.output import print_message
from svc.session import get_session


@click.command("logout")
@click.option("--profile", metavar="NAME", help="Saved login to use (SVC_PROFILE).")
@click.pass_context
def command(ctx: click.Context, profile: str | None) -> None:
    """Delete the saved key from this computer."""
    name = profile or get_session(ctx).profile
    if profiles.delete_login(name):
        print_message(
            f"Logged out (profile {name}). The key still works until you revoke it under API keys in the dashboard."
        )
    else:
        print_message(f"Profile {name} was not logged in.")
    if os.environ.get("SVC_API_KEY"):
        print_message("SVC_API_KEY is still set and will be used.")
