"""Pages and their addresses when an account moves. An address that is taken here becomes another one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import make_password

from workspace.accounts.plans import KEYS, PRODUCTS
from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import Arrival, Carried, leave
from workspace.lib.errors import ToolError
from workspace.lib.ids import new_slug
from workspace.publishing.models import Address, Facet, Publication, Tally, Visit, Words
from workspace.publishing.slugs import SLUG
from workspace.qr_symbols.style import Style

_SLUGS = "slugs"


def _taken(arrival: Arrival, rows: Sequence[Any]) -> Iterator[tuple[Any, dict[str, Any]]]:
    here = set(Address.objects.filter(slug__in=[row.slug for row in rows]).values_list("kind", "slug"))
    for row in rows:
        if row.kind not in PRODUCTS or not SLUG.match(row.slug):
            raise ToolError(f"{row.slug[:50]!r} is no address that a page may have")
        slug, path = row.slug, PRODUCTS[row.kind].path
        if (row.kind, row.slug) in here:
            slug = new_slug()
            arrival.memory.setdefault(_SLUGS, {})[row.publication_id, row.slug] = slug
            arrival.note(f"{path}{row.slug} is somebody else’s here: the page is at {path}{slug} now")
            yield row, {"slug": slug}
        before, now = f"{arrival.packed_from}{path}{row.slug}", f"{settings.BASE_URL}{path}{slug}"
        if before != now:
            arrival.addresses[before] = now


def _publication(arrival: Arrival, row: Any, told: dict[str, Any]) -> None:
    slugs = arrival.memory.get(_SLUGS, {})
    row.slug = slugs.get((told["id"], row.slug), row.slug)
    if told.get("password"):
        row.password = make_password(None)  # which nothing unlocks
        arrival.note(f"The page at {PRODUCTS[row.kind].path}{row.slug} had a password: set a new one to open it")


leave("leads from a mail that was sent, or is the installation's own", "publishing.guestlink", "publishing.report")
leave("tells visitors of one day apart here", "publishing.seen", "publishing.salt", "publishing.attempt")
_KIND = {"kind": column_types.one_of(*KEYS)}
_PAGE = {**_KIND, "slug": column_types.matching(f"({SLUG.pattern})?", "This is no address that a page may have")}
_VISITED = {"part": column_types.Identifier}
_SEEN = {"device": column_types.Token, **dict.fromkeys(("city", "country", "referrer"), column_types.AnyText)}
CARRIED = (
    Carried(
        model=Publication,
        without=("password",),
        told={"password": lambda row: bool(row.password)},
        arrive=_publication,
        reads={**_PAGE, "code_style": column_types.as_stored(Style), "ban_reason": column_types.PlainText},
    ),
    Carried(model=Address, clash=_taken, reads=_PAGE),
    Carried(model=Visit, without=("visitor",), reads={**_VISITED, **_SEEN}),
    Carried(model=Tally, reads=_VISITED),
    Carried(model=Facet, reads={"dimension": column_types.Token, "value": column_types.AnyText}),
    Carried(model=Words, reads={**_KIND, "title": column_types.AnyText, "words": column_types.AnyText}),
)
