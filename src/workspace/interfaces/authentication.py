"""From a bearer credential to the caller: an API key, or an OAuth access token. One rule for REST and MCP."""

from __future__ import annotations

from django.conf import settings

from workspace.accounts import tool_scope
from workspace.accounts.dispatch import Caller
from workspace.accounts.models import ApiKey, OAuthAccessToken
from workspace.accounts.models.api_key import PREFIX
from workspace.accounts.models.oauth import READ, WRITE
from workspace.accounts.permissions import Reach
from workspace.interfaces.oauth import resource
from workspace.lib.errors import Unauthorized

SCHEME = "bearer "
DAY = 86_400


def bearer(header: str) -> str:
    """The credential of an Authorization header; raises Unauthorized when there is none."""
    if header[: len(SCHEME)].lower() != SCHEME or not header[len(SCHEME) :].strip():
        raise Unauthorized("Send an API key as `Authorization: Bearer <API_KEY>`. You make keys on the account page.")
    return header[len(SCHEME) :].strip()


def caller_of_key(secret: str, face: str = "api") -> Caller:
    """Raises Unauthorized for a key that is unknown, revoked, expired, or of a banned account: all told alike."""
    key = ApiKey.find(secret)
    if key is None:
        raise Unauthorized("This API key is not valid. Make a new one on the account page.")
    products = tool_scope.read(key.products)
    reach = tool_scope.limit(key.reach, products)
    return Caller(
        account=key.account,
        may_write=not key.read_only,
        bucket=key.bucket,
        face=face,
        client=key.name,
        products=products,
        page=f"{settings.BASE_URL}/app/keys/{key.id}",
        reach=reach,
        unlimited=None if reach == key.reach else key.reach,
    )


def is_key(credential: str) -> bool:
    return credential.startswith(PREFIX)


def caller_of(header: str, face: str = "api") -> Caller:
    """The caller of an Authorization header, who came through a face; raises Unauthorized."""
    credential = bearer(header)
    if is_key(credential):
        return caller_of_key(credential, face)
    return caller_of_token(credential, face)


def caller_of_token(token: str, face: str = "api") -> Caller:
    """The account that the consent named, in a bucket that all tokens of one client share. Raises Unauthorized for a
    token that is unknown, expired, revoked, for another resource, or of a person or account that may not go on."""
    found = OAuthAccessToken.find(token, resource=resource.identifier())
    if found is None:
        raise Unauthorized(
            "This API key or access token is not valid. Make a new key on the account page, or connect again."
        )
    products = tool_scope.read(found.chosen)
    role = Reach.of(found.role, found.held)
    reach = tool_scope.limit(role, products)
    return Caller(
        account=found.account,
        may_write=found.may_write,
        bucket=found.bucket,
        person=found.user,
        face=face,
        client=str(found.application),
        products=products,
        page=f"{settings.BASE_URL}/app/connections/{found.connection}",
        reach=reach,
        unlimited=None if reach == role else role,
    )


def challenge_to(header: str) -> str:
    """The challenge that answers an Authorization header: without a credential there is no error to name, only the way
    to get one (RFC 6750, 3.1)."""
    given = header[: len(SCHEME)].lower() == SCHEME and header[len(SCHEME) :].strip()
    return challenge("invalid_token" if given else "")


def limits(limit: int, left: int, resets_in: int) -> dict[str, str]:
    """The headers that tell what is left of the day (draft-ietf-httpapi-ratelimit-headers)."""
    return {"RateLimit-Policy": f'"daily";q={limit};w={DAY}', "RateLimit": f'"daily";r={left};t={resets_in}'}


def challenge(error: str = "") -> str:
    """The WWW-Authenticate header of a 401, or of a 403 with `insufficient_scope`: where to get a token, and which."""
    told = {"error": error, "scope": f"{READ} {WRITE}", "resource_metadata": resource.metadata_url()}
    return "Bearer " + ", ".join(f'{name}="{value}"' for name, value in told.items() if value)
