"""A validated authorization request: data for the consent page, and the redirects after approval or denial."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from oauth2_provider.exceptions import OAuthToolkitError
from oauth2_provider.oauth2_backends import get_oauthlib_core
from oauthlib.oauth2.rfc6749 import errors

from workspace.accounts.models import Account, OAuthClient
from workspace.accounts.models.oauth import READ, WRITE
from workspace.accounts.models.redirect_uri import is_loopback
from workspace.interfaces.oauth import protected_resource
from workspace.owner_translation import owner_gettext

MAX_QUERY_LENGTH = 8000

_CHALLENGE = re.compile(r"[A-Za-z0-9._~-]{43,128}")  # RFC 7636, 4.2


class ClientError(Exception):
    """The client or its redirect URI is invalid. The person sees the error, because redirecting would not be safe."""


class RedirectError(Exception):
    """The request is invalid in a way that is reported to the client."""

    def __init__(self, location: str) -> None:
        super().__init__(location)
        self.location = location


@dataclass(frozen=True, slots=True)
class AuthorizationRequest:
    """A validated authorization request."""

    client: OAuthClient
    redirect_uri: str
    state: str | None
    code_challenge: str
    scopes: tuple[str, ...]

    @property
    def requests_write(self) -> bool:
        """True if the client requests write access."""
        return WRITE in self.scopes

    @property
    def host(self) -> str:
        """The host that receives the code, shown prominently on the consent page."""
        parts = urlsplit(self.redirect_uri)
        return parts.hostname or f"{parts.scheme}:"

    @property
    def is_local(self) -> bool:
        """True if the redirect goes to this computer."""
        return is_loopback(self.redirect_uri)

    @property
    def is_native_app(self) -> bool:
        """True if the redirect uses an app's custom scheme."""
        return urlsplit(self.redirect_uri).scheme not in ("http", "https")

    @property
    def publisher(self) -> str:
        """The host that publishes the client's metadata, or "" for a client that registered itself."""
        return (urlsplit(self.client.client_id).hostname or "") if self.client.is_published else ""

    def denied_location(self) -> str:
        """Return the redirect that informs the client that access was denied."""
        return _redirect_location(self.redirect_uri, error="access_denied", state=self.state)

    def grant_access(self, request: HttpRequest, account: Account, *, write: bool) -> str:
        """Return the redirect with a code that grants access to the account.

        Raise RedirectError if the request is invalid.
        """
        scopes = [READ, WRITE] if write and self.requests_write else [READ]
        credentials: dict[str, Any] = {
            "client_id": self.client.client_id,
            "redirect_uri": self.redirect_uri,
            "response_type": "code",
            "state": self.state,
            "code_challenge": self.code_challenge,
            "code_challenge_method": "S256",
            "account": account,
        }
        try:
            location: str = get_oauthlib_core().create_authorization_response(request, scopes, credentials, True)[0]
        except OAuthToolkitError as error:
            raise RedirectError(
                _redirect_location(self.redirect_uri, error=error.oauthlib_error.error, state=self.state)
            ) from None
        return location


def parse_request(request: HttpRequest) -> AuthorizationRequest:
    """Parse the request in the query string. Raise ClientError or RedirectError if it is invalid."""
    query = request.META.get("QUERY_STRING", "")
    if len(query) > MAX_QUERY_LENGTH:
        raise ClientError(owner_gettext("The request is too long. Connect again from the app."))
    uri = f"{request.path}?{query}"
    try:
        scopes, found = get_oauthlib_core().server.validate_authorization_request(
            uri, headers=_request_headers(request)
        )
    except errors.FatalClientError as error:
        raise ClientError(_explain_error(error)) from None
    except errors.OAuth2Error as error:
        raise RedirectError(
            _redirect_location(
                error.redirect_uri, error=error.error, error_description=error.description, state=error.state
            )
        ) from None
    except ValueError:
        raise ClientError(owner_gettext("The request is invalid. Connect again from the app.")) from None
    redirect_uri, state = found["redirect_uri"], found["state"]

    def wrong(error: str, description: str) -> RedirectError:
        return RedirectError(_redirect_location(redirect_uri, error=error, error_description=description, state=state))

    if found.get("code_challenge_method") != "S256" or not _CHALLENGE.fullmatch(found["code_challenge"]):
        raise wrong("invalid_request", "PKCE with code_challenge_method=S256 is required")
    if not all(protected_resource.is_this_instance(named) for named in request.GET.getlist("resource")):
        raise wrong("invalid_target", f"resource must be {protected_resource.resource_identifier()}")
    client = found["request"].client
    return AuthorizationRequest(client, redirect_uri, state, found["code_challenge"], tuple(scopes))


def _request_headers(request: HttpRequest) -> dict[str, str]:
    """Return the headers that limits and logs need, without cookies and credentials."""
    return {
        "workspace.client_address": request.client_address,  # type: ignore[attr-defined]
        "REMOTE_ADDR": request.META.get("REMOTE_ADDR", ""),
    }


def _explain_error(error: errors.FatalClientError) -> str:
    if isinstance(error, errors.InvalidClientIdError | errors.MissingClientIdError):
        return owner_gettext("We don’t recognize this app. Remove the connection in the app and connect again.")
    if isinstance(error, errors.MismatchingRedirectURIError):
        return owner_gettext(
            "The app requested a redirect to an unregistered address. For your safety, do not continue."
        )
    return owner_gettext("The request from the app is incomplete. Connect again from the app.")


def _redirect_location(redirect_uri: str, **answer: str | None) -> str:
    parameters = {name: value for name, value in answer.items() if value} | {"iss": settings.BASE_URL}
    return f"{redirect_uri}{'&' if urlsplit(redirect_uri).query else '?'}{urlencode(parameters)}"


def redirect_response(location: str) -> HttpResponse:
    """Redirect to an already validated URI, regardless of its scheme."""
    return HttpResponse(status=302, headers={"Location": location, "Cache-Control": "no-store"})
