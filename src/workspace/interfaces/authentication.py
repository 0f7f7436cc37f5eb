"""Authentication by a bearer credential, an API key or an OAuth access token. It is the same for REST and MCP."""

from __future__ import annotations

from django.conf import settings

from workspace.accounts import product_scope
from workspace.accounts.dispatch import Caller
from workspace.accounts.models import ApiKey, OAuthAccessToken
from workspace.accounts.models.api_key import PREFIX
from workspace.accounts.models.oauth import READ, WRITE
from workspace.accounts.permissions import PermissionScope
from workspace.interfaces.oauth import protected_resource
from workspace.lib.errors import UnauthorizedError

SCHEME = "bearer "
DAY_SECONDS = 86_400


def parse_bearer(header: str) -> str:
    """Return the credential of an Authorization header. Raise UnauthorizedError if there is none."""
    if header[: len(SCHEME)].lower() != SCHEME or not header[len(SCHEME) :].strip():
        raise UnauthorizedError(
            "Send an API key as `Authorization: Bearer <API_KEY>`. You make keys on the account page."
        )
    return header[len(SCHEME) :].strip()


def authenticate_key(secret: str, channel: str = "api") -> Caller:
    """Return the caller that an API key identifies.

    Raise UnauthorizedError, always with the same message, if the key is unknown, revoked or expired, or belongs to a
    banned account.
    """
    key = ApiKey.find_live(secret)
    if key is None:
        raise UnauthorizedError("This API key is not valid. Create a new one under API keys.")
    products = product_scope.parse_scope(key.products)
    reach = product_scope.limit_permissions(key.permission_scope, products)
    return Caller(
        account=key.account,
        can_write=not key.read_only,
        bucket=key.bucket,
        channel=channel,
        client=key.name,
        products=products,
        page=f"{settings.BASE_URL}/app/keys/{key.id}",
        permission_scope=reach,
        unlimited_scope=None if reach == key.permission_scope else key.permission_scope,
    )


def is_api_key(credential: str) -> bool:
    return credential.startswith(PREFIX)


def authenticate(header: str, channel: str = "api") -> Caller:
    """Return the caller that an Authorization header identifies, on the given channel.

    Raise UnauthorizedError if the credential is missing or invalid.
    """
    credential = parse_bearer(header)
    if is_api_key(credential):
        return authenticate_key(credential, channel)
    return authenticate_token(credential, channel)


def authenticate_token(token: str, channel: str = "api") -> Caller:
    """Return the caller that an access token identifies, for the account named in the consent.

    All tokens of a client share one quota. Raise UnauthorizedError if the token is unknown, expired, revoked or for
    another resource, or if its person or account has no access.
    """
    found = OAuthAccessToken.find_by_token(token, resource=protected_resource.resource_identifier())
    if found is None:
        raise UnauthorizedError(
            "This API key or access token is not valid. Create a new key under API keys, or connect again."
        )
    products = product_scope.parse_scope(found.chosen)
    role = PermissionScope.for_role(found.role, found.held)
    reach = product_scope.limit_permissions(role, products)
    return Caller(
        account=found.account,
        can_write=found.can_write,
        bucket=found.bucket,
        person=found.user,
        channel=channel,
        client=str(found.application),
        products=products,
        page=f"{settings.BASE_URL}/app/connections/{found.connection_id}",
        permission_scope=reach,
        unlimited_scope=None if reach == role else role,
    )


def build_header_challenge(header: str) -> str:
    """Return the challenge for an Authorization header.

    If there is no credential, the challenge names no error, only how to get a credential (RFC 6750, 3.1).
    """
    given = header[: len(SCHEME)].lower() == SCHEME and header[len(SCHEME) :].strip()
    return build_challenge("invalid_token" if given else "")


def rate_limit_headers(limit: int, remaining: int, resets_in: int) -> dict[str, str]:
    """Return the headers with the remaining daily quota (draft-ietf-httpapi-ratelimit-headers)."""
    return {
        "RateLimit-Policy": f'"daily";q={limit};w={DAY_SECONDS}',
        "RateLimit": f'"daily";r={remaining};t={resets_in}',
    }


def build_challenge(error: str = "") -> str:
    """Return the WWW-Authenticate header of a 401, or of a 403 with `insufficient_scope`.

    It says where to get a token, and which scopes to request.
    """
    parameters = {"error": error, "scope": f"{READ} {WRITE}", "resource_metadata": protected_resource.metadata_url()}
    return "Bearer " + ", ".join(f'{name}="{value}"' for name, value in parameters.items() if value)
