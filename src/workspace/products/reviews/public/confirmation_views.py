"""`/r/SLUG/confirm/TOKEN`: the link in the mail. Programs that look at mail follow links, so a button confirms."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from workspace.products.reviews.models import Testimonial
from workspace.products.reviews.models.testimonial import CONFIRM
from workspace.public_site.spam_protection import allow, same_origin
from workspace.publishing import guest_links
from workspace.publishing.models import Address
from workspace.storage.database.transactions import writing

TRIES, WINDOW = 30, 600


@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, address: Address, token: str) -> HttpResponse:
    if not allow(request, f"review-confirm:{address.publication_id}", limit=TRIES, window=WINDOW):
        return _say(request, address, "many", None, 429)
    found = Testimonial.objects.select_related("page__publication", "page__account")
    waiting = found.filter(pk=guest_links.peek(token, CONFIRM), page__publication=address.publication_id).first()
    if waiting is None:
        return _say(request, address, "over", None, 404)
    if request.method != "POST":
        return _say(request, address, "ask", waiting, 200)
    if not same_origin(request):
        return _say(request, address, "ask", waiting, 403)
    with writing():
        is_done = guest_links.spend(token, CONFIRM) == waiting.pk and waiting.confirm()
    return _say(request, address, "done" if is_done else "over", waiting, 200 if is_done else 404)


def _say(
    request: HttpRequest, address: Address, what: str, testimonial: Testimonial | None, status: int
) -> HttpResponse:
    account = address.publication.account
    context = {
        "what": what,
        "testimonial": testimonial,
        "business": account.name if account else "",
        "slug": address.slug,
    }
    return guest_links.sealed(render(request, "reviews/confirm.html", context, status=status))
