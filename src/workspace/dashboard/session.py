"""Who is signed in, and in which account they work."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.response import SimpleTemplateResponse
from django.utils import timezone
from django.utils.encoding import iri_to_uri

from workspace.accounts import permissions
from workspace.accounts.dispatch import Caller
from workspace.accounts.models import Account, Membership, Person
from workspace.brand.active_style import use_brand
from workspace.dashboard import page_permissions, undo_messages, upgrade_links
from workspace.lib.errors import NotFoundError

ACCOUNT_KEY = "workspace_account"  # the session's choice, an account's id

P = ParamSpec("P")


class SignedInRequest(HttpRequest):
    """What a view under `require_sign_in` receives; only for type hints."""

    user: Person
    account: Account
    caller: Caller


View = Callable[Concatenate[SignedInRequest, P], HttpResponse]


def require_sign_in(view: View[P]) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Only for a signed-in person with an account whose role there lets them see the page (page_permissions.py): sets
    `request.account` and `request.caller` (not counted against the daily calls). Others are sent to sign in and come
    back."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        person = request.user
        if not isinstance(person, Person):
            return _redirect_to_sign_in(request)
        try:
            membership = current_membership(request, person)
        except NotFoundError:
            return render(request, "dashboard/no_account.html", status=403)
        account, reach = membership.account, membership.permission_scope
        set_account(request, person, membership)
        # what pages show of times is the account's, and what they draw of its things wears its brand
        with timezone.override(account.zone), use_brand(account), permissions.use_scope(reach):
            response = page_permissions.guard_page(
                request,
                reach,
                lambda: _render_response(view(request, *args, **kwargs)),  # type: ignore[arg-type]
            )
        response = upgrade_links.add_upgrade_links(response)
        undo_messages.offer_undo(request, response)  # type: ignore[arg-type]
        # After signing out, the browser's back button must not show the pages again.
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    return guarded


def _render_response(response: HttpResponse) -> HttpResponse:
    """Render a template response at once, because what follows reads and changes the finished page."""
    return response.render() if isinstance(response, SimpleTemplateResponse) else response


def set_account(request: HttpRequest, person: Person, membership: Membership) -> None:
    """Set `request.account` and `request.caller`, as the frame around a page needs them."""
    account = membership.account
    request.account = account  # type: ignore[attr-defined]
    request.caller = Caller(  # type: ignore[attr-defined]
        account=account, bucket=None, person=person, channel="dashboard", permission_scope=membership.permission_scope
    )


def current_account(request: HttpRequest, person: Person) -> Account:
    """The account that they work in. Raises NotFoundError when they have none."""
    return current_membership(request, person).account


def current_membership(request: HttpRequest, person: Person) -> Membership:
    """Theirs in the account that the session chose, or their first when it chose none or they left it. Raises
    NotFoundError when they have none."""
    chosen = request.session.get(ACCOUNT_KEY)
    if chosen:
        try:
            return Membership.for_person(person, str(chosen))
        except NotFoundError:
            del request.session[ACCOUNT_KEY]
    return Membership.for_person(person)


def choose_account(request: HttpRequest, person: Person, id: str) -> Account:
    """Work in the named account from now on. Raises NotFoundError when the person is no member of it."""
    if not re.fullmatch(r"[a-z0-9_]{1,40}", id):  # PostgreSQL takes no NUL even to look for it
        raise NotFoundError("You are not a member of this account")
    account = Account.for_person(person, id)
    request.session[ACCOUNT_KEY] = account.pk
    return account


def _redirect_to_sign_in(request: HttpRequest) -> HttpResponse:
    if is_partial(request):
        # A part of a page cannot hold the sign-in page: the browser is sent there as a whole.
        response = HttpResponse(status=204)
        response.headers["HX-Refresh"] = "true"
        return response
    # Coming back repeats the address only, so after a form its page is the better place than its target.
    where = request.get_full_path() if request.method in ("GET", "HEAD") else settings.LOGIN_REDIRECT_URL
    return redirect_to_login(where)


def is_partial(request: HttpRequest) -> bool:
    """Whether htmx asks, which takes a part of a page; without script a browser takes the whole."""
    return bool(request.headers.get("HX-Request"))


def redirect_full_page(request: HttpRequest, to: str) -> HttpResponse:
    """A redirect that htmx follows with the whole page and a browser without script follows as ever."""
    to = iri_to_uri("".join(char for char in to if char.isprintable()))
    if is_partial(request):
        return HttpResponse(status=204, headers={"HX-Redirect": to})
    return HttpResponse(status=303, headers={"Location": to})
