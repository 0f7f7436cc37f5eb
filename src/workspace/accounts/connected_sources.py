"""Registry of external services that an account can connect, such as a calendar or an address book.

Packages above register a check:

    register_source("calendar", is_connected)
"""

from __future__ import annotations

from collections.abc import Callable

from workspace.accounts.models import Account

_checks: dict[str, Callable[[Account], bool]] = {}


def register_source(name: str, check: Callable[[Account], bool]) -> None:
    _checks[name] = check


def is_connected(account: Account, name: str) -> bool:
    """Return whether the account has connected the source. Return False for an unregistered source."""
    check = _checks.get(name)
    return check is not None and check(account)
