"""Dynamic client registration (RFC 7591): open to all, limited, and only for authorization codes with PKCE.

A registration cannot be managed (RFC 7592). A client that changes has to register again.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.http import HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt

from workspace.accounts.models import OAuthClient
from workspace.accounts.models.oauth import READ, WRITE
from workspace.interfaces.oauth.registration_limit import consume_registration
from workspace.lib import strict_json
from workspace.lib.errors import InvalidInputError
from workspace.storage.database.transactions import write_transaction

MAX_BODY_BYTES = 32 * 1024
AUTH_METHODS = ("none", "client_secret_post", "client_secret_basic")
GRANT_TYPES = ["authorization_code", "refresh_token"]
RESPONSE_TYPES = ["code"]


class _RegistrationError(Exception):
    def __init__(self, description: str, error: str = "invalid_client_metadata") -> None:
        super().__init__(description)
        self.error = error


@csrf_exempt
def register(request: HttpRequest) -> JsonResponse:
    if request.method != "POST":
        response = _error_response("invalid_request", "Register a client with POST", 405)
        response.headers["Allow"] = "POST"
        return response
    allowance = consume_registration(request.client_address)  # type: ignore[attr-defined]
    if not allowance:
        response = _error_response(
            "temporarily_unavailable", "Too many clients were registered today. Try again tomorrow", 429
        )
        response.headers["Retry-After"] = str(allowance.resets_in)
        return response
    try:
        wanted = _parse_metadata(request.body)
        client = _build_client(wanted)
        client.full_clean()
        secret = _hash_secret(client)
    except _RegistrationError as refused:
        return _error_response(refused.error, str(refused))
    except ValidationError as error:
        is_redirect = "redirect_uris" in error.message_dict
        return _error_response(
            "invalid_redirect_uri" if is_redirect else "invalid_client_metadata", " ".join(error.messages)
        )
    with write_transaction():
        client.save()
    return _prevent_caching(JsonResponse(_describe_client(client, secret, wanted), status=201))


def _parse_metadata(body: bytes) -> dict[str, Any]:
    if len(body) > MAX_BODY_BYTES:
        raise _RegistrationError(f"Client metadata can be at most {MAX_BODY_BYTES // 1024} kB")
    try:
        wanted = strict_json.parse(body)
        strict_json.check_storable(wanted)
    except InvalidInputError as error:
        raise _RegistrationError(error.message) from None
    if not isinstance(wanted, dict):
        raise _RegistrationError("Send client metadata as a JSON object")
    return wanted


def _build_client(metadata: dict[str, Any]) -> OAuthClient:
    uris = _get_texts(metadata, "redirect_uris", [])
    if not uris:
        raise _RegistrationError("Provide at least one redirect URI", "invalid_redirect_uri")
    if any(not uri or any(char.isspace() for char in uri) for uri in uris):
        raise _RegistrationError("A redirect URI must not contain whitespace", "invalid_redirect_uri")
    if "authorization_code" not in _get_texts(metadata, "grant_types", GRANT_TYPES):
        raise _RegistrationError("Only the grant types authorization_code and refresh_token are supported")
    if "code" not in _get_texts(metadata, "response_types", RESPONSE_TYPES):
        raise _RegistrationError("Only the response type code is supported")
    method = metadata.get("token_endpoint_auth_method", "client_secret_basic")
    if method not in AUTH_METHODS:
        raise _RegistrationError(f"token_endpoint_auth_method must be one of {', '.join(AUTH_METHODS)}")
    name = metadata.get("client_name") or ""
    if not isinstance(name, str):
        raise _RegistrationError("client_name must be a string")
    return OAuthClient(
        name=name.strip(),
        redirect_uris=" ".join(uris),
        client_type=OAuthClient.CLIENT_PUBLIC if method == "none" else OAuthClient.CLIENT_CONFIDENTIAL,
        authorization_grant_type=OAuthClient.GRANT_AUTHORIZATION_CODE,
        registration_source=OAuthClient.RegistrationSource.DCR,
    )


def _hash_secret(client: OAuthClient) -> str | None:
    """Return the secret of a client that needs one, and store only its hash in the client.

    Hashing is slow by design, so it is done before the write transaction.
    """
    if client.client_type == OAuthClient.CLIENT_PUBLIC:
        client.client_secret, client.hash_client_secret = "", False
        return None
    secret: str = client.client_secret
    client.client_secret = make_password(secret)
    return secret


def _get_texts(metadata: dict[str, Any], name: str, default: list[str]) -> list[str]:
    value = metadata.get(name)
    if value is None:
        return default
    if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
        raise _RegistrationError(f"{name} must be an array of strings")
    return value


def _describe_client(client: OAuthClient, secret: str | None, metadata: dict[str, Any]) -> dict[str, Any]:
    """Return the registered metadata, which may be a subset of the requested metadata."""
    described: dict[str, Any] = {
        "client_id": client.client_id,
        "client_id_issued_at": int(client.created.timestamp()),
        "client_name": client.name,
        "redirect_uris": client.redirect_uris.split(),
        "grant_types": GRANT_TYPES,
        "response_types": RESPONSE_TYPES,
        "token_endpoint_auth_method": metadata.get("token_endpoint_auth_method", "client_secret_basic"),
        "scope": f"{READ} {WRITE}",
    }
    if secret is not None:
        described |= {"client_secret": secret, "client_secret_expires_at": 0}
    return described


def _error_response(error: str, description: str, status: int = 400) -> JsonResponse:
    return _prevent_caching(JsonResponse({"error": error, "error_description": description}, status=status))


def _prevent_caching(response: JsonResponse) -> JsonResponse:
    response.headers["Cache-Control"] = "no-store"
    return response
