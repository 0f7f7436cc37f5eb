"""All papers or badges of a template as one ZIP, for who is signed in to the account or sends its key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import urlencode

from django.conf import settings
from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInput, NotFound
from workspace.products.certs.domain.queries import certificates_of, sought, template_of
from workspace.products.certs.models import Certificate, Template
from workspace.publishing.zip_stream import Entry, name_among, packed
from workspace.tools.answer import Pieces

BATCH = 200
KINDS = {"pdf": ("pdf_key", "certificates", "pdf"), "badge": ("badge_key", "badges", "json")}


def found_at(account: Account, id: str, asked: Mapping[str, str]) -> Pieces | None:
    """What `/files/TEMPLATE` holds: by `kind` its papers or badges, of those that `q` finds. Raises InvalidInput."""
    if not id.startswith("ctm_"):
        return None
    try:
        template = template_of(account, id)
    except NotFound:
        return None
    kind = asked.get("kind") or "pdf"
    if kind not in KINDS:
        raise InvalidInput.at("kind", f"One of {', '.join(KINDS)}")
    found = among(account, template, asked.get("q", ""))
    name = f"{KINDS[kind][1]}-{template.slug}.zip"
    return Pieces(name, "application/zip", packed(_entries(found, account, kind)))


def among(account: Account, template: Template | None, q: str = "") -> QuerySet[Certificate]:
    found = certificates_of(account)
    return sought(found.filter(template=template) if template is not None else found, account, q)


def url_of(template: Template, **asked: str | None) -> str:
    given = {name: text for name, text in asked.items() if text}
    return f"{settings.BASE_URL}/files/{template.pk}?{urlencode(given)}"


def _entries(found: QuerySet[Certificate], account: Account, kind: str) -> Iterator[Entry]:
    """Some at a time: no cursor stays open while somebody takes it slowly."""
    column, _, ending = KINDS[kind]
    left = found.exclude(**{column: ""})
    names: set[str] = set()
    last = ""
    while some := list((left.filter(pk__gt=last) if last else left).order_by("pk")[:BATCH]):
        for one in some:
            name = "".join(char if char.isalnum() or char in " .-_" else "_" for char in one.name).strip(" .")[:80]
            at = (one.sealed_at or one.created_at).astimezone(account.zone)
            yield Entry(name_among(f"{name} {one.shown_code}.{ending}", names), getattr(one, column), at)
        last = some[-1].pk
