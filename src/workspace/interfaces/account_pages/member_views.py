"""Members and their roles.

An owner invites people by email, changes their roles and removes them. The owner of the email address accepts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from allauth.account.models import EmailAddress
from django import forms
from django.conf import settings
from django.contrib import messages
from django.forms import BoundField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from workspace.accounts import change_log, permissions, plans, product_scope
from workspace.accounts.dispatch import Caller
from workspace.accounts.models import MemberInvitation, Membership, Person
from workspace.dashboard import device_storage
from workspace.dashboard.session import SignedInRequest, require_sign_in, select_account
from workspace.interfaces.account_pages import member_emails
from workspace.interfaces.account_pages.owner_requirement import is_owner, require_owner
from workspace.interfaces.messages import TOO_MANY_INVITATIONS
from workspace.interfaces.sign_in import pending_invitation
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.owner_translation import owner_gettext, owner_gettext_lazy
from workspace.rate_limits.counter import consume
from workspace.storage.database.transactions import write_transaction

ROLE_CHOICES = (
    (permissions.EDITOR, owner_gettext_lazy("Editor: can change everything except the account itself")),
    (permissions.VIEWER, owner_gettext_lazy("Viewer: can view everything, but change nothing")),
    (permissions.BY_PRODUCT, owner_gettext_lazy("By product: only the access selected below")),
    (permissions.OWNER, owner_gettext_lazy("Owner: also manages plans, API keys, members and account closure")),
)
PRODUCT_ROLE_CHOICES = (
    ("", owner_gettext_lazy("No access")),
    (permissions.VIEWER, owner_gettext_lazy("Can view")),
    (permissions.EDITOR, owner_gettext_lazy("Can edit")),
)


class RoleForm(forms.Form):
    """A form with a role and, if it varies by product, the role for each product."""

    role = forms.ChoiceField(
        label=owner_gettext_lazy("Role"), choices=ROLE_CHOICES, widget=forms.RadioSelect, initial=permissions.EDITOR
    )

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        for key in product_scope.available_products():
            title = plans.PRODUCTS[key].title
            self.fields[f"of_{key}"] = forms.ChoiceField(label=title, choices=PRODUCT_ROLE_CHOICES, required=False)

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or {}
        if given.get("role") == permissions.BY_PRODUCT and not self.product_roles:
            self.add_error("role", owner_gettext("Select at least one product below."))
        return given

    @property
    def product_roles(self) -> dict[str, str]:
        if self.cleaned_data.get("role") != permissions.BY_PRODUCT:
            return {}
        return permissions.parse_product_roles(
            {key: self.cleaned_data.get(f"of_{key}", "") for key in product_scope.available_products()}
        )

    def product_fields(self) -> Iterator[BoundField]:
        return (self[f"of_{key}"] for key in product_scope.available_products())


class InviteForm(RoleForm):
    email = forms.EmailField(
        label=owner_gettext_lazy("Email address"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    field_order = ("email", "role")


@require_sign_in
def members(request: SignedInRequest) -> HttpResponse:
    """List all members. Every member may see this, because people should know who can change a role."""
    found = list(request.account.memberships.select_related("person").order_by("pk"))
    page = {
        "members": [(one, describe_role(one.role, one.products), one.person_id == request.user.pk) for one in found],
        "invitations": [
            (one, describe_role(one.role, one.products))
            for one in request.account.invitations.filter(expires_at__gt=clock.now()).order_by("pk")
        ],
        "is_owner": is_owner(request),
        "has_others": len(found) > 1,
    }
    return render(request, "account_pages/members.html", page)


def describe_role(role: str, products: dict[str, str]) -> str:
    """Describe the products of a role as text: `Can edit: Forms; Can view: Bookings`."""
    if role != permissions.BY_PRODUCT:
        return ""
    titles = {
        one: [plans.PRODUCTS[key].title for key in plans.PRODUCTS if products.get(key) == one] for one in _ROLE_VERBS
    }
    return "; ".join(f"{_ROLE_VERBS[one]}: {', '.join(named)}" for one, named in titles.items() if named)


_ROLE_VERBS = {permissions.EDITOR: "Can edit", permissions.VIEWER: "Can view"}


@require_owner
def invite(request: SignedInRequest) -> HttpResponse:
    form = InviteForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            if not consume("member-invitation", request):
                raise OperationNotAllowedError(TOO_MANY_INVITATIONS)
            role, email = form.cleaned_data["role"], form.cleaned_data["email"]
            invitation, token = MemberInvitation.create(request.account, email, request.user, role, form.product_roles)
        except OperationNotAllowedError as refusal:
            form.add_error("email", refusal.message)
        else:
            member_emails.send_invitation(invitation, token)
            _log_change(request.caller, f"Invited {invitation.email} as {_format_role(role, form.product_roles)}")
            messages.success(
                request,
                owner_gettext("Invitation sent to %(email)s. It is valid for 7 days.") % {"email": invitation.email},
            )
            return redirect("members")
    return render(request, "account_pages/member_invite.html", {"form": form}, status=422 if form.errors else 200)


@require_owner
def change_role(request: SignedInRequest, id: int) -> HttpResponse:
    member = _get_member(request, id)
    present = {"role": member.role, **{f"of_{key}": role for key, role in member.products.items()}}
    form = RoleForm(request.POST if request.method == "POST" else None, initial=present)
    if form.is_valid():
        role = form.cleaned_data["role"]
        try:
            was = _format_role(member.role, member.products)
            member.change_role(role, form.product_roles)
        except OperationNotAllowedError as refusal:
            form.add_error("role", refusal.message)
        else:
            if (now := _format_role(role, form.product_roles)) != was:
                _log_change(request.caller, f"Changed the role of {member.person.email} from {was} to {now}")
                if member.person_id != request.user.pk:
                    member_emails.notify_role_change(member, request.user)
            messages.success(request, owner_gettext("Role of %(email)s changed.") % {"email": member.person.email})
            return redirect("members")
    shown = {"form": form, "member": member}
    return render(request, "account_pages/member_role.html", shown, status=422 if form.errors else 200)


@require_owner
def remove_member(request: SignedInRequest, id: int) -> HttpResponse:
    member = _get_member(request, id)
    if request.method == "POST":
        try:
            member.remove()
        except OperationNotAllowedError as refusal:
            messages.error(request, f"{refusal.message}.")
            return redirect("members")
        _log_change(
            request.caller, f"Removed {member.person.email}, who was {_format_role(member.role, member.products)}"
        )
        if member.person_id != request.user.pk:
            member_emails.notify_removal(request.account, member.person.email, request.user)
        messages.success(request, owner_gettext("%(email)s removed.") % {"email": member.person.email})
        return redirect("members")
    return render(request, "account_pages/member_remove.html", {"member": member})


@require_POST
@require_owner
def withdraw_invitation(request: SignedInRequest, id: int) -> HttpResponse:
    with write_transaction():
        for invitation in request.account.invitations.filter(pk=id):
            invitation.delete()
            _log_change(request.caller, f"Withdrew the invitation for {invitation.email}")
    messages.success(request, owner_gettext("Invitation withdrawn. Its link no longer works."))
    return redirect("members")


@never_cache
def accept_invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Handle the link of an invitation, whether or not the person is signed in."""
    invitation = MemberInvitation.find_by_token(token)
    if invitation is None:
        return render(request, "account_pages/join_expired.html", status=410)
    person = request.user
    if not isinstance(person, Person):
        pending_invitation.store_invitation(request, token)
        query = urlencode({"next": request.path, "email": invitation.email})
        return render(request, "account_pages/join.html", {"invitation": invitation, "query": query})
    holds = EmailAddress.objects.filter(user=person, verified=True, email=invitation.email).exists()
    if request.method == "POST" and holds:
        if invitation.accept(person) is None:
            return render(request, "account_pages/join_expired.html", status=410)
        pending_invitation.clear_invitation(request)
        select_account(request, person, invitation.account_id)
        by = Caller(invitation.account, person=person, channel="dashboard")
        _log_change(
            by, f"{invitation.email} accepted the invitation, as {_format_role(invitation.role, invitation.products)}"
        )
        messages.success(request, owner_gettext("Welcome to %(name)s.") % {"name": invitation.account.name})
        response = redirect(settings.LOGIN_REDIRECT_URL)
        device_storage.clear_stored_pages(response)
        return response
    return render(request, "account_pages/join.html", {"invitation": invitation, "holds": holds, "person": person})


def _get_member(request: SignedInRequest, id: int) -> Membership:
    return get_object_or_404(request.account.memberships.select_related("account", "person"), pk=id)


def _format_role(role: str, products: dict[str, str]) -> str:
    if role == permissions.BY_PRODUCT:
        return f"a member by product ({describe_role(role, products)})"
    return f"{'a' if role == permissions.VIEWER else 'an'} {role}"


def _log_change(by: Caller, text: str) -> None:
    change_log.log_change(by.account, by, "members", text)
