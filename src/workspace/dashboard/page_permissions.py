"""Which pages a member may see, and on which they may change something.

Both follow the table of `accounts/permissions.py`, which the dispatcher asks for each tool as well. A page below a
product's home is that product's. Of the others, those that show to each member what they reach are shared, and all the
rest are of the account as a whole.
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

# first words below /app that show a member what they reach; home has none
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
_SHARED_PAGES |= frozenset(("onboarding", "parse-number", "pictures", "search", "switch", "tools", "undo"))
# whose forms are one's own business, or look for themselves who may send them
_PERSONAL_PAGES = frozenset(("connections", "inbox", "linked-apps", "switch"))
_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
_FORM = re.compile(r'<form\b[^>]*\bmethod="post"[^>]*>(?:(?!</form>).)*', re.DOTALL | re.IGNORECASE)
_NEW = re.compile(r'<a class="btn"[^>]*\bhref="/app/[^"]*/new"[^>]*>(?:(?!</a>).)*</a>', re.DOTALL)
_OWN_FORM = re.compile(r'\baction="(?:/account/|/app/(?:connections|inbox|linked-apps|switch))')


def page_area(path: str) -> str:
    """Whose page it is; empty for a person's own, which no account has a say in."""
    parts = path.strip("/").split("/")
    if parts[0] != "app":
        return ""
    word = parts[1] if parts[1:] else ""
    if word in _SHARED_PAGES or parts[1:] == ["account"]:
        return SHARED
    return publishing_items.product_at_url(f"/app/{word}") or WHOLE_ACCOUNT


def guard_page(request: HttpRequest, reach: PermissionScope, view: Callable[[], HttpResponse]) -> HttpResponse:
    """The page, as far as this member may have it: refused where they may not look, or sent what they may not; with its
    forms shut where they may only look."""
    owner = page_area(request.path)
    if not owner:
        return view()
    may_change = reach.can_access(owner, writes=True)
    request.may_only_look = not may_change  # type: ignore[attr-defined]
    if not reach.can_access(owner):
        return _render_forbidden(request, reach, owner)
    if may_change:
        return view()
    is_own = request.path.split("/")[2:3] and request.path.split("/")[2] in _PERSONAL_PAGES
    if request.method not in _SAFE_METHODS and not is_own:
        return _render_forbidden(request, reach, owner)
    return _disable_forms(view())


def visible_items(request: HttpRequest) -> list[NavItem]:
    """The lines of the account's menu that lead somewhere for this member."""
    caller = getattr(request, "caller", None)
    reach = caller.permission_scope if caller else FULL_SCOPE
    is_operator = getattr(request.user, "is_operator", False)
    items = [item for item in navigation.list_account_items() if is_operator or not item.for_operator]
    return [item for item in items if reach.can_access(page_area(item.url) or SHARED)]


def _render_forbidden(request: HttpRequest, reach: PermissionScope, owner: str) -> HttpResponse:
    title = publishing_items.get_manifest(owner).title if owner not in (SHARED, WHOLE_ACCOUNT, OWNERS) else ""
    why = permissions.denial_reason(reach, owner, title)
    if request.headers.get("HX-Request"):
        messages.error(request, f"{why}.")
        return HttpResponse(status=204, headers={"HX-Refresh": "true"})
    request.may_only_look = False  # type: ignore[attr-defined]  # the page says it itself
    may_look = reach.can_access(owner) and request.method not in _SAFE_METHODS
    return render(
        request, "dashboard/may_not.html", {"why": why, "back": _parent_url(request) if may_look else ""}, status=403
    )


def _parent_url(request: HttpRequest) -> str:
    return "/".join(request.path.split("/")[:4])


def _disable_forms(response: HttpResponse) -> HttpResponse:
    """With every form that would change something disabled, by the browser itself, and without the buttons that lead to
    new things: no template can forget it."""
    if response.streaming or not response.headers.get("Content-Type", "").startswith("text/html"):
        return response
    response.content = _FORM.sub(_disable_form, _NEW.sub("", response.content.decode())).encode()
    return response


def _disable_form(form: re.Match[str]) -> str:
    opening, _, inner = form[0].partition(">")
    if _OWN_FORM.search(opening):
        return form[0]
    return f'{opening}><fieldset class="held" disabled>{inner}</fieldset>'
