"""Inviting friends: the link, emails with it to a few friends, and the rewards earned."""

from __future__ import annotations

import re
from urllib.parse import quote

from django import forms
from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from workspace.accounts.invites import CODE_ENTRY_PERIOD
from workspace.accounts.models import InvitePair
from workspace.accounts.models.invite_pair import CAME, JOINED
from workspace.billing import invite_tools
from workspace.billing.invite_rewards import YEARLY_LIMIT
from workspace.billing.invite_tools import FriendData
from workspace.dashboard.item_presenters import parse_time, redirect_with_message
from workspace.dashboard.session import SignedInRequest, require_sign_in
from workspace.dashboard.tool_views import build_page_decorator, call_tool
from workspace.delivery import account_settings_tools
from workspace.interfaces.account_pages.owner_requirement import is_owner
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError, OperationNotAllowedError
from workspace.owner_translation import owner_gettext, owner_gettext_lazy, owner_ngettext
from workspace.storage.database.transactions import write_transaction

PAGE = "/app/invite"
STATE_BADGES = {
    "joined": (owner_gettext_lazy("Joined"), ""),
    "earned": (owner_gettext_lazy("Paid plan"), "good"),
    "held": (owner_gettext_lazy("In review"), "wait"),
    "denied": (owner_gettext_lazy("No free month"), ""),
    "reversed": (owner_gettext_lazy("Payment refunded"), ""),
}
MONTH_TEXTS = {
    "banked": owner_gettext_lazy("Your free month is saved until you have a paid plan"),
    "sending": owner_gettext_lazy("Your free month is credited to your next invoice"),
    "credited": owner_gettext_lazy("Your free month was credited to your invoice"),
    "returning": owner_gettext_lazy("Your free month was withdrawn"),
    "gone": owner_gettext_lazy("Your free month was withdrawn"),
}
page = build_page_decorator(list_path=PAGE, id_arguments=(), find_parent_url=lambda request: PAGE)


LIMIT_REACHED_TEXT = owner_gettext_lazy("You have earned the maximum of 12 free months this year")


class InviteFriendsForm(forms.Form):
    emails = forms.CharField(
        label=owner_gettext_lazy("Email addresses"),
        max_length=3000,
        help_text=owner_gettext_lazy("One per line. Up to 10 at once and 20 per day. We delete them after 30 days."),
        widget=forms.Textarea(attrs={"rows": 3, "autocomplete": "off", "spellcheck": "false"}),
    )
    message = forms.CharField(
        label=owner_gettext_lazy("Personal message"),
        max_length=500,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class InviteCodeForm(forms.Form):
    code = forms.CharField(
        label=owner_gettext_lazy("Invitation code"),
        max_length=40,
        help_text=owner_gettext_lazy("You can enter a code within 7 days of signing up."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )


@page("GET", "HEAD", "POST")
def invite_friends(request: SignedInRequest) -> HttpResponse:
    form = InviteFriendsForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        emails = [one for one in re.split(r"[\s,;]+", form.cleaned_data["emails"]) if one]
        try:
            sent = call_tool(request, invite_tools.send, emails=emails, message=form.cleaned_data["message"])["sent"]
        except InvalidInputError as refusal:
            for issue in refusal.issues:
                at = issue.path.removeprefix("emails.")
                named = f"{emails[int(at)]}: " if at.isdigit() and int(at) < len(emails) else ""
                form.add_error("message" if issue.path == "message" else "emails", f"{named}{issue.message}")
        except OperationNotAllowedError as refusal:
            form.add_error("emails", refusal.message)
        else:
            text = owner_ngettext("%(count)s invitation sent.", "%(count)s invitations sent.", len(sent))
            return redirect_with_message(request, text % {"count": len(sent)}, PAGE)
    return _render_page(request, form, InviteCodeForm())


@page("GET", "HEAD", "POST")
def enter_code(request: SignedInRequest) -> HttpResponse:
    """Let the owner enter the code of the person who invited them."""
    if request.method != "POST":
        return redirect("invite_friends")
    form = InviteCodeForm(request.POST)
    if form.is_valid():
        try:
            call_tool(request, account_settings_tools.edit, invite_code=form.cleaned_data["code"])
        except InvalidInputError as refusal:
            form.add_error("code", refusal.issues[0].message)
        else:
            return redirect_with_message(
                request,
                owner_gettext("Code applied. You’ll both get a free month after you pay for your first month."),
                PAGE,
            )
    return _render_page(request, InviteFriendsForm(), form)


def _render_page(request: SignedInRequest, form: InviteFriendsForm, code: InviteCodeForm) -> HttpResponse:
    account = request.account
    found = call_tool(request, invite_tools.get_link)
    words = owner_gettext("I create my pages with Workspace Tools. Take a look: %(invite_url)s") % {
        "invite_url": found["invite_url"]
    }
    pair = InvitePair.objects.filter(friend=account).select_related("inviter").first()
    is_new = account.created_at > clock.now() - CODE_ENTRY_PERIOD and pair is None
    context = {
        "found": found,
        "form": form,
        "code": code,
        "may_enter": is_new or bool(code.errors),
        "pays": settings.PAYMENTS,
        # the inviter, until the free month is credited
        "came_by": pair.inviter.name if pair and pair.inviter and pair.state in (CAME, JOINED) else "",
        "most": YEARLY_LIMIT,
        "rows": [_present_friend(row) for row in found["history"]],
        "whatsapp": f"https://wa.me/?text={quote(words)}",
        "letter": f"mailto:?subject={quote(owner_gettext('Take a look at this'))}&body={quote(words)}",
        "is_owner": is_owner(request),
        "first_name": (account.owner.name.split() or [""])[0],
    }
    status = 422 if form.errors or code.errors else 200
    return render(request, "account_pages/invite.html", context, status=status)


def _present_friend(row: FriendData) -> dict[str, object]:
    return {
        **row,
        "badge": STATE_BADGES[row["state"]],
        "at": parse_time(row["joined_at"]),
        "month_text": MONTH_TEXTS.get(row["month"], LIMIT_REACHED_TEXT if row["state"] == "earned" else ""),
    }


@require_POST
@require_sign_in
def set_name_visibility(request: SignedInRequest) -> HttpResponse:
    """Set whether the invite page names the owner. Only the owner may change it."""
    if not is_owner(request):
        return render(request, "account_pages/owner_only.html", status=403)
    with write_transaction():
        account = request.account.lock()
        account.invite_shows_name = request.POST.get("name") == "on"
        account.save(update_fields=["invite_shows_name"])
    return redirect_with_message(request, owner_gettext("Setting saved."), PAGE)
