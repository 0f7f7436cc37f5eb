"""What a client meets at `/p/TOKEN`."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from workspace.products.bid import telling
from workspace.products.bid.models import Proposal
from workspace.products.bid.offer import first_shown
from workspace.products.bid.totals import totals
from workspace.publishing import guest_page
from workspace.publishing.language import day
from workspace.publishing.models import Address
from workspace.publishing.page_cache import Drawn
from workspace.publishing.speaking import voice


def page(request: HttpRequest, address: Address) -> HttpResponse:
    """`/p/TOKEN`: the proposal; of a draft, that it is not sent yet."""
    return guest_page.show(request, address, _draw)


def _draw(address: Address) -> Drawn:
    return Drawn(render_to_string("bid/page.html", context_of(address, Proposal.at(address))))


def context_of(address: Address, bid: Proposal) -> dict[str, object]:
    language = voice().language
    offer = bid.offer
    selection = first_shown(offer)
    return {
        "bid": bid,
        "slug": address.slug,
        "rows": telling.rows(offer, selection, language),
        "packages": [(package, telling.package_price(package, offer, language)) for package in offer.packages],
        "sums": telling.sums(offer, totals(offer, selection), language, bid.tax_label),
        "until": day(bid.valid_until, language),
    }
