"""`svc logout`: forget the stored key."""

from __future__ import annotations

import os

import click

from svc import profiles
from svc.output import say
from svc.session import session_of


@click.command("logout")
@click.option("--profile", metavar="NAME", help="Which stored login (SVC_PROFILE).")
@click.pass_context
def command(ctx: click.Context, profile: str | None) -> None:
    """Forget the stored key on this computer."""
    name = profile or session_of(ctx).profile
    if profiles.forget(name):
        say(f"Logged out (profile {name}). The key itself still works until you revoke it on your account page.")
    else:
        say(f"Profile {name} was not logged in.")
    if os.environ.get("SVC_API_KEY"):
        say("SVC_API_KEY is still set and goes on being used.")
