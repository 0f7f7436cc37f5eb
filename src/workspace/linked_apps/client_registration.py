"""The OAuth client that this instance uses at an app's authorization server.

It is a configured client, the URL of our client ID metadata document, or a dynamically registered client (RFC 7591). It
is stored for all connections.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings

from workspace.linked_apps import messages
from workspace.linked_apps.config import Application
from workspace.linked_apps.discovery import AuthorizationServer
from workspace.linked_apps.http_json import LinkedAppError, OAuthClient, post_json
from workspace.linked_apps.models import CLIENT_SECRET_PURPOSE, NO_OWNER, Registration
from workspace.storage import encryption
from workspace.storage.database.transactions import write_transaction

CLIENT_DOCUMENT_PATH = "/oauth/linked-apps-client.json"
MAX_CREDENTIAL_LENGTH = 2000  # of a client's id or secret


def redirect_uri(app: Application) -> str:
    """Return the redirect URI of an app. Each app has its own, so that responses cannot be mixed up."""
    return f"{settings.BASE_URL}/app/linked-apps/{app.name}/callback"


def client_metadata(redirects: list[str]) -> dict[str, Any]:
    return {
        "client_name": f"Workspace Tools at {settings.BASE_URL.partition('://')[2]}",
        "client_uri": settings.BASE_URL,
        "redirect_uris": redirects,
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    }


def client_id_document() -> dict[str, Any]:
    """Return the metadata document whose URL is our client id."""
    return {
        "client_id": f"{settings.BASE_URL}{CLIENT_DOCUMENT_PATH}",
        **client_metadata([redirect_uri(app) for app in settings.FAMILY]),
    }


def get_or_register_client(app: Application, server: AuthorizationServer) -> OAuthClient:
    """Return this instance's client, and register it if needed. Call it outside of transactions.

    Raise LinkedAppError if that is not possible.
    """
    known = find_client(app, server.issuer)
    if known is not None:
        return known
    if server.accepts_client_documents and settings.SECURE and not settings.LOOPBACK:
        return OAuthClient(f"{settings.BASE_URL}{CLIENT_DOCUMENT_PATH}")
    if not server.register_url:
        raise LinkedAppError(messages.REGISTRATION_UNAVAILABLE(title=app.title, redirect_uri=redirect_uri(app)))
    status, document = post_json(app, server.register_url, client_metadata([redirect_uri(app)]))
    id, secret = document.get("client_id"), document.get("client_secret", "")
    if status not in (200, 201) or not _is_credential(id) or not (secret == "" or _is_credential(secret)):
        raise LinkedAppError(messages.REGISTRATION_FAILED(title=app.title, status=status))
    return _save_registration(app, server.issuer, OAuthClient(str(id), str(secret)))


def find_client(app: Application, issuer: str) -> OAuthClient | None:
    """Return the client if it exists, or None."""
    if app.client_id:
        return OAuthClient(app.client_id, app.client_secret)
    row = Registration.objects.filter(application=app.name, issuer=issuer, redirect_uri=redirect_uri(app)).first()
    if row is None:
        return None
    return OAuthClient(
        row.client_id,
        encryption.decrypt_secret(row.client_secret, NO_OWNER, CLIENT_SECRET_PURPOSE) if row.client_secret else "",
    )


def delete_registration(app: Application, issuer: str) -> None:
    """Delete the registration, because the server no longer accepts it.

    The next connection creates a new one.
    """
    with write_transaction():
        Registration.objects.filter(application=app.name, issuer=issuer).delete()


def _save_registration(app: Application, issuer: str, client: OAuthClient) -> OAuthClient:
    sealed = encryption.encrypt_secret(client.secret, NO_OWNER, CLIENT_SECRET_PURPOSE) if client.secret else ""
    row = Registration(
        application=app.name,
        issuer=issuer,
        redirect_uri=redirect_uri(app),
        client_id=client.id,
        client_secret=sealed,
    )
    with write_transaction():
        Registration.objects.bulk_create([row], ignore_conflicts=True)
    return find_client(app, issuer) or client  # if two register at the same time, both use the first one


def _is_credential(value: Any) -> bool:
    return (
        isinstance(value, str) and 0 < len(value) <= MAX_CREDENTIAL_LENGTH and value.isascii() and value.isprintable()
    )
