"""The contact file of a card, which guests save."""

from __future__ import annotations

import io
import re
import unicodedata
from functools import lru_cache

from workspace.lib.person_name import parse_name
from workspace.lib.vcard import Contact, build_vcard
from workspace.products.card.models import Card, Lead
from workspace.storage.database.errors import FileStoreUnreachableError
from workspace.storage.files.images import load_image

PHOTO_SIZE = 320  # pixels: some address books reject a contact of more than a few hundred kB


def render_contact_file(card: Card, *, with_photo: bool = True) -> bytes:
    """Return the vCard of a card."""
    name = card.name
    return build_vcard(
        Contact(
            full_name=card.full_name,
            given_name=name.given,
            family_name=name.family,
            prefix=name.prefix,
            suffix=name.suffix,
            texts={"ORG": card.company, "TITLE": card.title},
            phones=card.phones,
            emails=card.emails,
            website=card.website,
            address=card.address,
            note=card.bio,
            links=[(link["label"], link["url"]) for link in card.links],
            photo=_load_photo(card.photo_id) if card.photo_id and with_photo else None,
            uid=card.pk,
            source=f"{card.public_url}.vcf",
            revised_at=card.updated_at,
        )
    )


def contact_from_lead(lead: Lead) -> Contact:
    """Return a lead as a contact for the owner's address book."""
    name = parse_name(lead.name)
    return Contact(
        full_name=lead.name,
        given_name=name.given,
        family_name=name.family,
        prefix=name.prefix,
        suffix=name.suffix,
        phones=[(lead.phone, "")] if lead.phone else [],
        emails=[(lead.email, "")] if lead.email else [],
        note=lead.note,
        uid=lead.pk,
        revised_at=lead.created_at,
    )


def file_name(card: Card) -> str:
    """Return the file's name in ASCII, such as `jane-doe.vcf`. If the name has no ASCII letters, use the slug."""
    plain = unicodedata.normalize("NFKD", card.full_name).encode("ascii", "ignore").decode()
    return (re.sub(r"[^A-Za-z0-9]+", "-", plain).strip("-").lower()[:60] or card.slug) + ".vcf"


def _load_photo(id: str) -> bytes | None:
    """Return the photo, as `_render_square_photo` does. Return None if the file store is unreachable."""
    try:
        return _render_square_photo(id)
    except FileStoreUnreachableError:
        return None


@lru_cache(maxsize=64)
def _render_square_photo(id: str) -> bytes | None:
    """Return a small square JPEG of an upload, which never changes. Return None if its content is missing."""
    try:
        content = load_image(id, 768)
    except FileNotFoundError:
        return None
    from PIL import Image, ImageOps

    with Image.open(io.BytesIO(content)) as opened:
        picture = opened.convert("RGBA")
    paper = Image.new("RGB", picture.size, "white")  # JPEG has no transparency
    paper.paste(picture, mask=picture)
    side = min(PHOTO_SIZE, *paper.size)
    out = io.BytesIO()
    ImageOps.fit(paper, (side, side), Image.Resampling.LANCZOS).save(out, "JPEG", quality=82, optimize=True)
    return out.getvalue()
