"""Under which name this installation asks for access: one that the operator was given, the address of a document about
itself (a client id metadata document), or one that the other gave it (RFC 7591), kept for all who connect."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from workspace.linked_apps.config import Application
from workspace.linked_apps.discovery import Server
from workspace.linked_apps.http_json import Client, Trouble, post
from workspace.linked_apps.models import CLIENT, NOBODYS, Registration
from workspace.storage import encryption
from workspace.storage.database.transactions import writing

DOCUMENT = "/oauth/family-client.json"
LONGEST = 2000  # characters of a client's id or secret


def redirect_uri(app: Application) -> str:
    """One for each application, so that no other's answer is taken for its own."""
    return f"{settings.BASE_URL}/app/applications/{app.name}/back"


def described(redirects: list[str]) -> dict[str, Any]:
    return {
        "client_name": f"Workspace Tools at {settings.BASE_URL.partition('://')[2]}",
        "client_uri": settings.BASE_URL,
        "redirect_uris": redirects,
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    }


def document() -> dict[str, Any]:
    """What stands at the address that is our name."""
    return {"client_id": f"{settings.BASE_URL}{DOCUMENT}", **described([redirect_uri(app) for app in settings.FAMILY])}


def client(app: Application, server: Server) -> Client:
    """Never within a transaction. Raises Trouble."""
    known = kept(app, server.issuer)
    if known is not None:
        return known
    if server.takes_documents and settings.SECURE and not settings.LOOPBACK:
        return Client(f"{settings.BASE_URL}{DOCUMENT}")
    if not server.register_url:
        raise Trouble(
            f"{app.title} lets nobody register: have its operator make a client for {redirect_uri(app)}, and name it "
            "as client_id in WORKSPACE_FAMILY"
        )
    status, told = post(app, server.register_url, described([redirect_uri(app)]))
    id, secret = told.get("client_id"), told.get("client_secret", "")
    if status not in (200, 201) or not _is_name(id) or not (secret == "" or _is_name(secret)):
        raise Trouble(f"{app.title} did not register this installation (it answered {status})")
    return _keep(app, server.issuer, Client(str(id), str(secret)))


def kept(app: Application, issuer: str) -> Client | None:
    """The name that stands already."""
    if app.client_id:
        return Client(app.client_id, app.client_secret)
    row = Registration.objects.filter(application=app.name, issuer=issuer, redirect_uri=redirect_uri(app)).first()
    if row is None:
        return None
    return Client(row.client_id, encryption.unseal(row.client_secret, NOBODYS, CLIENT) if row.client_secret else "")


def forget(app: Application, issuer: str) -> None:
    """The other knows us no more: who connects next registers anew."""
    with writing():
        Registration.objects.filter(application=app.name, issuer=issuer).delete()


def _keep(app: Application, issuer: str, made: Client) -> Client:
    sealed = encryption.seal(made.secret, NOBODYS, CLIENT) if made.secret else ""
    row = Registration(
        application=app.name,
        issuer=issuer,
        redirect_uri=redirect_uri(app),
        client_id=made.id,
        client_secret=sealed,
    )
    with writing():
        Registration.objects.bulk_create([row], ignore_conflicts=True)
    return kept(app, issuer) or made  # of two at once the first counts for both


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST and value.isascii() and value.isprintable()
