"""The API's addresses. They are answered ahead of all that pages need and calls do not: sessions, forms' tokens, static
files, signing in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache, reduce
from http import HTTPStatus
from io import BytesIO
from typing import Any

from django.conf import settings
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponse
from django.utils.module_loading import import_string

from workspace.interfaces.http.asgi_types import Environ, WSGIApp
from workspace.interfaces.rest import upload, views
from workspace.interfaces.rest.replies import Asked, Reply, answer
from workspace.toolkit.compression import gzipped, pays, takes_gzip

BEGIN = "/api/"
CALL = "/api/v1/call"
_OTHERS = {
    "/api/v1/tools": views.tools,
    "/api/v1/openapi.json": views.openapi,
    "/api/v1/upload": upload.upload,
}


def api(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """The middleware at which a request to the API turns back."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(BEGIN):
            return get_response(request)
        if view := _OTHERS.get(request.path):
            return view(request)
        return _called(Asked.through(request)).response

    return middleware


def _called(asked: Asked) -> Reply:
    return answer(asked, views.call if asked.path == CALL else views.run)


def ahead_of(django: WSGIApp) -> WSGIApp:
    """A server's way in, by which a tool's call passes Django by. What the middleware puts around each answer is asked
    of it once for a host."""

    @lru_cache(64)
    def around(host: str, scheme: str) -> tuple[bool, list[tuple[str, str]]]:
        return _around(host, scheme)

    def wsgi(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if not path.startswith(BEGIN) or path in _OTHERS:
            return django(environ, start_response)
        is_let_in, headers = around(environ.get("HTTP_HOST", ""), environ["wsgi.url_scheme"])
        if not is_let_in:
            return django(environ, start_response)
        reply = _called(Asked(environ, environ["workspace.request_id"], environ["wsgi.input"].read))
        _finish(reply, environ.get("HTTP_ACCEPT_ENCODING", ""))
        start_response(f"{reply.status} {HTTPStatus(reply.status).phrase}", [*headers, *reply.headers.items()])
        return [reply.body]

    return wsgi


def _around(host: str, scheme: str) -> tuple[bool, list[tuple[str, str]]]:
    """Whether the middleware lets a request to such a host in, and the headers that it gives every answer."""
    inside: list[HttpRequest] = []

    def called(request: HttpRequest) -> HttpResponse:
        inside.append(request)
        return HttpResponse(content_type="application/json")

    outer = settings.MIDDLEWARE[: settings.MIDDLEWARE.index(f"{__name__}.api")]
    whole = reduce(lambda inner, path: import_string(path)(inner), reversed(outer), called)
    asked = {"REQUEST_METHOD": "GET", "PATH_INFO": CALL, "HTTP_HOST": host, "wsgi.url_scheme": scheme}
    response = whole(WSGIRequest({**asked, "wsgi.input": BytesIO()}))
    return bool(inside), [one for one in response.items() if one[0] not in ("Content-Type", "X-Request-Id")]


def _finish(reply: Reply, accept_encoding: str) -> None:
    """What the middleware does by the answer."""
    if reply.status == 503:
        reply.headers.setdefault("Retry-After", "5")
    if pays(reply.headers["Content-Type"], len(reply.body)):
        reply.headers["Vary"] = "Accept-Encoding"
        if takes_gzip(accept_encoding):
            reply.body = gzipped(reply.body)
            reply.headers["Content-Encoding"] = "gzip"
