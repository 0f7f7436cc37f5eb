"""Client ID metadata documents.

The URL comes from an unknown client, so it is fetched through the guarded HTTP client.
"""

from __future__ import annotations

from typing import Any

from oauth2_provider.cimd import CIMDError, _effective_max_age, _validate_client_id_url
from oauth2_provider.settings import oauth2_settings

from workspace.http_client.client import PUBLIC_GUARD, HttpError, fetch
from workspace.http_client.ssrf_guard import Guard
from workspace.lib import strict_json
from workspace.lib.errors import InvalidInputError


class ClientMetadataFetcher:
    """A fetcher for the protocol library, which validates the document."""

    guard: Guard = PUBLIC_GUARD

    def fetch(self, client_id: str) -> tuple[dict[str, Any], int]:
        """Return the document and its cache lifetime in seconds. Raise CIMDError if it cannot be fetched."""
        _validate_client_id_url(client_id)
        try:
            reply = fetch(
                "GET",
                client_id,
                headers={"Accept": "application/json, application/*+json"},
                seconds=oauth2_settings.CIMD_FETCH_TIMEOUT_SECONDS,
                max_bytes=oauth2_settings.CIMD_MAX_DOCUMENT_SIZE,
                guard=self.guard,
            )
        except HttpError as problem:
            raise CIMDError(str(problem)) from None
        kind = reply.headers.get("content-type", "").partition(";")[0].strip().lower()
        if reply.status != 200:
            raise CIMDError(f"the metadata document returned status {reply.status}")
        if kind != "application/json" and not (kind.startswith("application/") and kind.endswith("+json")):
            raise CIMDError("the metadata document is not served as JSON")
        try:
            document = strict_json.parse(reply.body)
            strict_json.check_storable(document)
        except InvalidInputError as problem:
            raise CIMDError(problem.message) from None
        if not isinstance(document, dict):
            raise CIMDError("the metadata document is not a JSON object")
        return document, _effective_max_age(reply.headers.get("cache-control"))
