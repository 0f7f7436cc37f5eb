from __future__ import annotations

from django.urls import include, path
from oauth2_provider.views import OAuthProtectedResourceMetadataView, OAuthServerMetadataView

from workspace.interfaces.oauth import connections, consent, registration, tokens

# The names and their namespace are the protocol library's: its metadata looks the endpoints up by them.
protocol = [
    path(
        ".well-known/oauth-authorization-server",
        OAuthServerMetadataView.as_view(),
        name="oauth-server-metadata",
    ),
    path(
        ".well-known/oauth-protected-resource",
        OAuthProtectedResourceMetadataView.as_view(),
        name="oauth-resource-metadata",
    ),
    path(".well-known/oauth-protected-resource/mcp", OAuthProtectedResourceMetadataView.as_view()),
    path("oauth/authorize", consent.authorize, name="authorize"),
    path("oauth/token", tokens.token, name="token"),
    path("oauth/revoke", tokens.revoke, name="revoke-token"),
    path("oauth/register", registration.register, name="dcr-register"),
]

# Where clients of the protocol of 2025-03-26 look when they find no metadata. Metadata names the ones above.
fallbacks = [
    path("authorize", consent.authorize),
    path("token", tokens.token),
    path("register", registration.register),
]

urlpatterns = [
    path("", include((protocol, "oauth2_provider"))),
    *fallbacks,
    path("app/connections", connections.show, name="connections"),
    path("app/connections/end", connections.end, name="connections-end"),
    path("app/connections/<str:id>", connections.one, name="connection"),
]
