"""Taking a whole account out of service, at the operator's word, and putting it back. Nothing is deleted: its people,
keys and agents are refused (`Account.banned_at`), and its public pages are not available."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.db.models import F

from workspace.accounts.models import Account
from workspace.delivery import outbox
from workspace.delivery.models import Delivery, State
from workspace.lib import clock
from workspace.storage.database.transactions import writing

# before the operator's words, so that pages which were banned for themselves stay so
WHOLE = "account: "


KIND = "account.notify"  # the outbox's: guests are notified once the write is committed, and never stop it
LEFT, BACK = "left", "back"

Teller = Callable[[Account, str], None]  # its second argument is a key: nobody is told twice under one
_tellers: dict[str, list[Teller]] = {LEFT: [], BACK: []}


def on_suspend(teller: Teller) -> Teller:
    """Run `teller(account, key)` after an account was taken out of service. Registering twice runs it once. One that
    raises is called again with the same key."""
    return _register(teller, LEFT)


def on_return(teller: Teller) -> Teller:
    """The same after an account was put back: in service again, or kept after all."""
    return _register(teller, BACK)


def _register(teller: Teller, what: str) -> Teller:
    if teller not in _tellers[what]:
        _tellers[what].append(teller)
    return teller


def tell_of_return(account: Account) -> None:
    """Have guests who were told that it goes notified, once nothing keeps it away any more; in the caller's write."""
    if account.banned_at is None and account.closes_at is None:
        _put(account, BACK)


def tell(account: Account) -> None:
    """Have guests who must know notified, in the caller's write and before the account is changed. Of a closing that
    began, or of an account that is out of service, they know."""
    if account.banned_at is None and account.closes_at is None:
        _put(account, LEFT)


def _put(account: Account, what: str) -> None:
    # the row is nobody's: what an account still has to send does not leave while it is suspended
    outbox.put(KIND, {"account": account.pk, "what": what})


class Notifications:
    """The outbox's way for them."""

    delays: Sequence[float] = (60.0, 600.0, 3600.0)

    def send(self, delivery: Delivery) -> State:
        given = delivery.payload or {}
        account = Account.objects.filter(pk=given.get("account")).first()
        failed: list[Exception] = []
        if account is None:
            return State.SENT
        for teller in _tellers[given["what"]]:
            try:
                teller(account, delivery.pk)
            except Exception as problem:  # the others are told all the same
                failed.append(problem)
        if failed:
            raise failed[0]
        return State.SENT

    def close(self) -> None:
        """Nothing is kept open."""


def suspend(account: Account, reason: str) -> int:
    """How many pages went along; what was out of service already keeps its reason."""
    now = clock.now()
    with writing():
        locked = account.lock()
        tell(locked)
        if locked.banned_at is None:
            locked.banned_at, locked.ban_reason = now, reason[:200]
            locked.save(update_fields=["banned_at", "ban_reason"])
        pages = locked.publications.filter(banned_at=None, deleted_at=None)
        return pages.update(banned_at=now, ban_reason=f"{WHOLE}{reason}"[:200], version=F("version") + 1)


def resume(account: Account) -> int:
    """How many pages came back with it."""
    with writing():
        locked = account.lock()
        was_away, locked.banned_at, locked.ban_reason = locked.banned_at is not None, None, ""
        locked.save(update_fields=["banned_at", "ban_reason"])
        if was_away:
            tell_of_return(locked)
        pages = locked.publications.filter(ban_reason__startswith=WHOLE)
        return pages.update(banned_at=None, ban_reason="", version=F("version") + 1)
