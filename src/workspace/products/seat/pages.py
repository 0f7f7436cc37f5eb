"""What a guest meets at `/s/SLUG`."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext

from workspace.brand.models import Brand
from workspace.products.seat.models import Chart
from workspace.publishing import guest_page
from workspace.publishing.models import Address
from workspace.publishing.page_cache import Drawn
from workspace.publishing.share_picture import Face, sharing


def page(request: HttpRequest, address: Address) -> HttpResponse:
    return guest_page.show(request, address, _draw)


def _draw(address: Address) -> Drawn:
    chart = Chart.at(address)
    context = {"chart": chart, "slug": chart.slug, "share": sharing(address, face_of(chart))}
    return Drawn(render_to_string("seat/page.html", context))


def face_at(address: Address) -> Face:
    return face_of(Chart.at(address))


def face_of(chart: Chart) -> Face:
    """What is seen of it where its address is sent."""
    return Face.of(chart.account, chart.title, gettext("Find your table"), look=Brand.of(chart.account).look)
