"""Other endpoints of a proposal: recording views, the signed copy, and unsubscribing from reminders."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render

from workspace.analytics.visitor import visitor_from_request
from workspace.products.bid.domain import pdf, read_receipts
from workspace.products.bid.domain.owner_decisions import current_decision
from workspace.products.bid.models import Proposal, Status
from workspace.products.bid.public.views import as_private_response, page
from workspace.public_site import guest_page
from workspace.public_site.guest_page import guest_transaction
from workspace.public_site.spam_protection import is_same_origin
from workspace.publishing.models import Address
from workspace.publishing.models.visit import VIEW_EVENT
from workspace.rate_limits.counter import consume


def record_view(request: HttpRequest, address: Address) -> HttpResponse:
    """Record the beacons that the page sends when it is displayed and when the client leaves it.

    Always return an empty response.
    """
    if request.method != "POST":
        return page(request, address)
    bid, answer = Proposal.from_address(address), HttpResponse(status=204)
    if bid.status == Status.DRAFT or not is_same_origin(request) or not read_receipts.is_client_request(request, bid):
        return answer
    if not consume("bid-view", request, item=bid.pk):
        return answer
    device = visitor_from_request(request).device
    stayed = {
        name.removeprefix("s_"): int(text)
        for name, text in request.POST.items()
        if name.startswith("s_") and isinstance(text, str) and text.isascii() and text.isdigit() and len(text) < 6
    }
    with guest_transaction(address.publication_id):
        if stayed:
            read_receipts.record_reading_time(bid, device, stayed)
        else:
            read_receipts.record_revision_view(bid, request.POST.get("hash", "")[:64], device)
    if not stayed:
        guest_page.count_visit(request, address.publication, VIEW_EVENT)
    return answer


def download_signed_copy(request: HttpRequest, address: Address) -> HttpResponse:
    """Return the signed file at `/p/TOKEN.pdf`, once it exists."""
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD"])
    bid = Proposal.from_address(address)
    decision = current_decision(bid)
    try:
        content = pdf.load_signed_pdf(decision) if decision is not None else b""
    except FileNotFoundError:
        content = b""
    if not content:
        return page(request, address)
    if request.method == "GET" and read_receipts.is_client_request(request, bid):
        with guest_transaction(address.publication_id):
            read_receipts.record_download(bid)
    response = HttpResponse(content, content_type="application/pdf")
    response.headers["Content-Disposition"] = f'attachment; filename="{pdf.file_name(bid)}"'
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def unsubscribe_from_reminders(request: HttpRequest, address: Address) -> HttpResponse:
    """Stop reminders after a confirmation. Programs that only follow links therefore change nothing.

    The one-click unsubscribe of an email client is a POST.
    """
    bid = Proposal.from_address(address)
    if request.method == "POST":
        with guest_transaction(address.publication_id):
            read_receipts.mute_reminders(bid)
    elif request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
    context = {"bid": bid, "slug": bid.slug, "business": bid.account.name, "is_done": request.method == "POST"}
    return as_private_response(render(request, "bid/mute_reminders.html", context))
