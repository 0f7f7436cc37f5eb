"""The consent page: the client, the redirect host, the account, and the access requested."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from workspace.accounts import change_log, product_scope
from workspace.accounts.dispatch import Caller
from workspace.accounts.models import Membership, Person
from workspace.dashboard.session import current_account
from workspace.interfaces import product_choices
from workspace.interfaces.oauth import authorization_request
from workspace.interfaces.oauth.authorization_request import AuthorizationRequest
from workspace.interfaces.sign_in.recent_login import require_recent_login
from workspace.lib.errors import NotFoundError
from workspace.owner_translation import owner_gettext

MAX_ACCOUNTS = 100


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@require_recent_login
def authorize(request: HttpRequest) -> HttpResponse:
    person = request.user
    assert isinstance(person, Person)
    try:
        authorization = authorization_request.parse_request(request)
        if request.method == "POST":
            return _handle_decision(request, authorization, person)
    except authorization_request.ClientError as unusable:
        return _render_page(request, "oauth/unusable.html", {"reason": str(unusable)}, 400)
    except authorization_request.RedirectError as back:
        return authorization_request.redirect_response(back.location)
    return _render_consent(request, authorization, person)


def _render_consent(
    request: HttpRequest, authorization: AuthorizationRequest, person: Person, problem: str = ""
) -> HttpResponse:
    joined = person.memberships.filter(account__banned_at=None).select_related("account").order_by("pk")
    memberships = list(joined[:MAX_ACCOUNTS])
    if not memberships:
        return _render_page(
            request, "oauth/unusable.html", {"reason": owner_gettext("You are not a member of any account.")}, 403
        )
    current = current_account(request, person)
    earlier = product_scope.find_choice(current, authorization.client, person)
    chosen = product_scope.parse_scope(earlier.products) if earlier else product_choices.list_used_products(current)
    if product_choices.ASKED_FIELD in request.POST:
        chosen = product_scope.parse_scope(product_choices.parse_selected_products(request.POST))
    shown = {
        "asked": authorization,
        "memberships": memberships,
        "current": current,
        "may_write": authorization.requests_write and any(one.permission_scope.can_change for one in memberships),
        "differ": len({one.permission_scope.can_change for one in memberships}) > 1,
        "problem": problem,
        **product_choices.build_checkbox_context(
            chosen, has_permission=lambda key: any(one.permission_scope.can_access(key) for one in memberships)
        ),
    }
    return _render_page(request, "oauth/consent.html", shown, 422 if problem else 200)


def _handle_decision(request: HttpRequest, authorization: AuthorizationRequest, person: Person) -> HttpResponse:
    decision = request.POST.get("decision")
    if decision == "deny":
        return authorization_request.redirect_response(authorization.denied_location())
    if decision != "allow":
        return _render_consent(request, authorization, person, owner_gettext("Choose Allow access or Deny."))
    chosen = request.POST.get("account", "")[:64]
    try:
        membership = Membership.for_person(person, chosen if chosen and chosen.isprintable() else "-")
    except NotFoundError:
        return _render_consent(request, authorization, person, owner_gettext("Choose one of your accounts."))
    account, reach = membership.account, membership.permission_scope
    # whatever the form contains, no one can grant more than they may do, and each call checks their role again
    write = authorization.requests_write and request.POST.get("access") == "write" and reach.can_change
    location = authorization.grant_access(request, account, write=write)
    product_scope.save_choice(
        account, authorization.client, person, product_choices.parse_selected_products(request.POST)
    )
    by = Caller(account, person=person, channel="dashboard", permission_scope=reach)
    access = "full access" if write else "read-only"
    change_log.log_change(
        account, by, "connections", f"Connected {authorization.client} ({authorization.host}, {access})"
    )
    return authorization_request.redirect_response(location)


def _render_page(request: HttpRequest, template: str, context: dict[str, object], status: int) -> HttpResponse:
    response = render(request, template, context, status=status)
    response.headers["Cache-Control"] = "no-store"
    return response
