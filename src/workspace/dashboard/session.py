"""The signed-in person, and the account that they work in."""

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
from workspace.brand.active_brand import use_brand
from workspace.dashboard import page_permissions, undo_messages, upgrade_links
from workspace.dashboard.messages import NOT_A_MEMBER
from workspace.lib.errors import NotFoundError

ACCOUNT_KEY = "workspace_account"  # the id of the selected account in the session

P = ParamSpec("P")


class SignedInRequest(HttpRequest):
    """The type of the request in a view with `require_sign_in`. It is used only in type hints."""

    user: Person
    account: Account
    caller: Caller


View = Callable[Concatenate[SignedInRequest, P], HttpResponse]


def require_sign_in(view: View[P]) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Require a signed-in person with an account whose role lets them see the page (page_permissions.py).

    It sets `request.account` and `request.caller`, which is not counted against the daily calls. Anyone else is
    redirected to the sign-in page and returns afterwards.
    """

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
        # times on pages are in the account's zone, and its items are rendered in its brand
        with timezone.override(account.zone), use_brand(account), permissions.use_scope(reach):
            response = page_permissions.render_permitted_page(
                request,
                reach,
                lambda: _render_response(view(request, *args, **kwargs)),  # type: ignore[arg-type]
            )
        response = upgrade_links.add_upgrade_links(response)
        undo_messages.offer_undo(request, response, request.caller.change_ids)  # type: ignore[attr-defined]
        # After signing out, the browser's back button must not show the pages again.
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    return guarded


def _render_response(response: HttpResponse) -> HttpResponse:
    """Render a template response now, because the code that follows reads and changes the rendered page."""
    return response.render() if isinstance(response, SimpleTemplateResponse) else response


def set_account(request: HttpRequest, person: Person, membership: Membership) -> None:
    """Set `request.account` and `request.caller`, which the layout of a page requires."""
    account = membership.account
    request.account = account  # type: ignore[attr-defined]
    request.caller = Caller(  # type: ignore[attr-defined]
        account=account, bucket=None, person=person, channel="dashboard", permission_scope=membership.permission_scope
    )


def current_account(request: HttpRequest, person: Person) -> Account:
    """Return the account that the person works in. Raise NotFoundError if they have none."""
    return current_membership(request, person).account


def current_membership(request: HttpRequest, person: Person) -> Membership:
    """Return the person's membership in the account selected in the session, or else their first one.

    Raise NotFoundError if they have none. If they are no longer a member of the selected account, discard the
    selection.
    """
    chosen = request.session.get(ACCOUNT_KEY)
    if chosen:
        try:
            return Membership.for_person(person, str(chosen))
        except NotFoundError:
            del request.session[ACCOUNT_KEY]
    return Membership.for_person(person)


def select_account(request: HttpRequest, person: Person, id: str) -> Account:
    """Select the account to work in. Raise NotFoundError if the person is not a member of it."""
    if not re.fullmatch(r"[a-z0-9_]{1,40}", id):  # PostgreSQL rejects NUL, even in a lookup
        raise NotFoundError(NOT_A_MEMBER)
    account = Account.for_person(person, id)
    request.session[ACCOUNT_KEY] = account.pk
    return account


def _redirect_to_sign_in(request: HttpRequest) -> HttpResponse:
    if is_partial(request):
        # A sign-in page must not appear inside a part of a page, so the browser reloads the whole page.
        response = HttpResponse(status=204)
        response.headers["HX-Refresh"] = "true"
        return response
    # Returning repeats only the URL with GET, so after a form the page of the form is better than the form's target.
    where = request.get_full_path() if request.method in ("GET", "HEAD") else settings.LOGIN_REDIRECT_URL
    return redirect_to_login(where)


def is_partial(request: HttpRequest) -> bool:
    """Return whether htmx sent the request and expects a part of a page. Without scripts, browsers load full pages."""
    return bool(request.headers.get("HX-Request"))


def redirect_full_page(request: HttpRequest, to: str) -> HttpResponse:
    """Redirect in a way that makes htmx load the full page. Browsers without scripts follow it as usual."""
    to = iri_to_uri("".join(char for char in to if char.isprintable()))
    if is_partial(request):
        return HttpResponse(status=204, headers={"HX-Redirect": to})
    return HttpResponse(status=303, headers={"Location": to})
