"""Asking people by mail to sign: one address or a pasted list, and who of them has."""

from __future__ import annotations

import re
from typing import Any

from django.http import HttpResponse

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import done, moment
from workspace.dashboard.list_upload import pasted
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call, page
from workspace.lib.errors import InvalidInput
from workspace.lib.text import counted
from workspace.products.waiver.api import signature_tools, tools
from workspace.products.waiver.api.arguments import MOST_EMAILS
from workspace.products.waiver.dashboard.layout import FRAME

LABELS = {"emails": "E-mail addresses", "message": "A few words of yours"}
STATES = {
    "signed": ("Signed", "good"),
    "sent": ("Not signed yet", "wait"),
    "waiting": ("On its way", ""),
    "bounced": ("Did not arrive", "bad"),
}
_ADDRESS = re.compile(r"[^\s,;<>\"()\[\]|]+@[^\s,;<>\"()\[\]|]+")


@page("GET", "HEAD", "POST")
def ask(request: SignedInRequest, id: str) -> HttpResponse:
    found: Any = call(request, tools.get, id=id)
    form = ToolForm(signature_tools.invite, request, fixed={"id": id}, labels=LABELS)
    text = ""
    if form.bound:
        text = _read(request, form)
        if not form.errors and (answer := form.submit(request.caller)):
            return done(request, _told(answer.data), f"{FRAME.home}/{id}/share/ask")
        _named(form)
    context = {
        "form": form,
        "waiver": found,
        "text": text,
        "rows": [{**row, "at": moment(row["at"]), "badge": STATES[row["state"]]} for row in found["asked"]],
        "most": MOST_EMAILS,
    }
    return FRAME.page(request, id, "waiver/owner/ask.html", context, form.status)


def _read(request: SignedInRequest, form: ToolForm) -> str:
    """The addresses of what was pasted or sent as a file, whatever stands around them."""
    try:
        text, _ = pasted(request, "list")
    except InvalidInput as refusal:
        form.refuse("emails", refusal.issues[0].message)
        return request.POST.get("list", "")
    emails = list(dict.fromkeys(one.strip(".:") for one in _ADDRESS.findall(text)))
    form.values["emails"] = emails
    if not emails:
        form.refuse("emails", "There is no e-mail address in it")
    elif len(emails) > MOST_EMAILS:
        form.refuse("emails", f"{len(emails)} addresses: at most {MOST_EMAILS} at once, please")
    return text


def _named(form: ToolForm) -> None:
    """Nobody counts to the 40th address of a list: what is wrong is told at the field, by the address."""
    emails = form.values.get("emails") or []
    for number, one in enumerate(emails):
        for message in form.errors.pop(f"emails.{number}", ()):
            form.refuse("emails", f"{one}: {message}")


def _told(made: Any) -> str:
    sent = f"Asked {counted(len(made['sent']), 'person', 'people')}." if made["sent"] else "Nobody was written to."
    already = f" {len(made['already'])} asked today already." if made["already"] else ""
    quiet = f" {len(made['quiet'])} want no such mail." if made["quiet"] else ""
    return sent + already + quiet
