"""The API's addresses. They are answered ahead of all that pages need and calls do not: sessions, forms' tokens, static
files, signing in."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

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
