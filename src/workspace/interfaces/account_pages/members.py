"""Who works in the account: invited by mail, accepted by the person who holds the address, removed by the owner."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from workspace.accounts.closing import end_membership
from workspace.accounts.models import MemberInvitation, Membership, Person
from workspace.dashboard.session import SignedInRequest, choose_account, signed_in
from workspace.interfaces.account_pages.limits import allowed
from workspace.interfaces.account_pages.owner import by_owner, owns
from workspace.interfaces.sign_in import invited, letter
from workspace.storage.database import writing
from workspace.toolkit import clock
from workspace.toolkit.errors import ToolError


class InviteForm(forms.Form):
    email = forms.EmailField(
        label="E-mail address", max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "off"})
    )


@signed_in
def members(request: SignedInRequest) -> HttpResponse:
    page = {
        "members": request.account.memberships.select_related("person").order_by("pk"),
        "invitations": request.account.invitations.filter(expires_at__gt=clock.now()).order_by("pk"),
        "is_owner": owns(request),
    }
    return render(request, "account_pages/members.html", page)


@by_owner
def invite(request: SignedInRequest) -> HttpResponse:
    form = InviteForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            if not allowed(request, "invite", "30/d/user"):
                raise ToolError("That is enough invitations for today: go on tomorrow")
            invitation, token = MemberInvitation.send_to(request.account, form.cleaned_data["email"], request.user)
        except ToolError as refusal:
            form.add_error("email", refusal.message)
        else:
            _send(invitation, token)
            messages.success(request, f"An invitation is on its way to {invitation.email}. It is good for 7 days.")
            return redirect("members")
    return render(request, "account_pages/member_invite.html", {"form": form}, status=422 if form.errors else 200)


@by_owner
def remove_member(request: SignedInRequest, id: int) -> HttpResponse:
    member = get_object_or_404(request.account.memberships.exclude(role=Membership.OWNER), pk=id)
    if request.method == "POST":
        end_membership(member)
        messages.success(request, f"{member.person.email} is no longer a member.")
        return redirect("members")
    return render(request, "account_pages/member_remove.html", {"member": member})


@require_POST
@by_owner
def withdraw_invitation(request: SignedInRequest, id: int) -> HttpResponse:
    with writing():
        request.account.invitations.filter(pk=id).delete()
    messages.success(request, "The invitation is withdrawn; its link no longer works.")
    return redirect("members")


@never_cache
def join(request: HttpRequest, token: str) -> HttpResponse:
    """What an invitation's link opens, for those who have a sign-in and for those who do not."""
    invitation = MemberInvitation.find(token)
    if invitation is None:
        return render(request, "account_pages/join_over.html", status=410)
    person = request.user
    if not isinstance(person, Person):
        invited.remember(request, token)
        query = urlencode({"next": request.path, "email": invitation.email})
        return render(request, "account_pages/join.html", {"invitation": invitation, "query": query})
    holds = EmailAddress.objects.filter(user=person, verified=True, email=invitation.email).exists()
    if request.method == "POST" and holds:
        if invitation.accept(person) is None:
            return render(request, "account_pages/join_over.html", status=410)
        invited.forget(request)
        choose_account(request, person, invitation.account_id)
        messages.success(request, f"Welcome to {invitation.account.name}.")
        return redirect(settings.LOGIN_REDIRECT_URL)
    return render(request, "account_pages/join.html", {"invitation": invitation, "holds": holds, "person": person})


def _send(invitation: MemberInvitation, token: str) -> None:
    link = settings.BASE_URL + reverse("join", args=[token])
    told = {"invitation": invitation, "link": link}
    subject = f"Work with {invitation.account.name}"
    letter.send(invitation.email, subject, "account_pages/email/invitation.txt", told)
