"""Giving an account a key of a payment provider, and taking it away. A person does both; no tool does."""

from __future__ import annotations

import logging
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

from workspace.accounts.models import Account
from workspace.delivery import outbox
from workspace.lib import clock
from workspace.lib.errors import Refusal
from workspace.payments import circuit_breaker
from workspace.payments.checkout import KIND
from workspace.payments.models import Connection, Payment
from workspace.payments.models.connection import HOOK, KEY
from workspace.payments.models.payment import UNPAID
from workspace.payments.provider import KeyRefused, ProviderRefusal, ProviderTrouble
from workspace.payments.status_sync import follow
from workspace.payments.stripe import provider
from workspace.storage import encryption
from workspace.storage.database.transactions import writing

logger = logging.getLogger(__name__)

LONGEST_KEY = 300
AT_LOOPBACK = "This service is not on the internet under its own address, so no events can reach it"


class NotConnected(ValueError):
    """The text tells a person why, and what to do."""


def connect(account: Account, key: str, name: str = "stripe") -> Connection:
    """Take a key that works, and have the provider send its events here where it will. Never within a transaction.
    Raises NotConnected with what is wrong with the key."""
    maker, key = provider(name), key.strip()
    if not key or len(key) > LONGEST_KEY or not key.isascii() or not key.isprintable():
        raise NotConnected("This is no key: copy it from Stripe once more")
    try:
        found = maker.examine(key)
    except ProviderTrouble as trouble:
        raise NotConnected(trouble.message) from None
    before = Connection.objects.filter(account=account).exclude(key="").first()
    # a key that may not read its account may be another one's
    is_other = before is None or not found.account or (before.live, before.at_provider) != (found.live, found.account)
    if before is not None and is_other:
        _stop_listening(before)
    with writing():
        row = Connection.objects.filter(account=account).first()
        row = row or Connection(account=account, provider=name, live=found.live)
        row.provider, row.live, row.at_provider, row.name = name, found.live, found.account, found.name
        row.key, row.key_end = encryption.seal(key, account.pk, KEY), key[-4:]
        row.trouble, row.ending, row.connected_at = "", False, clock.now()
        if is_other:
            row.hook_id, row.hook_secret, row.heard_at, row.swept_at = "", "", None, clock.now()
        row.save()
    if not row.hook_secret:
        listen(row)
    return row


def listen(connection: Connection) -> bool:
    """Have events sent here. Where the provider will not, it says why, and the owner can set it up by hand; without
    them everything works as well, minutes later."""
    maker, key = provider(connection.provider), connection.secret_key
    _stop_listening(connection)
    if _is_inner(settings.BASE_URL):
        _note_hook(connection, "", "", AT_LOOPBACK)
        return False
    try:
        id, secret = maker.listen(key, connection.hook_url)
    except KeyRefused:
        _note_hook(connection, "", "", "The key is not allowed to set up webhooks")
    except ProviderTrouble as trouble:
        _note_hook(connection, "", "", trouble.message)
    else:
        _note_hook(connection, id, secret, "")
        return True
    return False


def _stop_listening(connection: Connection) -> None:
    """As far as it can be done: a webhook that is left behind is told nothing here."""
    if connection.hook_id:
        try:
            provider(connection.provider).unlisten(connection.secret_key, connection.hook_id)
        except (ProviderTrouble, Refusal):
            logger.warning("An earlier webhook of a connection could not be taken away")


def _is_inner(url: str) -> bool:
    """Whether no provider of the internet could reach it: but for tests, whose provider is here as well."""
    host = urlsplit(url).hostname or ""
    is_here = host in ("localhost", "127.0.0.1", "::1") or host.endswith((".local", ".localhost", ".internal"))
    return is_here and settings.STRIPE_URL.startswith("https://api.stripe.com")


def _note_hook(connection: Connection, id: str, secret: str, problem: str) -> None:
    connection.hook_id, connection.hook_problem = id, problem[:300].rstrip(".")
    connection.hook_secret = encryption.seal(secret, connection.account_id, HOOK) if secret else ""
    with writing():
        connection.save(update_fields=["hook_id", "hook_problem", "hook_secret"])


def take_secret(connection: Connection, secret: str) -> None:
    """The signing secret of an address that the owner has set up by hand. Raises NotConnected."""
    secret = secret.strip()
    if not secret.startswith("whsec_") or not 20 <= len(secret) <= LONGEST_KEY or not secret.isascii():
        raise NotConnected("A signing secret begins with whsec_: it stands beside the webhook at Stripe")
    _note_hook(connection, "", secret, "")


def disconnect(connection: Connection) -> None:
    """Nothing new is paid with it from now on; the worker ends what is open at the provider, and forgets the key."""
    with writing():
        connection.ending = True
        connection.save(update_fields=["ending"])
        ends = f"{KIND}:{connection.pk}:{clock.now().timestamp()}"
        outbox.put(KIND, {"connection": connection.pk}, account=connection.account, dedupe=ends)


def wind_down(connection_id: str, *, at_any_rate: bool = False) -> None:
    """End what is open, have no more events sent, forget the key. `at_any_rate` also where the provider does not help.
    Raises ProviderTrouble."""
    connection = Connection.objects.filter(pk=connection_id, ending=True).select_related("account").first()
    if connection is None or not connection.key:
        return
    try:
        _leave(connection)
    except KeyRefused:
        pass  # it opens nothing any more
    except ProviderTrouble:
        if not at_any_rate:
            raise
    with writing():
        same = Connection.objects.filter(pk=connection.pk, ending=True, key=connection.key)
        same.update(key="", key_end="", hook_id="", hook_secret="", hook_problem="", trouble="")


def _leave(connection: Connection) -> None:
    with writing():
        open_ones = connection.account.payments.filter(state__in=UNPAID, live=connection.live)
        ids = list(open_ones.values_list("pk", flat=True))
        open_ones.update(until=clock.now())
    for id in ids:
        follow(id)
    if connection.hook_id:
        hook = connection.hook_id
        try:
            circuit_breaker.at(connection, lambda maker, key: maker.unlisten(key, hook))
        except ProviderRefusal:
            logger.warning("The webhook of a connection that ended could not be taken away")


def leave_with(account: Account) -> None:
    """The account is being closed: what is open at its provider is ended behind that, by a row that is nobody's."""
    connection = Connection.objects.filter(account=account).exclude(key="").first()
    if connection is None:
        return
    open_ones = Payment.objects.filter(account=account, state__in=UNPAID, live=connection.live).exclude(session="")
    given = {"account": account.pk, "provider": connection.provider, "key": connection.key, "hook": connection.hook_id}
    outbox.put(KIND, {"closed": {**given, "sessions": list(open_ones.values_list("session", flat=True))}})


def end_closed(given: dict[str, Any]) -> None:
    """Raises ProviderTrouble."""
    maker, key = provider(given["provider"]), encryption.unseal(given["key"], given["account"], KEY)
    try:
        for session in given["sessions"]:
            maker.end(key, session)
        if given["hook"]:
            maker.unlisten(key, given["hook"])
    except KeyRefused:
        pass  # nobody pays with it any more


encryption.sealed_in(Connection, key=KEY, hook_secret=HOOK)
