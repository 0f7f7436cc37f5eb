"""Beside the page of a proposal: that it was looked at, the sealed copy, no more reminders."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render

from workspace.analytics.visitor import visitor_of_request
from workspace.products.bid.domain import pdf, read_receipts
from workspace.products.bid.domain.owner_decisions import standing
from workspace.products.bid.models import Proposal, Status
from workspace.products.bid.public.views import kept_nowhere, page
from workspace.public_site import guest_page
from workspace.public_site.guest_form import HOUR
from workspace.public_site.guest_page import acting
from workspace.public_site.spam_protection import allow, same_origin
from workspace.publishing.models import Address
from workspace.publishing.models.visit import VIEW

LOOKS = 60  # an hour that one place may tell of one proposal


def seen(request: HttpRequest, address: Address) -> HttpResponse:
    """What the page tells once it is drawn, and once it is left: an empty answer, whatever becomes of it."""
    if request.method != "POST":
        return page(request, address)
    bid, answer = Proposal.at(address), HttpResponse(status=204)
    if bid.status == Status.DRAFT or not same_origin(request) or not read_receipts.is_client(request, bid):
        return answer
    if not allow(request, f"bid-seen:{bid.pk}", limit=LOOKS, window=HOUR):
        return answer
    device = visitor_of_request(request).device
    stayed = {
        name.removeprefix("s_"): int(text)
        for name, text in request.POST.items()
        if name.startswith("s_") and isinstance(text, str) and text.isascii() and text.isdigit() and len(text) < 6
    }
    with acting(address.publication_id):
        if stayed:
            read_receipts.stayed(bid, device, stayed)
        else:
            read_receipts.opened(bid, request.POST.get("hash", "")[:64], device)
    if not stayed:
        guest_page.count(request, address.publication, VIEW)
    return answer


def copy(request: HttpRequest, address: Address) -> HttpResponse:
    """`/p/TOKEN.pdf`: the very file that was sealed, once there is one."""
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD"])
    bid = Proposal.at(address)
    decision = standing(bid)
    try:
        content = pdf.sealed(decision) if decision is not None else b""
    except FileNotFoundError:
        content = b""
    if not content:
        return page(request, address)
    if request.method == "GET" and read_receipts.is_client(request, bid):
        with acting(address.publication_id):
            read_receipts.downloaded(bid)
    response = HttpResponse(content, content_type="application/pdf")
    response.headers["Content-Disposition"] = f'attachment; filename="{pdf.name_of(bid)}"'
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def quiet(request: HttpRequest, address: Address) -> HttpResponse:
    """No more reminders: a question first, so that a program that follows links changes nothing; a mail program's one
    click posts."""
    bid = Proposal.at(address)
    if request.method == "POST":
        with acting(address.publication_id):
            read_receipts.quiet(bid)
    elif request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
    context = {"bid": bid, "slug": bid.slug, "business": bid.account.name, "is_done": request.method == "POST"}
    return kept_nowhere(render(request, "bid/quiet.html", context))
