"""A guest whose requests go to the fast path first, as on the server, and otherwise to Django."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

import pytest
from django.http import HttpResponse
from django.test import Client

from workspace.testing.publications import build_fast_path, run_without_waiting


class Ahead(Client):
    """A client that tries the fast path first. `answered` counts the requests that the fast path has answered."""

    def __init__(self, patch: pytest.MonkeyPatch, **given: Any) -> None:
        super().__init__(**given)
        self.front = build_fast_path(patch)
        self.answered = 0

    def request(self, **environ: Any) -> Any:
        found = run_without_waiting(self._answer_directly(self._base_environ(**environ)))
        return super().request(**environ) if found is None else found

    async def _answer_directly(self, environ: dict[str, Any]) -> HttpResponse | None:
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        async def receive() -> Any:
            raise AssertionError("the fast path reads no body")

        named = {name[5:].lower().replace("_", "-"): value for name, value in environ.items() if name[:5] == "HTTP_"}
        headers = {"host": environ["SERVER_NAME"], **named}
        scope = {
            "type": "http",
            "method": environ["REQUEST_METHOD"],
            "path": unquote(environ["PATH_INFO"]),
            "query_string": environ.get("QUERY_STRING", "").encode(),
            "headers": [(name.encode(), str(value).encode("latin-1")) for name, value in headers.items()],
            "client": (environ["REMOTE_ADDR"], 1),
            "scheme": environ["wsgi.url_scheme"],
        }
        if not await self.front(scope, receive, send):
            return None
        self.answered += 1
        response = HttpResponse(sent[1]["body"], status=sent[0]["status"])
        del response["Content-Type"]
        for name, value in sent[0]["headers"]:
            response[name.decode()] = value.decode("latin-1")
        return response
