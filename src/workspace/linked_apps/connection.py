"""Connecting an application, and letting it go. A signed-in person does both; no tool does. The code comes back to the
browser that asked, and to nobody else."""

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
from workspace.linked_apps import client_registration, tokens, tool_cache
from workspace.linked_apps.config import Application
from workspace.linked_apps.discovery import discover
from workspace.linked_apps.http_json import Client, Trouble, Unreachable, application, form
from workspace.linked_apps.models import ACCESS, CLIENT, NOBODYS, REFRESH, Grant
from workspace.storage import encryption
from workspace.storage.database.transactions import writing
from workspace.storage.row_tasks import row_task

KIND = "family.revoke"
LASTS = 900  # seconds in which somebody signs in over there
GIVEN_BACK = "family.given_back"


class Pending(TypedDict):
    """What the browser's session remembers between going and coming back."""

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


def begin(account: Account, app: Application) -> tuple[str, Pending]:
    """Where to send the person's browser, and what its session is to remember. Never within a transaction. Raises
    Trouble."""
    server = discover(app)
    client = client_registration.client(app, server)
    state, verifier = random.token_urlsafe(32), random.token_urlsafe(48)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    asked = {
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
    query = "&".join(part for part in (parts.query, urlencode(asked)) if part)
    pending: Pending = {
        "state": state,
        "verifier": verifier,
        "account": account.pk,
        "at": clock.now().timestamp(),
        "issuer": server.issuer,
        "tells_issuer": server.tells_issuer,
        "token_url": server.token_url,
        "revocation_url": server.revocation_url,
        "resource": server.resource,
        "client": client.id,
    }
    return urlunsplit(parts._replace(query=query)), pending


def finish(account: Account, person: Person, app: Application, pending: Pending, answer: Mapping[str, str]) -> Grant:
    """Take what the person came back with. Never within a transaction. Raises Trouble."""
    if not hmac.compare_digest(pending["state"].encode(), answer.get("state", "").encode("utf-8", "replace")):
        raise Trouble("This answer belongs to no question of yours: connect once more")
    if clock.now().timestamp() - pending["at"] > LASTS or pending["account"] != account.pk:
        raise Trouble("That took too long, or you changed the account meanwhile: connect once more")
    told = answer.get("iss")
    if told != pending["issuer"] if told is not None else pending["tells_issuer"]:
        raise Trouble(f"The answer does not come from where {app.title} signs people in: nothing was taken")
    if error := answer.get("error"):
        said = "you did not allow it" if error == "access_denied" else "it was refused there"
        raise Trouble(f"{app.title} is not connected: {said}", error[:60])
    client = _client(app, pending)
    values = _exchanged(app, pending, client, answer.get("code", ""))
    grant = _kept(account, person, app, pending, client, values)
    tool_cache.look(grant.pk)
    return grant


def _client(app: Application, pending: Pending) -> Client:
    known = client_registration.kept(app, pending["issuer"])
    return known if known is not None and known.id == pending["client"] else Client(pending["client"])


def _exchanged(app: Application, pending: Pending, client: Client, code: str) -> dict[str, Any]:
    if not code or len(code) > tokens.LONGEST:
        raise Trouble(f"{app.title} sent no code: connect once more")
    fields = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": client_registration.redirect_uri(app),
        "code_verifier": pending["verifier"],
        "resource": pending["resource"],
    }
    status, told = form(app, pending["token_url"], client, fields)
    if status != 200:
        code = str(told.get("error", ""))[:60]
        if code == "invalid_client":
            client_registration.forget(app, pending["issuer"])
        raise Trouble(f"{app.title} gave no access for the code (it answered {status}): connect once more", code)
    return tokens.taken(told, app)


def _kept(
    account: Account, person: Person, app: Application, pending: Pending, client: Client, values: dict[str, Any]
) -> Grant:
    """In place of an earlier grant of the same person, which is given back."""
    with writing():
        for earlier in Grant.objects.filter(account=account, person=person, application=app.name):
            _give_back(earlier)
            earlier.delete()
        return Grant.objects.create(
            account=account,
            person=person,
            application=app.name,
            issuer=pending["issuer"],
            resource=pending["resource"],
            token_url=pending["token_url"],
            revocation_url=pending["revocation_url"],
            client_id=client.id,
            client_secret=tokens.sealed_secret(client),
            **tokens.sealed(values, account.pk),
        )


def disconnect(grant: Grant) -> None:
    """At once here; there as soon as it answers."""
    with writing():
        _give_back(grant)
        grant.delete()


def leave_with(account: Account) -> None:
    """The account is being closed."""
    for grant in account.family_grants.all():
        _give_back(grant)


@row_task("linked_apps.purge_grants", lambda: Grant.objects.values_list("pk", flat=True))
def sweep(id: int) -> None:
    """Disconnect a grant of who is no member any more, or of an application that is not configured any more."""
    if (grant := Grant.objects.filter(pk=id).first()) is None:
        return
    is_member = Membership.objects.filter(account=grant.account_id, person=grant.person_id).exists()
    if not is_member or application(grant.application) is None:
        disconnect(grant)


def _give_back(grant: Grant) -> None:
    token = grant.refresh or grant.access
    if not grant.revocation_url or grant.trouble or application(grant.application) is None:
        return
    purpose = REFRESH if grant.refresh else ACCESS
    kept = encryption.seal(encryption.unseal(token, grant.account_id, purpose), NOBODYS, GIVEN_BACK)
    # the row is nobody's, so that it goes on when the account is closed
    given = {"application": grant.application, "url": grant.revocation_url, "client": grant.client_id}
    outbox.put(KIND, {**given, "secret": grant.client_secret, "token": kept})


class GivingBack:
    """The outbox's channel for tokens that are given back."""

    delays = (60.0, 600.0, 3600.0, 6 * 3600.0)

    def send(self, delivery: Any) -> Any:
        from workspace.delivery.models import State  # noqa: PLC0415 - only where something is connected

        told = delivery.payload
        app = application(told["application"])
        if app is None:
            raise outbox.Refused("The application is not configured any more")
        secret = encryption.unseal(told["secret"], NOBODYS, CLIENT) if told["secret"] else ""
        token = encryption.unseal(told["token"], NOBODYS, GIVEN_BACK)
        if not tokens.revoke(app, told["url"], Client(told["client"], secret), token):
            raise Unreachable(f"{app.title} did not take the access back")
        return State.SENT

    def close(self) -> None:
        pass
