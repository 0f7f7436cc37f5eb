"""What a guest meets at `/e/SLUG`: the program."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from workspace.brand.models import Brand
from workspace.products.event.models import Event
from workspace.products.event.program import Program
from workspace.publishing.guest_page import show
from workspace.publishing.models import Address
from workspace.publishing.page_cache import Drawn
from workspace.publishing.share_picture import Face, sharing


def page(request: HttpRequest, address: Address) -> HttpResponse:
    """The program. What is unpublished never comes here: its address answers 404, but for its owner's look at it."""
    return show(request, address, _drawn)


def face_at(address: Address) -> Face:
    return face_of(Event.at(address))


def face_of(event: Event) -> Face:
    text = event.venue or event.description or Brand.of(event.account).line
    return Face.of(event.account, event.title, text, look=event.look, photo=event.picture_id or "")


def _drawn(address: Address) -> Drawn:
    event = Event.at(address)
    share = sharing(address, face_of(event))
    context = {"program": Program.of(event), "event": event, "slug": address.slug, "look": event.look, "share": share}
    return Drawn(render_to_string("event/guest.html", context))
