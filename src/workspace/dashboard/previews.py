"""Previews of guest pages for their owner, even of paused pages, and with unsaved changes.

The service requests the page from itself as a guest's browser would, so that the preview is identical. No visit is
counted, and no one else can frame or store it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO
from typing import Any, TypeVar
from urllib.parse import urlencode, urlsplit

from django.contrib.auth.models import AnonymousUser
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpResponse
from django.urls import resolve
from django.utils import timezone

from workspace.accounts.dispatch import execute_tool
from workspace.dashboard.form_images import with_pending_images
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest
from workspace.lib.content_security_policy import style_sources
from workspace.lib.errors import InvalidInputError, Issue, ToolError
from workspace.public_site.guest_page import mark_preview
from workspace.publishing.items import Item
from workspace.publishing.models import PublishedItem
from workspace.storage.database.transactions import dry_run_transaction

T = TypeVar("T")

_DROPPED_HEADERS = ("HTTP_IF_NONE_MATCH", "HTTP_RANGE", "HTTP_COOKIE", "CONTENT_LENGTH", "CONTENT_TYPE")
_SCRIPT = re.compile(r"<script\b[^>]*>.*?</script>", re.DOTALL)
# Without scripts, browsers load all pictures at once. The small one is already on the page.
_IN_POPOVER = re.compile(r'(\bpopover\b[^>]*><img src="/pictures/\w+)/768\b')
_MAX_TRIES = 3


class _UnequalState(dict[str, Any]):
    """A current state that equals nothing, so that cleared fields and unchecked boxes are applied too."""

    def __bool__(self) -> bool:
        return True

    def get(self, name: str, default: Any = None) -> Any:
        return object()


def render_preview(request: SignedInRequest, item: PublishedItem | Item, part: str = "") -> HttpResponse:
    """Render the saved page or, if it has steps, the step named by `?step=`. `part` is the path after its slug."""
    path = urlsplit(item.public_url).path + part
    page = _fetch_page(request, item, path)
    return as_preview_response(page.content.decode(), page.status_code)


def as_preview_response(html: str, status: int = 200) -> HttpResponse:
    """Return a response that shows a guest page as a preview."""
    html = _IN_POPOVER.sub(r"\1/192", _SCRIPT.sub("", html))
    response = HttpResponse(html.replace("<head>", '<head><base target="_blank">', 1), status=status)
    # as for every page, but our own pages may frame it; its links and forms are disabled, and no script runs
    response.headers["Content-Security-Policy"] = (
        f"default-src 'none'; img-src 'self' data:; font-src 'self'; style-src {style_sources()}; form-action 'none'; "
        "base-uri 'none'; frame-ancestors 'self'; sandbox allow-same-origin"
    )
    response.headers["X-Frame-Options"] = "SAMEORIGIN"
    response.headers["Cache-Control"] = "no-store"
    return response


def render_draft(request: SignedInRequest, item: PublishedItem, form: ToolForm, part: str = "") -> HttpResponse:
    """Render the page with the unsaved values of the form."""
    rows = type(item)._default_manager.select_related("publication")
    return render_with_form(request, form, lambda: render_preview(request, rows.get(pk=item.pk), part))


def render_with_form(request: SignedInRequest, form: ToolForm, render: Callable[[], HttpResponse]) -> HttpResponse:
    """Apply the form's values, render the page, and roll the values back. Rejected values are left out."""
    response, _ = apply_and_roll_back(request, form, render)
    response.content = with_pending_images(request.account, response.content.decode()).encode()
    return response


def apply_and_roll_back(request: SignedInRequest, form: ToolForm, action: Callable[[], T]) -> tuple[T, list[Issue]]:
    """Apply the form in a transaction, run `action`, and roll the transaction back.

    Return the result of `action` and the problems of rejected values, which are left out.
    """
    form.initial = _UnequalState()
    arguments = dict(form.arguments)
    issues: list[Issue] = []
    for _ in range(_MAX_TRIES):
        try:
            with dry_run_transaction():
                execute_tool(form.tool, request.caller, arguments)
                return action(), issues
        except InvalidInputError as refusal:
            for issue in refusal.issues:
                if (name := issue.path.split(".")[0]) not in form.fixed:
                    arguments.pop(name, None)
            issues += refusal.issues
        except ToolError:
            break
    return action(), issues


def _fetch_page(request: SignedInRequest, item: PublishedItem | Item, path: str) -> HttpResponse:
    """Return the response that a guest gets for a path."""
    environ: dict[str, Any] = {name: value for name, value in request.META.items() if name not in _DROPPED_HEADERS}
    step = urlencode({"step": request.GET["step"][:80]}) if "step" in request.GET else ""
    guest_request = WSGIRequest(
        {**environ, "REQUEST_METHOD": "GET", "PATH_INFO": path, "QUERY_STRING": step, "wsgi.input": BytesIO()}
    )
    guest_request.user = AnonymousUser()
    guest_request.client_address = getattr(request, "client_address", "")  # type: ignore[attr-defined]
    guest_request.resolver_match = resolve(path)
    mark_preview(guest_request, item.publication_id)
    with timezone.override(None):  # guests see their own times, not the owner's
        response: HttpResponse = guest_request.resolver_match.func(guest_request, **guest_request.resolver_match.kwargs)
    return response
