"""Taking a whole account out of service, at the operator's word, and putting it back. Nothing is deleted: its people,
keys and agents are refused (`Account.banned_at`), and its public pages are not available."""

from __future__ import annotations

from collections.abc import Callable

from django.db.models import F

from workspace.accounts.models import Account
from workspace.storage.database import writing
from workspace.toolkit import clock

# before the operator's words, so that pages which were banned for themselves stay so
WHOLE = "account: "


Teller = Callable[[Account], None]
_tellers: list[Teller] = []
_returners: list[Teller] = []


def on_suspend(teller: Teller) -> Teller:
    """Run `teller` within the write that takes an account out of service. Registering twice runs it once."""
    if teller not in _tellers:
        _tellers.append(teller)
    return teller


def on_return(teller: Teller) -> Teller:
    """Run `teller` within the write that puts an account back: in service again, or kept after all. Registering twice
    runs it once."""
    if teller not in _returners:
        _returners.append(teller)
    return teller


def tell_of_return(account: Account) -> None:
    """Guests who were told that it goes, once nothing keeps it away any more; within the write."""
    if account.banned_at is None and account.closes_at is None:
        for teller in _returners:
            teller(account)


def tell(account: Account) -> None:
    """Guests who must know, within the write."""
    for teller in _tellers:
        teller(account)


def suspend(account: Account, reason: str) -> int:
    """How many pages went along; what was out of service already keeps its reason."""
    now = clock.now()
    with writing():
        locked = account.lock()
        if locked.banned_at is None:
            tell(locked)
        locked.banned_at = locked.banned_at or now
        locked.save(update_fields=["banned_at"])
        pages = locked.publications.filter(banned_at=None, deleted_at=None)
        return pages.update(banned_at=now, ban_reason=f"{WHOLE}{reason}"[:200], version=F("version") + 1)


def resume(account: Account) -> int:
    """How many pages came back with it."""
    with writing():
        locked = account.lock()
        was_away, locked.banned_at = locked.banned_at is not None, None
        locked.save(update_fields=["banned_at"])
        if was_away:
            tell_of_return(locked)
        pages = locked.publications.filter(ban_reason__startswith=WHOLE)
        return pages.update(banned_at=None, ban_reason="", version=F("version") + 1)
