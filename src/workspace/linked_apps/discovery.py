"""Discovering an app's authorization server from its MCP URL.

The protected resource metadata (RFC 9728) names the authorization server, whose metadata (RFC 8414) names the
endpoints. Inconsistent metadata is rejected, because a server that impersonates another one would receive the code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from workspace.lib import strict_json
from workspace.linked_apps import messages
from workspace.linked_apps.config import Application
from workspace.linked_apps.http_json import LinkedAppError, fetch_document, send_request, validate_url

_CHALLENGE_PARAMETER = re.compile(r'(\w+)\s*=\s*(?:"([^"]*)"|([^\s,]+))')
_SCOPE_TOKEN = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]{1,100}")
MAX_SCOPES = 20
_INITIALIZE_REQUEST = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "workspace-tools", "version": "1"},
    },
}


@dataclass(frozen=True, slots=True)
class AuthorizationServer:
    """The metadata of an authorization server that we use.

    - `resource`: the resource for which tokens are requested.
    - `sends_issuer`: its responses contain the issuer (RFC 9207).
    - `accepts_client_documents`: a client id can be the URL of a metadata document.
    """

    resource: str
    scope: str
    issuer: str
    authorize_url: str
    token_url: str
    revocation_url: str
    register_url: str
    sends_issuer: bool
    accepts_client_documents: bool


def discover_server(app: Application) -> AuthorizationServer:
    """Return the authorization server of an app. Raise LinkedAppError if it cannot be used."""
    challenge = _fetch_challenge(app)
    described = _fetch_resource_metadata(app, challenge)
    resource = described.get("resource")
    if not _is_own_resource(app, resource):
        raise LinkedAppError(messages.OTHER_RESOURCE(title=app.title))
    servers = described.get("authorization_servers")
    if not isinstance(servers, list) or not servers:
        raise LinkedAppError(messages.SERVER_NEEDED(title=app.title))
    issuer = validate_url(app, servers[0], "issuer")
    metadata = _fetch_server_metadata(app, issuer)
    if "S256" not in _string_items(metadata.get("code_challenge_methods_supported")):
        raise LinkedAppError(messages.PKCE_NEEDED(title=app.title))
    return AuthorizationServer(
        resource=str(resource),
        scope=_clean_scope(challenge.get("scope") or " ".join(_string_items(described.get("scopes_supported")))),
        issuer=issuer,
        authorize_url=validate_url(app, metadata.get("authorization_endpoint"), "authorization_endpoint"),
        token_url=validate_url(app, metadata.get("token_endpoint"), "token_endpoint"),
        revocation_url=_optional_url(app, metadata, "revocation_endpoint"),
        register_url=_optional_url(app, metadata, "registration_endpoint"),
        sends_issuer=metadata.get("authorization_response_iss_parameter_supported") is True,
        accepts_client_documents=metadata.get("client_id_metadata_document_supported") is True,
    )


def _fetch_challenge(app: Application) -> dict[str, str]:
    """Return the parameters of the app's WWW-Authenticate header in a response to a request without a token."""
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    reply = send_request(app, "POST", app.mcp_url, strict_json.dumps(_INITIALIZE_REQUEST), headers)
    if reply.status >= 500:
        raise LinkedAppError(messages.APP_FAILED(title=app.title, status=reply.status))
    if reply.status != 401:
        raise LinkedAppError(messages.SIGN_IN_NEEDED(title=app.title, status=reply.status))
    found = _CHALLENGE_PARAMETER.findall(reply.headers.get("www-authenticate", "")[:4000])
    return {name.lower(): quoted or bare for name, quoted, bare in found}


def _fetch_resource_metadata(app: Application, challenge: dict[str, str]) -> dict[str, Any]:
    parts = urlsplit(app.mcp_url)
    root = f"{parts.scheme}://{parts.netloc}"
    known = f"{root}/.well-known/oauth-protected-resource"
    places = [f"{known}{parts.path.rstrip('/')}", known]
    if location := challenge.get("resource_metadata"):
        places.insert(0, validate_url(app, location, "resource_metadata"))
    for place in dict.fromkeys(places):
        found = fetch_document(app, place)
        if found is not None:
            return found
    raise LinkedAppError(messages.RESOURCE_METADATA_NEEDED(title=app.title))


def _fetch_server_metadata(app: Application, issuer: str) -> dict[str, Any]:
    parts = urlsplit(issuer)
    root, path = f"{parts.scheme}://{parts.netloc}", parts.path.rstrip("/")
    places = [
        f"{root}/.well-known/oauth-authorization-server{path}",
        f"{root}/.well-known/openid-configuration{path}",
        f"{root}{path}/.well-known/openid-configuration",
    ]
    for place in dict.fromkeys(places):
        found = fetch_document(app, place)
        if found is not None:
            if found.get("issuer") != issuer:
                raise LinkedAppError(messages.OTHER_ISSUER(title=app.title))
            return found
    raise LinkedAppError(messages.SERVER_METADATA_NEEDED(title=app.title))


def _is_own_resource(app: Application, resource: Any) -> bool:
    """Return whether the resource belongs to this app: it is the app's URL, or a parent path at the same origin."""
    if not isinstance(resource, str):
        return False
    own, claimed = urlsplit(app.mcp_url), urlsplit(resource)
    path, above = own.path.rstrip("/"), claimed.path.rstrip("/")
    same = (own.scheme, own.netloc) == (claimed.scheme, claimed.netloc.lower())
    return same and not claimed.fragment and (path == above or path.startswith(f"{above}/"))


def _optional_url(app: Application, metadata: dict[str, Any], name: str) -> str:
    return validate_url(app, metadata[name], name) if metadata.get(name) else ""


def _string_items(value: Any) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _clean_scope(text: str) -> str:
    return " ".join([one for one in text.split() if _SCOPE_TOKEN.fullmatch(one)][:MAX_SCOPES])
