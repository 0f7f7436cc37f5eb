"""Tokens of grants: parsing, renewal and revocation.

A refresh token can be used only once. Two concurrent renewals would end the grant, so one caller renews it and the
others wait for the result.
"""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import Q, Value

from workspace.lib import clock
from workspace.linked_apps import messages
from workspace.linked_apps.client_registration import delete_registration
from workspace.linked_apps.config import Application
from workspace.linked_apps.http_json import (
    TIMEOUT_SECONDS,
    AppUnreachableError,
    LinkedAppError,
    OAuthClient,
    find_application,
    post_form,
)
from workspace.linked_apps.models import (
    ACCESS_TOKEN_PURPOSE,
    CLIENT_SECRET_PURPOSE,
    MAX_PROBLEM_LENGTH,
    NO_OWNER,
    REFRESH_TOKEN_PURPOSE,
    LinkedApp,
)
from workspace.storage import encryption
from workspace.storage.database.transactions import write_transaction

MAX_TOKEN_LENGTH = 16_000
RENEWAL_LEASE = timedelta(seconds=TIMEOUT_SECONDS + 5)  # after this, the renewing process is considered dead
POLL_SECONDS = 0.05
MAX_LIFETIME_SECONDS = 365 * 86_400


class GrantExpiredError(Exception):
    """The grant is no longer valid. Its person must connect the app again."""


def parse_token_response(data: dict[str, Any], app: Application) -> dict[str, Any]:
    """Return the values of a token response, unencrypted. Raise LinkedAppError if it is not valid."""
    access, refresh, lasts = data.get("access_token"), data.get("refresh_token", ""), data.get("expires_in")
    if not _is_token(access) or not (refresh == "" or _is_token(refresh)):
        raise LinkedAppError(messages.INVALID_TOKEN(title=app.title))
    if str(data.get("token_type", "")).lower() != "bearer":
        raise LinkedAppError(messages.BEARER_NEEDED(title=app.title))
    ends = None
    if isinstance(lasts, int | float) and not isinstance(lasts, bool) and lasts > 0:
        ends = clock.now() + timedelta(seconds=min(lasts, MAX_LIFETIME_SECONDS))
    return {"access": access, "refresh": refresh, "ends_at": ends}


def encrypt_tokens(values: dict[str, Any], account_id: str) -> dict[str, Any]:
    kept = {
        "access_token_encrypted": encryption.encrypt_secret(values["access"], account_id, ACCESS_TOKEN_PURPOSE),
        "expires_at": values["ends_at"],
    }
    if values["refresh"]:
        kept["refresh_token_encrypted"] = encryption.encrypt_secret(
            values["refresh"], account_id, REFRESH_TOKEN_PURPOSE
        )
    return kept


def get_access_token(grant_id: str, *, rejected_token: str = "", seconds: float = TIMEOUT_SECONDS + 6) -> str:
    """Return a valid access token other than `rejected_token`, which the app rejected.

    Call it outside of transactions. Raise GrantExpiredError if the grant is no longer valid, and LinkedAppError if the
    app does not respond.
    """
    until = time.monotonic() + seconds
    while True:
        row = LinkedApp.objects.filter(pk=grant_id).first()
        app = find_application(row.application) if row else None
        if row is None or app is None or row.last_error:
            raise GrantExpiredError
        token = row.access_token
        if row.is_fresh and token != rejected_token:
            return token
        if not row.refresh_token_encrypted:
            _invalidate_and_raise(row, str(messages.ACCESS_REVOKED(title=app.title)))
        if mine := _claim_renewal(row):
            return _renew_token(row, app, mine)
        if time.monotonic() > until:
            raise AppUnreachableError(messages.RENEWAL_SLOW)
        connection.close()  # do not occupy a database connection while waiting
        time.sleep(POLL_SECONDS)


