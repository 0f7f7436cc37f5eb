"""Invitations to sign by email, to one address or a pasted list, and who has signed."""

from __future__ import annotations

import re
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext, ngettext

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import parse_time, redirect_with_message
from workspace.dashboard.list_upload import read_list_text
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, page
from workspace.lib.errors import InvalidInputError
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.waiver.api import signature_tools, tools
from workspace.products.waiver.api.arguments import MAX_EMAILS
from workspace.products.waiver.dashboard.item_layout import LAYOUT

LABELS = {"emails": owner_gettext_lazy("Email addresses"), "message": owner_gettext_lazy("Your message")}
STATE_BADGES = {
    "signed": (owner_gettext_lazy("Signed"), "good"),
    "sent": (owner_gettext_lazy("Not signed yet"), "wait"),
    "waiting": (owner_gettext_lazy("Sending"), ""),
    "bounced": (owner_gettext_lazy("Not delivered"), "bad"),
}
_EMAIL_PATTERN = re.compile(r"[^\s,;<>\"()\[\]|]+@[^\s,;<>\"()\[\]|]+")


@page("GET", "HEAD", "POST")
def invite_people(request: SignedInRequest, id: str) -> HttpResponse:
    waiver: Any = call_tool(request, tools.get, id=id)
    form = ToolForm(signature_tools.invite_people, request, fixed={"id": id}, labels=LABELS)
    text = ""
    if form.is_bound:
        text = _read_addresses(request, form)
        if not form.errors and (answer := form.submit(request.caller)):
            return redirect_with_message(request, _format_result(answer.data), f"{LAYOUT.home}/{id}/share/ask")
        _quote_addresses_in_errors(form)
    context = {
        "form": form,
        "waiver": waiver,
        "text": text,
        "rows": [{**row, "at": parse_time(row["at"]), "badge": STATE_BADGES[row["state"]]} for row in waiver["asked"]],
        "most": MAX_EMAILS,
    }
    return LAYOUT.render_item_page(request, id, "waiver/owner/invite.html", context, form.status)


def _read_addresses(request: SignedInRequest, form: ToolForm) -> str:
    """Read the addresses from pasted text or a file, ignoring all text around them."""
    try:
        text, _ = read_list_text(request, "list")
    except InvalidInputError as refusal:
        form.add_error("emails", refusal.issues[0].message)
        return request.POST.get("list", "")
    emails = list(dict.fromkeys(item.strip(".:") for item in _EMAIL_PATTERN.findall(text)))
    form.values["emails"] = emails
    if not emails:
        form.add_error("emails", gettext("Enter at least one email address."))
    elif len(emails) > MAX_EMAILS:
        form.add_error("emails", gettext("Enter at most %(most)s email addresses at once.") % {"most": MAX_EMAILS})
    return text


def _quote_addresses_in_errors(form: ToolForm) -> None:
    """Report errors with the address itself, because no one wants to count to the 40th address of a list."""
    emails = form.values.get("emails") or []
    for number, email in enumerate(emails):
        for message in form.errors.pop(f"emails.{number}", ()):
            form.add_error("emails", f"{email}: {message}")


def _format_result(result: Any) -> str:
    sent, already, quiet = (len(result[name]) for name in ("sent", "already", "quiet"))
    texts = [
        ngettext("Request sent to %(count)s person.", "Requests sent to %(count)s people.", sent) % {"count": sent}
        if sent
        else gettext("No requests sent.")
    ]
    if already:
        text = ngettext(
            "%(count)s person was already asked today.", "%(count)s people were already asked today.", already
        )
        texts.append(text % {"count": already})
    if quiet:
        text = ngettext("%(count)s person has unsubscribed.", "%(count)s people have unsubscribed.", quiet)
        texts.append(text % {"count": quiet})
    return " ".join(texts)
