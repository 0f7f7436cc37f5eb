"""Routing of the API's paths.

They are answered before the parts that only pages need: sessions, form tokens, static files, sign-in.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial, reduce
from io import BytesIO

from django.conf import settings
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponse
from django.utils.module_loading import import_string

from workspace.interfaces.rest import upload_views, views
from workspace.interfaces.rest.responses import ApiReply, ApiRequest, run_view
from workspace.interfaces.server.asgi_types import Scope
from workspace.interfaces.server.error_responses import REQUEST_ID
from workspace.interfaces.server.request_reader import Body
from workspace.interfaces.server.wsgi_call import CompleteResponse, Headers
from workspace.lib.compression import accepts_gzip, gzip_body, should_compress

API_PREFIX = "/api/"
CALL_PATH = "/api/v1/call"
_DJANGO_VIEWS = {
    "/api/v1/tools": views.tools,
    "/api/v1/openapi.json": views.openapi,
    "/api/v1/upload": upload_views.upload,
}


def api_middleware(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Return a middleware that handles requests to the API directly and passes on all others."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(API_PREFIX):
            return get_response(request)
        if view := _DJANGO_VIEWS.get(request.path):
            return view(request)
        return _call_view(ApiRequest.from_django(request)).response

    return middleware


def _call_view(api_request: ApiRequest) -> ApiReply:
    return run_view(api_request, views.call_by_name if api_request.path == CALL_PATH else views.call_by_path)


def find_direct_handler(scope: Scope) -> Callable[[Body], CompleteResponse] | None:
    """Find the handler that answers a tool call in a thread, without Django (see `WsgiBridge`).

    The headers that the middleware adds to each response are determined once per host. Return None for other paths and
    for hosts that the middleware rejects.
    """
    path: str = scope["path"]
    if not path.startswith(API_PREFIX) or path in _DJANGO_VIEWS:
        return None
    # of several headers with one name the first is used
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in reversed(scope["headers"])}
    is_let_in, around = _probe_middleware(headers.get("host", ""), scope["scheme"])
    return partial(_handle_direct, scope, headers, around) if is_let_in else None


def _handle_direct(scope: Scope, headers: dict[str, str], around: Headers, body: Body) -> CompleteResponse:
    query, id = scope["query_string"].decode("latin-1"), scope["state"][REQUEST_ID]
    reply = _call_view(ApiRequest(scope["method"], scope["path"], query, headers, id, body.file.read))
    _compress_reply(reply, headers.get("accept-encoding", ""))
    own = [(name.lower().encode(), value.encode("latin-1")) for name, value in reply.headers.items()]
    length = (b"content-length", b"%d" % len(reply.body))
    return CompleteResponse(reply.status, [*around, *own, length], b"" if scope["method"] == "HEAD" else reply.body)


@lru_cache(64)
def _probe_middleware(host: str, scheme: str) -> tuple[bool, Headers]:
    """Return whether the middleware accepts a request to this host, and the headers that it adds to every response."""
    inside: list[HttpRequest] = []

    def record_request(request: HttpRequest) -> HttpResponse:
        inside.append(request)
        return HttpResponse(content_type="application/json")

    layers = [import_string(path) for path in settings.MIDDLEWARE]
    whole = reduce(lambda inner, layer: layer(inner), reversed(layers[: layers.index(api_middleware)]), record_request)
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": CALL_PATH, "HTTP_HOST": host, "wsgi.url_scheme": scheme}
    response = whole(WSGIRequest({**environ, "wsgi.input": BytesIO()}))
    lines = ((name.lower(), value) for name, value in response.items())
    return bool(inside), [(name.encode(), value.encode()) for name, value in lines if name not in _OWN_HEADERS]


_OWN_HEADERS = ("content-type", "x-request-id")


def _compress_reply(reply: ApiReply, accept_encoding: str) -> None:
    """Apply the middleware's changes to a response: Retry-After and compression."""
    if reply.status == 503:
        reply.headers.setdefault("Retry-After", "5")
    if should_compress(reply.headers["Content-Type"], len(reply.body)):
        reply.headers["Vary"] = "Accept-Encoding"
        if accepts_gzip(accept_encoding):
            reply.body = gzip_body(reply.body)
            reply.headers["Content-Encoding"] = "gzip"
