"""The API's addresses. They are answered ahead of all that pages need and calls do not: sessions, forms' tokens, static
files, signing in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

from django.conf import settings
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponse
from django.utils.module_loading import import_string

from workspace.interfaces.http.asgi_types import Environ, WSGIApp
from workspace.interfaces.rest import upload, views

BEGIN = "/api/"
# what is none of these is a tool's
_VIEWS = {
    "/api/v1/tools": views.tools,
    "/api/v1/openapi.json": views.openapi,
    "/api/v1/call": views.call,
    "/api/v1/upload": upload.upload,
}


def api(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """The middleware at which a call of the API turns back."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(BEGIN):
            return get_response(request)
        return _VIEWS.get(request.path, views.run)(request)

    return middleware


def ahead_of(django: WSGIApp) -> WSGIApp:
    """A server's way in. A call goes through the middleware down to `api`, and nothing else: what Django does around
    each request (signals, a net for exceptions around each middleware) is a sixth of a call's cost, and none needs it.
    """
    down_to_api = settings.MIDDLEWARE[: settings.MIDDLEWARE.index(f"{__name__}.api") + 1]
    answer = reduce(lambda inner, path: import_string(path)(inner), reversed(down_to_api), _nothing)

    def wsgi(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        if not environ["PATH_INFO"].startswith(BEGIN):
            return django(environ, start_response)
        request = WSGIRequest(environ)
        try:
            response: HttpResponse = answer(request)
        finally:
            request.close()  # files that were sent
        start_response(f"{response.status_code} {response.reason_phrase}", list(response.items()))
        return [response.content]

    return wsgi


def _nothing(request: HttpRequest) -> HttpResponse:
    raise AssertionError("what begins as the API does turns back at it")
