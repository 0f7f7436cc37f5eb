"""Connecting and disconnecting an app. A signed-in person does this, never a tool.

The authorization code is accepted only from the browser that started the connection.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets as random
from collections.abc import Mapping
from typing import Any, TypedDict
from urllib.parse import urlencode, urlsplit, urlunsplit

from workspace.accounts.models import Account, Membership, Person
from workspace.delivery import outbox
from workspace.lib import clock
from workspace.linked_apps import client_registration, messages, tokens, tool_cache
from workspace.linked_apps.config import Application
from workspace.linked_apps.discovery import discover_server
from workspace.linked_apps.http_json import (
    AppUnreachableError,
    LinkedAppError,
    OAuthClient,
    find_application,
    post_form,
)
from workspace.linked_apps.models import (
    ACCESS_TOKEN_PURPOSE,
    CLIENT_SECRET_PURPOSE,
    NO_OWNER,
    REFRESH_TOKEN_PURPOSE,
    LinkedApp,
)
from workspace.storage import encryption
from workspace.storage.database.transactions import write_transaction
from workspace.storage.row_tasks import row_task

DELIVERY_KIND = "family.revoke"
LIFETIME_SECONDS = 900  # time for signing in at the app
REVOCATION_PURPOSE = "linked_apps.revocation"


class PendingConnection(TypedDict):
    """The data stored in a browser's session until the person returns."""

    state: str
    verifier: str
    account: str
    at: float
    issuer: str
    tells_issuer: bool
    token_url: str
    revocation_url: str
    resource: str
    client: str


def start_authorization(account: Account, app: Application) -> tuple[str, PendingConnection]:
    """Return the URL for the person's browser, and the data that its session must store.

    Call it outside of transactions. Raise LinkedAppError if the app cannot be connected.
    """
    server = discover_server(app)
    client = client_registration.get_or_register_client(app, server)
    state, verifier = random.token_urlsafe(32), random.token_urlsafe(48)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    parameters = {
        "response_type": "code",
        "client_id": client.id,
        "redirect_uri": client_registration.redirect_uri(app),
        "state": state,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
        "resource": server.resource,
        **({"scope": server.scope} if server.scope else {}),
    }
    parts = urlsplit(server.authorize_url)
    query = "&".join(part for part in (parts.query, urlencode(parameters)) if part)
    pending: PendingConnection = {
        "state": state,
        "verifier": verifier,
        "account": account.pk,
        "at": clock.now().timestamp(),
        "issuer": server.issuer,
        "tells_issuer": server.sends_issuer,
        "token_url": server.token_url,
        "revocation_url": server.revocation_url,
        "resource": server.resource,
        "client": client.id,
    }
    return urlunsplit(parts._replace(query=query)), pending


def finish_authorization(
    account: Account, person: Person, app: Application, pending: PendingConnection, answer: Mapping[str, str]
) -> LinkedApp:
    """Exchange the authorization code and store the grant. Call it outside of transactions.

    Raise LinkedAppError if the response is not valid.
    """
    if not hmac.compare_digest(pending["state"].encode(), answer.get("state", "").encode("utf-8", "replace")):
        raise LinkedAppError(messages.WRONG_STATE)
    if clock.now().timestamp() - pending["at"] > LIFETIME_SECONDS or pending["account"] != account.pk:
        raise LinkedAppError(messages.CONNECTION_EXPIRED)
    issuer = answer.get("iss")
    if issuer != pending["issuer"] if issuer is not None else pending["tells_issuer"]:
        raise LinkedAppError(messages.WRONG_ISSUER(title=app.title))
    if error := answer.get("error"):
        text = messages.ACCESS_DENIED if error == "access_denied" else messages.CONNECTION_REJECTED
        raise LinkedAppError(text(title=app.title), error[:60])
    client = _find_client(app, pending)
    values = _exchange_code(app, pending, client, answer.get("code", ""))
    grant = _save_grant(account, person, app, pending, client, values)
    tool_cache.refresh_tools(grant.pk)
    return grant


def _find_client(app: Application, pending: PendingConnection) -> OAuthClient:
    known = client_registration.find_client(app, pending["issuer"])
    return known if known is not None and known.id == pending["client"] else OAuthClient(pending["client"])


