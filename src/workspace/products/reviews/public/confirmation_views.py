"""`/r/SLUG/confirm/TOKEN`: the emailed link. Link scanners open it, so people confirm with a button."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from workspace.products.reviews.models import Testimonial
from workspace.products.reviews.models.testimonial import CONFIRM_PURPOSE
from workspace.public_site.spam_protection import is_same_origin
from workspace.publishing import guest_links
from workspace.publishing.models import Address
from workspace.rate_limits.counter import consume
from workspace.storage.database.transactions import write_transaction


@require_http_methods(["GET", "HEAD", "POST"])
def confirm_email(request: HttpRequest, address: Address, token: str) -> HttpResponse:
    if not consume("review-confirm", request, item=address.publication_id):
        return _render_message(request, address, "many", None, 429)
    result = Testimonial.objects.select_related("page__publication", "page__account")
    waiting = result.filter(
        pk=guest_links.find_subject(token, CONFIRM_PURPOSE), page__publication=address.publication_id
    ).first()
    if waiting is None:
        return _render_message(request, address, "over", None, 404)
    if request.method != "POST":
        return _render_message(request, address, "ask", waiting, 200)
    if not is_same_origin(request):
        return _render_message(request, address, "ask", waiting, 403)
    with write_transaction():
        is_done = guest_links.redeem_link(token, CONFIRM_PURPOSE) == waiting.pk and waiting.confirm_email()
    return _render_message(request, address, "done" if is_done else "over", waiting, 200 if is_done else 404)


def _render_message(
    request: HttpRequest, address: Address, outcome: str, testimonial: Testimonial | None, status: int
) -> HttpResponse:
    account = address.publication.account
    context = {
        "what": outcome,
        "testimonial": testimonial,
        "business": account.name if account else "",
        "slug": address.slug,
    }
    return guest_links.private_response(render(request, "reviews/confirm.html", context, status=status))
