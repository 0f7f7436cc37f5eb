"""`svc login`: authorizing this computer in the browser, or reading a key from standard input."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from svc import profiles
from svc.client import Client
from svc.connection import Connection
from svc.errors import NotAuthorizedError
from svc.output import print_message
from svc.session import get_session, normalize_base_url, normalize_key


@click.command("login")
@click.option("--with-token", is_flag=True, help="Read an API key from standard input instead of using the browser.")
@click.option("--base-url", metavar="URL", help="URL of the service (SVC_BASE_URL).")
@click.option("--profile", metavar="NAME", help="Profile name, if you have several logins (SVC_PROFILE).")
@click.option("--no-browser", is_flag=True, help="Only print the URL, so that you can open it on any device.")
@click.pass_context
def command(ctx: click.Context, with_token: bool, base_url: str | None, profile: str | None, no_browser: bool) -> None:
    """Connect this computer to your account and save the key."""
    session = get_session(ctx)
    if profile:
        session.profile = profile
    if base_url:
        session.base_url = normalize_base_url(base_url)
    _warn_if_unencrypted(session.base_url)
    if with_token:
        key = _key_from_stdin()
    else:
        from svc.device_login import pair_device

        key = normalize_key(pair_device(session.base_url, open_browser=not no_browser))
    # An invalid key is worse than none, so try the key before storing it.
    connection = Connection(session.base_url, key)
    try:
        account = Client(connection).call_tool("svc_me", {}).data
    finally:
        connection.close()
    login = profiles.save_login(session.profile, session.base_url, key)
    session.fetch_catalog()
    print_message(
        f"Logged in to {login.base_url}{_format_account(account)} (profile {session.profile}; key saved in "
        f"{login.place})."
    )
    if os.environ.get("SVC_API_KEY"):
        print_message("SVC_API_KEY is set and overrides the saved key.")


def find_account_email(data: Any) -> str:
    """Return the email in an answer of svc_me, or ""."""
    for place in (data, data.get("account") if isinstance(data, dict) else None):
        if isinstance(place, dict) and isinstance(place.get("email"), str):
            return str(place["email"])
    return ""


def _format_account(data: Any) -> str:
    email = find_account_email(data)
    return f" as {email}" if email else ""


def _key_from_stdin() -> str:
    if sys.stdin is not None and sys.stdin.isatty():
        text: str = click.prompt("API key", hide_input=True, err=True)
    else:
        text = sys.stdin.buffer.read(10_000).decode("utf-8-sig", "replace") if sys.stdin else ""
    if not text.strip():
        raise NotAuthorizedError("unauthorized", "Standard input contains no key.")
    return normalize_key(text)


def _warn_if_unencrypted(base_url: str) -> None:
    from urllib.parse import urlsplit

    parts = urlsplit(base_url)
    if parts.scheme == "http" and parts.hostname not in ("127.0.0.1", "::1", "localhost"):
        print_message(f"Note: {base_url} is not encrypted, so others on the network can read your key.")
