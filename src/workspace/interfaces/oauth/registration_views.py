"""Dynamic client registration (RFC 7591): open to all, for codes with PKCE only, small and limited.

There is no management of a registration (RFC 7592): a client that changes registers anew.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.http import HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt

from workspace.accounts.models import OAuthClient
from workspace.accounts.models.oauth import READ, WRITE
from workspace.interfaces.oauth.registration_limit import take
from workspace.lib import strict_json
from workspace.lib.errors import InvalidInput
from workspace.storage.database.transactions import writing

MAX_BODY = 32 * 1024
METHODS = ("none", "client_secret_post", "client_secret_basic")
GRANTS = ["authorization_code", "refresh_token"]
RESPONSES = ["code"]


class _Refused(Exception):
    def __init__(self, description: str, error: str = "invalid_client_metadata") -> None:
        super().__init__(description)
        self.error = error


@csrf_exempt
def register(request: HttpRequest) -> JsonResponse:
    if request.method != "POST":
        response = _error("invalid_request", "Register a client with POST", 405)
        response.headers["Allow"] = "POST"
        return response
    allowance = take(request.client_address)  # type: ignore[attr-defined]
    if not allowance.granted:
        response = _error("temporarily_unavailable", "Too many clients registered today: try again tomorrow", 429)
        response.headers["Retry-After"] = str(allowance.resets_in)
        return response
    try:
        wanted = _metadata(request.body)
        client = _client(wanted)
        client.full_clean()
        secret = _keep_hash(client)
    except _Refused as refused:
        return _error(refused.error, str(refused))
    except ValidationError as error:
        is_redirect = "redirect_uris" in error.message_dict
        return _error("invalid_redirect_uri" if is_redirect else "invalid_client_metadata", " ".join(error.messages))
    with writing():
        client.save()
    return _stored(JsonResponse(_description(client, secret, wanted), status=201))


def _metadata(body: bytes) -> dict[str, Any]:
    if len(body) > MAX_BODY:
        raise _Refused(f"Client metadata holds at most {MAX_BODY // 1024} kB")
    try:
        wanted = strict_json.parse(body)
        strict_json.check(wanted)
    except InvalidInput as error:
        raise _Refused(error.message) from None
    if not isinstance(wanted, dict):
        raise _Refused("Send client metadata as a JSON object")
    return wanted


def _client(wanted: dict[str, Any]) -> OAuthClient:
    uris = _texts(wanted, "redirect_uris", [])
    if not uris:
        raise _Refused("Give at least one redirect URI", "invalid_redirect_uri")
    if any(not uri or any(char.isspace() for char in uri) for uri in uris):
        raise _Refused("A redirect URI holds no white space", "invalid_redirect_uri")
    if "authorization_code" not in _texts(wanted, "grant_types", GRANTS):
        raise _Refused("Only the grant types authorization_code and refresh_token are offered")
    if "code" not in _texts(wanted, "response_types", RESPONSES):
        raise _Refused("Only the response type code is offered")
    method = wanted.get("token_endpoint_auth_method", "client_secret_basic")
    if method not in METHODS:
        raise _Refused(f"token_endpoint_auth_method is one of {', '.join(METHODS)}")
    name = wanted.get("client_name") or ""
    if not isinstance(name, str):
        raise _Refused("client_name is a text")
    return OAuthClient(
        name=name.strip(),
        redirect_uris=" ".join(uris),
        client_type=OAuthClient.CLIENT_PUBLIC if method == "none" else OAuthClient.CLIENT_CONFIDENTIAL,
        authorization_grant_type=OAuthClient.GRANT_AUTHORIZATION_CODE,
        registration_source=OAuthClient.RegistrationSource.DCR,
    )


def _keep_hash(client: OAuthClient) -> str | None:
    """The secret of a client that gets one, which from here on is known by its hash. Hashing is slow on purpose, so it
    is done before the write transaction."""
    if client.client_type == OAuthClient.CLIENT_PUBLIC:
        client.client_secret, client.hash_client_secret = "", False
        return None
    secret: str = client.client_secret
    client.client_secret = make_password(secret)
    return secret


def _texts(wanted: dict[str, Any], name: str, default: list[str]) -> list[str]:
    value = wanted.get(name)
    if value is None:
        return default
    if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
        raise _Refused(f"{name} is an array of texts")
    return value


def _description(client: OAuthClient, secret: str | None, wanted: dict[str, Any]) -> dict[str, Any]:
    """What was registered, which may be less than what was asked for."""
    described: dict[str, Any] = {
        "client_id": client.client_id,
        "client_id_issued_at": int(client.created.timestamp()),
        "client_name": client.name,
        "redirect_uris": client.redirect_uris.split(),
        "grant_types": GRANTS,
        "response_types": RESPONSES,
        "token_endpoint_auth_method": wanted.get("token_endpoint_auth_method", "client_secret_basic"),
        "scope": f"{READ} {WRITE}",
    }
    if secret is not None:
        described |= {"client_secret": secret, "client_secret_expires_at": 0}
    return described


def _error(error: str, description: str, status: int = 400) -> JsonResponse:
    return _stored(JsonResponse({"error": error, "error_description": description}, status=status))


def _stored(response: JsonResponse) -> JsonResponse:
    response.headers["Cache-Control"] = "no-store"
    return response
