"""Registry of external sources that an account can connect, such as a calendar or contacts.

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
    """Return whether the account has connected the source. Return False if it is not registered."""
    check = _checks.get(name)
    return check is not None and check(account)
