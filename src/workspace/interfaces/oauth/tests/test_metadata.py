from __future__ import annotations

import pytest
from django.test import Client


@pytest.mark.parametrize("where", ["", "/mcp"])
def test_the_resource_names_its_server_and_scopes(where: str, settings) -> None:
    found = Client().get(f"/.well-known/oauth-protected-resource{where}").json()
    assert found["resource"] == f"{settings.BASE_URL}/mcp"
    assert found["authorization_servers"] == [settings.BASE_URL]
    assert found["scopes_supported"] == ["read", "write"]
    assert found["bearer_methods_supported"] == ["header"]


def test_the_server_offers_codes_with_s256_and_nothing_else(settings) -> None:
    found = Client().get("/.well-known/oauth-authorization-server").json()
    base = settings.BASE_URL
    assert found["issuer"] == base
    assert found["authorization_endpoint"] == f"{base}/oauth/authorize"
    assert found["token_endpoint"] == f"{base}/oauth/token"
    assert found["registration_endpoint"] == f"{base}/oauth/register"
    assert found["revocation_endpoint"] == f"{base}/oauth/revoke"
    assert found["response_types_supported"] == ["code"]
    assert found["grant_types_supported"] == ["authorization_code", "refresh_token"]
    assert found["code_challenge_methods_supported"] == ["S256"]
    assert "none" in found["token_endpoint_auth_methods_supported"]
    assert found["client_id_metadata_document_supported"] is True
    assert found["authorization_response_iss_parameter_supported"] is True
    assert "introspection_endpoint" not in found
