"""The context of a run: the service, the key and the catalog. Each is loaded when it is first needed."""

from __future__ import annotations

import contextlib
import os
import sys
from functools import cached_property
from typing import TYPE_CHECKING

import click

from svc.catalog import Catalog
from svc.catalog_cache import CatalogCache
from svc.errors import CliError, NotAuthorizedError

if TYPE_CHECKING:
    from svc.client import Client

DEFAULT_BASE_URL = "http://127.0.0.1:8000"
VERBOSE_HELP = "Print each request with its ID, as in the server logs."


class Session:
    """The settings of this run: from flags first, then the environment, then the stored profile."""

    def __init__(self, profile: str | None = None, verbose: bool = False) -> None:
        self.profile = profile or os.environ.get("SVC_PROFILE") or "default"
        self.verbose = verbose
        self._has_fetched = False

    @cached_property
    def base_url(self) -> str:
        from svc.profiles import base_url_for

        named = os.environ.get("SVC_BASE_URL")
        return normalize_base_url(named or base_url_for(self.profile) or DEFAULT_BASE_URL)

    @cached_property
    def key(self) -> str:
        """The API key. Raise NotAuthorizedError if there is none for this service."""
        named = os.environ.get("SVC_API_KEY", "").strip()
        if named:
            return normalize_key(named)
        from svc.profiles import load_login

        login = load_login(self.profile)
        if login is None:
            raise NotAuthorizedError("unauthorized", f"You are not logged in (profile {self.profile}). Run: svc login")
        if login.base_url != self.base_url:
            # A key must not be sent to a foreign service just because a variable contains it.
            raise NotAuthorizedError(
                "unauthorized",
                f"Profile {self.profile} is logged in at {login.base_url}, but SVC_BASE_URL is {self.base_url}.\nLog "
                "in there with another profile: svc login --profile NAME",
            )
        return login.key

    @cached_property
    def catalog_cache(self) -> CatalogCache:
        return CatalogCache(self.base_url)

    @cached_property
    def catalog(self) -> Catalog:
        return self.catalog_cache.load_catalog()

    def fetch_catalog(self) -> str | None:
        """Fetch the tools from the service, at most once per run, if a typed word is unknown.

        Return the error message, or None.
        """
        if self._has_fetched:
            return None
        self._has_fetched = True
        try:
            self.catalog = self.catalog_cache.fetch_catalog()
        except CliError as problem:
            return problem.message
        return None

    def create_client(self) -> Client:
        from svc.client import Client
        from svc.connection import Connection

        connection = Connection(self.base_url, self.key, on_response=self._print_status if self.verbose else None)
        return Client(connection, lambda text: self.catalog.replace_tool_names(text))

    def _print_status(self, line: str) -> None:
        click.echo(line, err=True)

    def finish(self) -> None:
        """Refresh an old catalog in the background, after the answer is printed."""
        if "catalog" in self.__dict__ and not self._has_fetched:
            with contextlib.suppress(OSError):
                self.catalog_cache.refresh_in_background()


def get_session(ctx: click.Context) -> Session:
    """Return the session of this run.

    It is created when first needed, because click resolves commands before groups run.
    """
    root = ctx.find_root()
    if not isinstance(root.obj, Session):
        session = root.obj = Session(root.params.get("profile"), bool(root.params.get("verbose")))
        root.call_on_close(session.finish)
    return root.obj


def verbose_option() -> click.Option:
    """Return the option `--verbose` for use after a command's words.

    Before them, it is an option of the root command.
    """

    def set_verbose(ctx: click.Context, param: click.Parameter, value: bool) -> None:
        if value and not ctx.resilient_parsing:
            get_session(ctx).verbose = True

    return click.Option(
        ["--verbose"],
        is_flag=True,
        expose_value=False,
        callback=set_verbose,
        help=VERBOSE_HELP,
    )


def normalize_base_url(text: str) -> str:
    """Return a base URL without its trailing slash. Raise a usage error unless it is http or https."""
    from urllib.parse import urlsplit

    text = text.strip().rstrip("/")
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        usable = False
    plain = all("!" <= character <= "~" for character in text)
    if not (usable and plain) or parts.query or parts.fragment or "@" in parts.netloc:
        raise click.UsageError(f"{text!r} is not a valid URL. Use a URL like https://tools.example.com")
    return text


def normalize_key(text: str) -> str:
    """Return a key that is safe to use in a header. Otherwise, raise NotAuthorizedError without repeating the key."""
    text = text.strip()
    if not text or not all("!" <= character <= "~" for character in text):
        raise NotAuthorizedError("unauthorized", "This is not an API key. A key contains no spaces.")
    return text


def is_on_terminal() -> bool:
    """Return whether someone is at the terminal to answer a question."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))
