"""Where a plain scan leads: asked by the front door, for every scan, so it costs two small queries and no more."""

from __future__ import annotations

from workspace.products.qr.models import KIND, SCAN, Code
from workspace.publishing.front_door import Follow
from workspace.publishing.models import Address, State


def answer(slug: str) -> Follow | None:
    """The redirect for a slug; None when a page has to say or to ask something first."""
    address = Address.find(KIND, slug)
    if address is None:
        return None
    publication = address.publication
    if publication.state is not State.LIVE or publication.password:
        return None
    target = Code.objects.filter(publication=publication).values_list("target_url", flat=True).first()
    return Follow(publication.pk, SCAN, target) if target else None
