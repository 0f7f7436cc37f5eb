"""The pages that a member may see, and those on which they may change something.

Both follow `accounts/permissions.py`, which the dispatcher also checks for each tool. A page below a product's home
belongs to the product. Among the others, pages that show each member only what they may access are shared. The rest
belong to the account as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from workspace.accounts import permissions
from workspace.accounts.permissions import FULL_SCOPE, OWNERS, SHARED, WHOLE_ACCOUNT, PermissionScope
from workspace.dashboard import navigation
from workspace.dashboard.navigation import NavItem
from workspace.publishing import items as publishing_items

# first parts of paths below /app, for pages that show only what the member may access; the home page has an empty one
_SHARED_PAGES = frozenset(
    (
        "",
        "act",
        "activity",
        "bin",
        "check-in",
        "connect",
        "connections",
        "inbox",
        "jobs",
        "keys",
        "linked-apps",
        "members",
    )
)
_SHARED_PAGES |= frozenset(("onboarding", "own-pages", "parse-number", "pictures", "search", "switch", "tools", "undo"))
# the forms of these pages are personal, or check permissions themselves
_PERSONAL_PAGES = frozenset(("connections", "inbox", "linked-apps", "switch"))
_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
_FORM = re.compile(r'<form\b[^>]*\bmethod="post"[^>]*>(?:(?!</form>).)*', re.DOTALL | re.IGNORECASE)
_NEW = re.compile(r'<a class="btn"[^>]*\bhref="/app/[^"]*/new"[^>]*>(?:(?!</a>).)*</a>', re.DOTALL)
_OWN_FORM = re.compile(r'\baction="(?:/account/|/app/(?:connections|inbox|linked-apps|switch))')


def page_area(path: str) -> str:
    """Return the area of a page, or "" for a personal page, which belongs to no account."""
    parts = path.strip("/").split("/")
    if parts[0] != "app":
        return ""
    word = parts[1] if parts[1:] else ""
    if word in _SHARED_PAGES or parts[1:] == ["account"]:
        return SHARED
    return publishing_items.product_at_url(f"/app/{word}") or WHOLE_ACCOUNT


def render_permitted_page(
    request: HttpRequest, scope: PermissionScope, view: Callable[[], HttpResponse]
) -> HttpResponse:
    """Return the page with the limits of the member's permissions.

    It is refused if they may not view it, or if they sent a form without permission. If they may only view it, its
    forms are disabled.
    """
    owner = page_area(request.path)
    if not owner:
        return view()
    may_change = scope.can_access(owner, writes=True)
    request.may_only_look = not may_change  # type: ignore[attr-defined]
    if not scope.can_access(owner):
        return _render_forbidden(request, scope, owner)
    if may_change:
        return view()
    is_own = request.path.split("/")[2:3] and request.path.split("/")[2] in _PERSONAL_PAGES
    if request.method not in _SAFE_METHODS and not is_own:
        return _render_forbidden(request, scope, owner)
    return _disable_forms(view())


def visible_account_items(request: HttpRequest) -> list[NavItem]:
    """Return the entries of the account menu that the member may open."""
    caller = getattr(request, "caller", None)
    reach = caller.permission_scope if caller else FULL_SCOPE
    is_operator = getattr(request.user, "is_operator", False)
    items = [item for item in navigation.list_account_items() if is_operator or not item.for_operator]
    return [item for item in items if reach.can_access(page_area(item.url) or SHARED)]


def _render_forbidden(request: HttpRequest, scope: PermissionScope, owner: str) -> HttpResponse:
    title = publishing_items.get_manifest(owner).title if owner not in (SHARED, WHOLE_ACCOUNT, OWNERS) else ""
    why = permissions.denial_reason(scope, owner, title)
    if request.headers.get("HX-Request"):
        messages.error(request, f"{why}.")
        return HttpResponse(status=204, headers={"HX-Refresh": "true"})
    request.may_only_look = False  # type: ignore[attr-defined]  # the page itself explains it
    may_look = scope.can_access(owner) and request.method not in _SAFE_METHODS
    return render(
        request, "dashboard/forbidden.html", {"why": why, "back": _parent_url(request) if may_look else ""}, status=403
    )


def _parent_url(request: HttpRequest) -> str:
    return "/".join(request.path.split("/")[:4])


def _disable_forms(response: HttpResponse) -> HttpResponse:
    """Disable all forms that would change something, and remove the buttons for creating items.

    The browser enforces it, so no template can forget it.
    """
    if response.streaming or not response.headers.get("Content-Type", "").startswith("text/html"):
        return response
    response.content = _FORM.sub(_disable_form, _NEW.sub("", response.content.decode())).encode()
    return response


def _disable_form(form: re.Match[str]) -> str:
    opening, _, inner = form[0].partition(">")
    if _OWN_FORM.search(opening):
        return form[0]
    return f'{opening}><fieldset class="held" disabled>{inner}</fieldset>'
