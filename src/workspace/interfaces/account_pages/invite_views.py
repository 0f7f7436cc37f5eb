"""Inviting friends: the link, writing to a few of them, and what it came to."""

from __future__ import annotations

import re
from urllib.parse import quote

from django import forms
from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from workspace.accounts.invites import TYPED_WITHIN
from workspace.accounts.models import InvitePair
from workspace.accounts.models.invite_pair import CAME, JOINED
from workspace.billing import invite_tools
from workspace.billing.invite_rewards import A_YEAR
from workspace.billing.invite_tools import FriendRow
from workspace.dashboard.item_presenters import done, moment
from workspace.dashboard.session import SignedInRequest, signed_in
from workspace.dashboard.tool_views import call, pages
from workspace.delivery import account_settings_tools
from workspace.interfaces.account_pages.owner_only import owns
from workspace.lib import clock
from workspace.lib.errors import InvalidInput, ToolError
from workspace.lib.text import counted
from workspace.storage.database.transactions import writing

PAGE = "/app/invite"
STATES = {
    "joined": ("Joined", ""),
    "earned": ("Pays", "good"),
    "held": ("Being looked at", "wait"),
    "denied": ("No month", ""),
    "reversed": ("Payment went back", ""),
}
MONTHS = {
    "banked": "your month waits until you pay for a plan",
    "sending": "your month comes off your next invoice",
    "credited": "your month came off your invoice",
    "returning": "your month went back",
    "gone": "your month went back",
}
page = pages(home=PAGE, ids=(), above=lambda request: PAGE)


USED_UP = "your twelve months of the year were used"


class LetterForm(forms.Form):
    emails = forms.CharField(
        label="E-mail addresses",
        max_length=3000,
        help_text="One a line, at most 10 at once and 20 a day. We forget them after 30 days.",
        widget=forms.Textarea(attrs={"rows": 3, "autocomplete": "off", "spellcheck": "false"}),
    )
    message = forms.CharField(
        label="A few words of your own", max_length=500, required=False, widget=forms.Textarea(attrs={"rows": 3})
    )


class CodeForm(forms.Form):
    code = forms.CharField(
        label="The code of who invited you",
        max_length=40,
        help_text="It can be entered within 7 days of signing up.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )


@page("GET", "HEAD", "POST")
def invite_friends(request: SignedInRequest) -> HttpResponse:
    form = LetterForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        emails = [one for one in re.split(r"[\s,;]+", form.cleaned_data["emails"]) if one]
        try:
            sent = call(request, invite_tools.send, emails=emails, message=form.cleaned_data["message"])["sent"]
        except InvalidInput as refusal:
            for issue in refusal.issues:
                at = issue.path.removeprefix("emails.")
                named = f"{emails[int(at)]}: " if at.isdigit() and int(at) < len(emails) else ""
                form.add_error("message" if issue.path == "message" else "emails", f"{named}{issue.message}")
        except ToolError as refusal:
            form.add_error("emails", refusal.message)
        else:
            return done(request, f"{counted(len(sent), 'invitation')} on the way.", PAGE)
    return _drawn(request, form, CodeForm())


@page("GET", "HEAD", "POST")
def enter_code(request: SignedInRequest) -> HttpResponse:
    """The code of who invited this account."""
    if request.method != "POST":
        return redirect("invite_friends")
    form = CodeForm(request.POST)
    if form.is_valid():
        try:
            call(request, account_settings_tools.edit, invite_code=form.cleaned_data["code"])
        except InvalidInput as refusal:
            form.add_error("code", refusal.issues[0].message)
        else:
            return done(request, "Thank you: you both get a free month when you have paid your first one.", PAGE)
    return _drawn(request, LetterForm(), form)


def _drawn(request: SignedInRequest, form: LetterForm, code: CodeForm) -> HttpResponse:
    account = request.account
    found = call(request, invite_tools.link)
    words = f"I make my pages with Workspace Tools. Have a look: {found['invite_url']}"
    pair = InvitePair.objects.filter(friend=account).select_related("inviter").first()
    is_new = account.created_at > clock.now() - TYPED_WITHIN and pair is None
    context = {
        "found": found,
        "form": form,
        "code": code,
        "may_enter": is_new or bool(code.errors),
        "pays": settings.PAYMENTS,
        # who invited them, as long as their month is still to come
        "came_by": pair.inviter.name if pair and pair.inviter and pair.state in (CAME, JOINED) else "",
        "most": A_YEAR,
        "rows": [_shown(row) for row in found["history"]],
        "whatsapp": f"https://wa.me/?text={quote(words)}",
        "letter": f"mailto:?subject={quote('Have a look at this')}&body={quote(words)}",
        "is_owner": owns(request),
        "first_name": (account.owner.name.split() or [""])[0],
    }
    status = 422 if form.errors or code.errors else 200
    return render(request, "account_pages/invite.html", context, status=status)


def _shown(row: FriendRow) -> dict[str, object]:
    return {
        **row,
        "badge": STATES[row["state"]],
        "at": moment(row["joined_at"]),
        "told": MONTHS.get(row["month"], USED_UP if row["state"] == "earned" else ""),
    }


@require_POST
@signed_in
def say_name(request: SignedInRequest) -> HttpResponse:
    """Whether the page names the owner is the owner's to say, and nobody else's."""
    if not owns(request):
        return render(request, "account_pages/owner_only.html", status=403)
    with writing():
        account = request.account.lock()
        account.invite_names_owner = request.POST.get("name") == "on"
        account.save(update_fields=["invite_names_owner"])
    return done(request, "Saved.", PAGE)