def _exchange_code(app: Application, pending: PendingConnection, client: OAuthClient, code: str) -> dict[str, Any]:
    if not code or len(code) > tokens.MAX_TOKEN_LENGTH:
        raise LinkedAppError(messages.CODE_NEEDED(title=app.title))
    fields = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": client_registration.redirect_uri(app),
        "code_verifier": pending["verifier"],
        "resource": pending["resource"],
    }
    status, data = post_form(app, pending["token_url"], client, fields)
    if status != 200:
        code = str(data.get("error", ""))[:60]
        if code == "invalid_client":
            client_registration.delete_registration(app, pending["issuer"])
        raise LinkedAppError(messages.CODE_REJECTED(title=app.title, status=status), code)
    return tokens.parse_token_response(data, app)


def _save_grant(
    account: Account,
    person: Person,
    app: Application,
    pending: PendingConnection,
    client: OAuthClient,
    values: dict[str, Any],
) -> LinkedApp:
    """Store the grant, and replace and revoke an earlier grant of the same person."""
    with write_transaction():
        for earlier in LinkedApp.objects.filter(account=account, person=person, application=app.name):
            _enqueue_revocation(earlier)
            earlier.delete()
        return LinkedApp.objects.create(
            account=account,
            person=person,
            application=app.name,
            issuer=pending["issuer"],
            resource=pending["resource"],
            token_url=pending["token_url"],
            revocation_url=pending["revocation_url"],
            client_id=client.id,
            client_secret=tokens.encrypt_client_secret(client),
            **tokens.encrypt_tokens(values, account.pk),
        )


def disconnect_app(grant: LinkedApp) -> None:
    """Delete the grant immediately, and revoke it at the app as soon as the app responds."""
    with write_transaction():
        _enqueue_revocation(grant)
        grant.delete()


def on_account_closed(account: Account) -> None:
    """Enqueue the revocation of the account's grants."""
    for grant in account.linked_apps.all():
        _enqueue_revocation(grant)


@row_task("linked_apps.purge_grants", lambda: LinkedApp.objects.values_list("pk", flat=True))
def disconnect_orphaned_grant(id: int) -> None:
    """Disconnect a grant if its person is no longer a member, or its app no longer configured."""
    if (grant := LinkedApp.objects.filter(pk=id).first()) is None:
        return
    is_member = Membership.objects.filter(account=grant.account_id, person=grant.person_id).exists()
    if not is_member or find_application(grant.application) is None:
        disconnect_app(grant)


def _enqueue_revocation(grant: LinkedApp) -> None:
    token = grant.refresh_token_encrypted or grant.access_token_encrypted
    if not grant.revocation_url or grant.last_error or find_application(grant.application) is None:
        return
    purpose = REFRESH_TOKEN_PURPOSE if grant.refresh_token_encrypted else ACCESS_TOKEN_PURPOSE
    kept = encryption.encrypt_secret(
        encryption.decrypt_secret(token, grant.account_id, purpose), NO_OWNER, REVOCATION_PURPOSE
    )
    # The delivery belongs to no account, so that it is sent even after the account is closed.
    given = {"application": grant.application, "url": grant.revocation_url, "client": grant.client_id}
    outbox.put(DELIVERY_KIND, {**given, "secret": grant.client_secret, "token": kept})


class RevocationChannel:
    """The outbox channel that revokes tokens."""

    delays = (60.0, 600.0, 3600.0, 6 * 3600.0)

    def send(self, delivery: Any) -> Any:
        from workspace.delivery.models import DeliveryState  # noqa: PLC0415 - only needed if an app is connected

        payload = delivery.payload
        app = find_application(payload["application"])
        if app is None:
            raise outbox.PermanentDeliveryError(str(messages.APP_NOT_CONFIGURED))
        secret = (
            encryption.decrypt_secret(payload["secret"], NO_OWNER, CLIENT_SECRET_PURPOSE) if payload["secret"] else ""
        )
        token = encryption.decrypt_secret(payload["token"], NO_OWNER, REVOCATION_PURPOSE)
        if not tokens.revoke_token(app, payload["url"], OAuthClient(payload["client"], secret), token):
            raise AppUnreachableError(messages.REVOCATION_FAILED(title=app.title))
        return DeliveryState.SENT

    def close(self) -> None:
        pass
