"""URLs of the OAuth endpoints and their metadata."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import include, path

from workspace.interfaces.oauth import connection_views, consent_views, registration_views, token_views


def _metadata_view(name: str) -> Callable[[HttpRequest], HttpResponse]:
    """Return a view of the protocol library, imported on first use.

    It imports an HTTP client of 4 MB that only OAuth clients need.
    """

    def view(request: HttpRequest) -> HttpResponse:
        from oauth2_provider import views  # noqa: PLC0415 - its views need the models

        response: HttpResponse = getattr(views, name).as_view()(request)
        return response

    return view


# The names and the namespace are the protocol library's: its metadata looks up the endpoints by them.
protocol = [
    path(
        ".well-known/oauth-authorization-server",
        _metadata_view("OAuthServerMetadataView"),
        name="oauth-server-metadata",
    ),
    path(
        ".well-known/oauth-protected-resource",
        _metadata_view("OAuthProtectedResourceMetadataView"),
        name="oauth-resource-metadata",
    ),
    path(".well-known/oauth-protected-resource/mcp", _metadata_view("OAuthProtectedResourceMetadataView")),
    path("oauth/authorize", consent_views.authorize, name="authorize"),
    path("oauth/token", token_views.token, name="token"),
    path("oauth/revoke", token_views.revoke, name="revoke-token"),
    path("oauth/register", registration_views.register, name="dcr-register"),
]

# Clients of the protocol version 2025-03-26 look here if they find no metadata. The metadata names the paths above.
fallbacks = [
    path("authorize", consent_views.authorize),
    path("token", token_views.token),
    path("register", registration_views.register),
]

urlpatterns = [
    path("", include((protocol, "oauth2_provider"))),
    *fallbacks,
    path("app/connections", connection_views.connections, name="connections"),
    path("app/connections/end", connection_views.disconnect, name="connections-end"),
    path("app/connections/<str:id>", connection_views.edit, name="connection"),
]
