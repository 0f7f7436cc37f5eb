"""The tokens of a grant: taken from an answer, renewed by one at a time, given back. A refresh token is good once; two
that renew at the same moment would end each other's grant, so one does and the others wait for what it brings."""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import Q, Value

from workspace.lib import clock
from workspace.linked_apps.client_registration import forget
from workspace.linked_apps.config import Application
from workspace.linked_apps.http_json import SECONDS, Client, Trouble, Unreachable, application, form
from workspace.linked_apps.models import ACCESS, CLIENT, LONGEST_PROBLEM, NOBODYS, REFRESH, Grant
from workspace.storage import encryption
from workspace.storage.database.transactions import writing

LONGEST = 16_000  # characters of a token
LEASE = timedelta(seconds=SECONDS + 5)  # after it one is taken to have been killed while it renewed
LOOK_EACH = 0.05
LONGEST_LIFE = 365 * 86_400


class Ended(Exception):
    """The grant holds no more: its person has to connect once more."""


def taken(told: dict[str, Any], app: Application) -> dict[str, Any]:
    """An answer of the token endpoint as a grant's values in the clear. Raises Trouble."""
    access, refresh, lasts = told.get("access_token"), told.get("refresh_token", ""), told.get("expires_in")
    if not _is_token(access) or not (refresh == "" or _is_token(refresh)):
        raise Trouble(f"{app.title} gave no token that can be used")
    if str(told.get("token_type", "")).lower() != "bearer":
        raise Trouble(f"{app.title} gave a token of another kind than bearer")
    ends = None
    if isinstance(lasts, int | float) and not isinstance(lasts, bool) and lasts > 0:
        ends = clock.now() + timedelta(seconds=min(lasts, LONGEST_LIFE))
    return {"access": access, "refresh": refresh, "ends_at": ends}


def sealed(values: dict[str, Any], account_id: str) -> dict[str, Any]:
    kept = {"access": encryption.seal(values["access"], account_id, ACCESS), "ends_at": values["ends_at"]}
    if values["refresh"]:
        kept["refresh"] = encryption.seal(values["refresh"], account_id, REFRESH)
    return kept


def fresh(grant_id: str, *, spent: str = "", seconds: float = SECONDS + 6) -> str:
    """An access token that holds; another one than `spent`, which was refused. Never within a transaction. Raises
    Ended, and Trouble where the other does not answer."""
    until = time.monotonic() + seconds
    while True:
        row = Grant.objects.filter(pk=grant_id).first()
        app = application(row.application) if row else None
        if row is None or app is None or row.trouble:
            raise Ended
        token = row.access_token
        if row.is_fresh and token != spent:
            return token
        if not row.refresh:
            _end(row, "Its access has ended")
        if mine := _claim(row):
            return _renewed(row, app, mine)
        if time.monotonic() > until:
            raise Unreachable(f"{app.title} is slow to renew the access")
        connection.close()  # not held while it is waited
        time.sleep(LOOK_EACH)


def _claim(row: Grant) -> datetime | None:
    """The end of our time for renewing it; None where somebody else does just now, or has."""
    now = clock.now()
    free = Q(renewing_until=None) | Q(renewing_until__lt=now)
    with writing():
        mine = Grant.objects.filter(free, pk=row.pk, refresh=row.refresh, access=row.access)
        return now + LEASE if mine.update(renewing_until=now + LEASE) else None


def _renewed(row: Grant, app: Application, mine: datetime) -> str:
    client = Client(row.client_id, row.own_secret())
    fields = {"grant_type": "refresh_token", "refresh_token": row.refresh_token, "resource": row.resource}
    connection.close()
    try:
        status, told = form(app, row.token_url, client, fields)
        if status != 200:
            _refused(row, app, status, told)
        values = taken(told, app)
    except Trouble:
        with writing():
            Grant.objects.filter(pk=row.pk, renewing_until=mine).update(renewing_until=None)
        raise
    with writing():
        held = Grant.objects.filter(pk=row.pk, renewing_until=mine)
        is_there = held.update(**sealed(values, row.account_id), renewing_until=None)
    if not is_there:  # disconnected meanwhile: what came is nobody's
        revoke(app, row.revocation_url, client, values["refresh"] or values["access"])
        raise Ended
    access: str = values["access"]
    return access


def _refused(row: Grant, app: Application, status: int, told: dict[str, Any]) -> None:
    code = str(told.get("error", ""))[:60]
    if code == "invalid_client":
        forget(app, row.issuer)
    if code in ("invalid_grant", "invalid_client", "unauthorized_client"):
        _end(row, f"{app.title} has ended the access")
    raise Trouble(f"{app.title} did not renew the access (it answered {status})", code)


def _end(row: Grant, why: str) -> None:
    """Raises Ended, always. What it held is forgotten."""
    with writing():
        same = Grant.objects.filter(pk=row.pk, access=row.access)
        same.update(trouble=why[:LONGEST_PROBLEM], refresh="", renewing_until=None)
    raise Ended


def end(grant_id: str, spent: str, why: str) -> None:
    """The other takes the token no more, a new one neither."""
    row = Grant.objects.filter(pk=grant_id).first()
    if row is not None and not row.trouble and row.access_token == spent:
        with writing():
            Grant.objects.filter(pk=grant_id, access=row.access).update(trouble=why[:LONGEST_PROBLEM], refresh="")


def revoke(app: Application, url: str, client: Client, token: str, *, seconds: float = SECONDS) -> bool:
    """Give a token back (RFC 7009), as far as the other takes it; whether it did, or never will."""
    if not url or not token:
        return True
    try:
        form(app, url, client, {"token": token}, seconds=seconds)
    except Trouble:
        return False
    return True


def sealed_secret(client: Client) -> str:
    return encryption.seal(client.secret, NOBODYS, CLIENT) if client.secret else ""


encryption.sealed_in(Grant, passes_over=True, access=ACCESS, refresh=REFRESH)
encryption.sealed_in(Grant, passes_over=True, of=Value(NOBODYS), client_secret=CLIENT)


def _is_token(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST and value.isascii() and value.isprintable()
