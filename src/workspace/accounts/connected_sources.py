"""Whether an account has connected something of its owner's from elsewhere: a calendar, contacts. What keeps that
stands above, and registers here:

    register("calendar", is_connected)
"""

from __future__ import annotations

from collections.abc import Callable

from workspace.accounts.models import Account

_checks: dict[str, Callable[[Account], bool]] = {}


def register_source(what: str, check: Callable[[Account], bool]) -> None:
    _checks[what] = check


def is_connected(account: Account, what: str) -> bool:
    """False for what nobody keeps."""
    check = _checks.get(what)
    return check is not None and check(account)
