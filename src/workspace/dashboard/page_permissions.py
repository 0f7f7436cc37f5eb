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
from workspace.accounts.permissions import EVERYTHING, OWNERS, SHARED, WHOLE, Reach
from workspace.dashboard import navigation
from workspace.dashboard.navigation import NavItem
from workspace.publishing import items as publishing_items

# first words below /app that show a member what they reach; home has none
_SHARED = frozenset(
    ("", "act", "activity", "applications", "bin", "connect", "connections", "door", "first-steps", "inbox", "jobs")
)
_SHARED |= frozenset(("keys", "members", "pictures", "search", "switch", "tools", "undo", "understood"))
# whose forms are one's own business, or look for themselves who may send them
_OWN = frozenset(("applications", "connections", "inbox", "switch"))
_SAFE = ("GET", "HEAD", "OPTIONS")
_FORM = re.compile(r'<form\b[^>]*\bmethod="post"[^>]*>(?:(?!</form>).)*', re.DOTALL | re.IGNORECASE)
_NEW = re.compile(r'<a class="btn"[^>]*\bhref="/app/[^"]*/new"[^>]*>(?:(?!</a>).)*</a>', re.DOTALL)
_OWN_FORM = re.compile(r'\baction="(?:/account/|/app/(?:applications|connections|inbox|switch))')


def whose(path: str) -> str:
    """Whose page it is; empty for a person's own, which no account has a say in."""
    parts = path.strip("/").split("/")
    if parts[0] != "app":
        return ""
    word = parts[1] if parts[1:] else ""
    if word in _SHARED or parts[1:] == ["account"]:
        return SHARED
    return publishing_items.at_home(f"/app/{word}") or WHOLE


def guard(request: HttpRequest, reach: Reach, view: Callable[[], HttpResponse]) -> HttpResponse:
    """The page, as far as this member may have it: refused where they may not look, or sent what they may not; with its
    forms shut where they may only look."""
    owner = whose(request.path)
    if not owner:
        return view()
    may_change = reach.may(owner, writes=True)
    request.may_only_look = not may_change  # type: ignore[attr-defined]
    if not reach.may(owner):
        return _refused(request, reach, owner)
    if may_change:
        return view()
    is_own = request.path.split("/")[2:3] and request.path.split("/")[2] in _OWN
    if request.method not in _SAFE and not is_own:
        return _refused(request, reach, owner)
    return _shut(view())


def seen(request: HttpRequest) -> list[NavItem]:
    """The lines of the account's menu that lead somewhere for this member."""
    caller = getattr(request, "caller", None)
    reach = caller.reach if caller else EVERYTHING
    is_operator = getattr(request.user, "is_operator", False)
    items = [item for item in navigation.account_items() if is_operator or not item.for_operator]
    return [item for item in items if reach.may(whose(item.url) or SHARED)]


def _refused(request: HttpRequest, reach: Reach, owner: str) -> HttpResponse:
    title = publishing_items.manifest(owner).title if owner not in (SHARED, WHOLE, OWNERS) else ""
    why = permissions.refused(reach, owner, title)
    if request.headers.get("HX-Request"):
        messages.error(request, f"{why}.")
        return HttpResponse(status=204, headers={"HX-Refresh": "true"})
    request.may_only_look = False  # type: ignore[attr-defined]  # the page says it itself
    may_look = reach.may(owner) and request.method not in _SAFE
    return render(
        request, "dashboard/may_not.html", {"why": why, "back": _above(request) if may_look else ""}, status=403
    )


def _above(request: HttpRequest) -> str:
    return "/".join(request.path.split("/")[:4])


def _shut(response: HttpResponse) -> HttpResponse:
    """With every form that would change something disabled, by the browser itself, and without the buttons that lead to
    new things: no template can forget it."""
    if response.streaming or not response.headers.get("Content-Type", "").startswith("text/html"):
        return response
    response.content = _FORM.sub(_held, _NEW.sub("", response.content.decode())).encode()
    return response


def _held(form: re.Match[str]) -> str:
    opening, _, inner = form[0].partition(">")
    if _OWN_FORM.search(opening):
        return form[0]
    return f'{opening}><fieldset class="held" disabled>{inner}</fieldset>'