def _claim_renewal(row: LinkedApp) -> datetime | None:
    """Claim the renewal. Return the end of its lease, or None if another caller renews or has renewed the token."""
    now = clock.now()
    free = Q(refresh_lease_until=None) | Q(refresh_lease_until__lt=now)
    with write_transaction():
        mine = LinkedApp.objects.filter(
            free,
            pk=row.pk,
            refresh_token_encrypted=row.refresh_token_encrypted,
            access_token_encrypted=row.access_token_encrypted,
        )
        return now + RENEWAL_LEASE if mine.update(refresh_lease_until=now + RENEWAL_LEASE) else None


def _renew_token(row: LinkedApp, app: Application, mine: datetime) -> str:
    client = OAuthClient(row.client_id, row.decrypt_client_secret())
    fields = {"grant_type": "refresh_token", "refresh_token": row.refresh_token, "resource": row.resource}
    connection.close()
    try:
        status, data = post_form(app, row.token_url, client, fields)
        if status != 200:
            _raise_renewal_error(row, app, status, data)
        values = parse_token_response(data, app)
    except LinkedAppError:
        with write_transaction():
            LinkedApp.objects.filter(pk=row.pk, refresh_lease_until=mine).update(refresh_lease_until=None)
        raise
    with write_transaction():
        held = LinkedApp.objects.filter(pk=row.pk, refresh_lease_until=mine)
        is_there = held.update(**encrypt_tokens(values, row.account_id), refresh_lease_until=None)
    if not is_there:  # disconnected in the meantime, so the tokens belong to no grant
        revoke_token(app, row.revocation_url, client, values["refresh"] or values["access"])
        raise GrantExpiredError
    access: str = values["access"]
    return access


def _raise_renewal_error(row: LinkedApp, app: Application, status: int, data: dict[str, Any]) -> None:
    code = str(data.get("error", ""))[:60]
    if code == "invalid_client":
        delete_registration(app, row.issuer)
    if code in ("invalid_grant", "invalid_client", "unauthorized_client"):
        _invalidate_and_raise(row, str(messages.ACCESS_REVOKED(title=app.title)))
    raise LinkedAppError(messages.RENEWAL_FAILED(title=app.title, status=status), code)


def _invalidate_and_raise(row: LinkedApp, reason: str) -> None:
    """Invalidate the grant and delete its refresh token. Then raise GrantExpiredError."""
    with write_transaction():
        same = LinkedApp.objects.filter(pk=row.pk, access_token_encrypted=row.access_token_encrypted)
        same.update(last_error=reason[:MAX_PROBLEM_LENGTH], refresh_token_encrypted="", refresh_lease_until=None)
    raise GrantExpiredError


def invalidate_grant(grant_id: str, rejected_token: str, reason: str) -> None:
    """Invalidate a grant if the app rejects even its renewed token."""
    row = LinkedApp.objects.filter(pk=grant_id).first()
    if row is not None and not row.last_error and row.access_token == rejected_token:
        with write_transaction():
            LinkedApp.objects.filter(pk=grant_id, access_token_encrypted=row.access_token_encrypted).update(
                last_error=reason[:MAX_PROBLEM_LENGTH], refresh_token_encrypted=""
            )


def revoke_token(
    app: Application, url: str, client: OAuthClient, token: str, *, seconds: float = TIMEOUT_SECONDS
) -> bool:
    """Revoke a token (RFC 7009) if the app supports it. Return False if the revocation must be retried."""
    if not url or not token:
        return True
    try:
        post_form(app, url, client, {"token": token}, seconds=seconds)
    except LinkedAppError:
        return False
    return True


def encrypt_client_secret(client: OAuthClient) -> str:
    return encryption.encrypt_secret(client.secret, NO_OWNER, CLIENT_SECRET_PURPOSE) if client.secret else ""


encryption.register_encrypted_columns(
    LinkedApp,
    skip_undecryptable=True,
    access_token_encrypted=ACCESS_TOKEN_PURPOSE,
    refresh_token_encrypted=REFRESH_TOKEN_PURPOSE,
)
encryption.register_encrypted_columns(
    LinkedApp, skip_undecryptable=True, owner_lookup=Value(NO_OWNER), client_secret=CLIENT_SECRET_PURPOSE
)


def _is_token(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= MAX_TOKEN_LENGTH and value.isascii() and value.isprintable()
