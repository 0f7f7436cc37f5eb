"""A card and a lead as data, the same in every answer."""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings
from django.db.models import Count, QuerySet
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.products.card.models import KIND, SAVE, Card, Lead
from workspace.publishing.guest_page import VIEW
from workspace.publishing.statistics import totals
from workspace.toolkit import clock
from workspace.toolkit.errors import NotFound
from workspace.toolkit.text import escape_markdown


class LinkRow(TypedDict):
    url: str
    label: str


class CardRow(TypedDict):
    id: str
    full_name: str
    title: str
    company: str
    phone: str
    email: str
    website: str
    address: str
    bio: str
    links: list[LinkRow]
    lead_capture: bool
    public_url: str
    slug: str
    state: str
    views: int
    contact_saves: int
    lead_count: int
    photo_id: str | None
    logo_id: str | None
    theme: str
    colour: str
    created_at: str | None
    updated_at: str | None


class CardWhole(CardRow):
    given_name: str
    family_name: str
    lead_form_shown: bool
    consent_text: str
    vcard_url: str
    svg_url: str
    png_url: str
    slugs: list[str]


class LeadRow(TypedDict):
    id: str
    name: str
    email: str
    phone: str
    note: str
    consent: str
    submitted_at: str | None


def cards_of(account: Account) -> QuerySet[Card]:
    """The account's cards with all that a row shows but the visits: two queries, however many there are."""
    found = account.cards.select_related("publication").prefetch_related("publication__addresses")
    # said here, since an aggregate takes the model's own order away
    return found.annotate(lead_count=Count("leads")).order_by("-created_at", "-id")


def card_of(account: Account, id: str) -> Card:
    """Raises NotFound for a card that there is not, or that is another account's."""
    card = cards_of(account).select_related("photo", "logo").filter(pk=id).first()
    if card is None:
        raise NotFound("There is no such card: svc_card_list shows yours with their ids")
    return card


def rows(cards: Iterable[Card]) -> list[CardRow]:
    cards = list(cards)
    publications = [card.publication_id for card in cards]
    views, saves = totals(publications, VIEW), totals(publications, SAVE)
    return [_row(card, views[card.publication_id].total, saves[card.publication_id].total) for card in cards]


def whole(account: Account, card: Card) -> CardWhole:
    """`card` as `card_of` finds it."""
    [found] = rows([card])
    given, family = card.names
    return {
        **found,
        "given_name": given,
        "family_name": family,
        "lead_form_shown": card.lead_capture and account.limits(KIND).lead_capture,
        "consent_text": card.consent,
        "vcard_url": f"{found['public_url']}.vcf",
        "svg_url": f"{found['public_url']}.svg",
        "png_url": f"{found['public_url']}.png",
        "slugs": [address.slug for address in sorted(card.publication.addresses.all(), key=lambda a: -a.pk)],
    }


def _row(card: Card, views: int, saves: int) -> CardRow:
    slug = card.publication.slug
    return {
        "id": card.pk,
        "full_name": card.full_name,
        "title": card.title,
        "company": card.company,
        "phone": card.phone,
        "email": card.email,
        "website": card.website,
        "address": card.address,
        "bio": card.bio,
        "links": [{"url": link["url"], "label": link["label"]} for link in card.links],
        "lead_capture": card.lead_capture,
        "public_url": f"{settings.BASE_URL}/c/{slug}",
        "slug": slug,
        "state": card.publication.state.value,
        "views": views,
        "contact_saves": saves,
        "lead_count": card.lead_count,  # type: ignore[attr-defined]  # annotated by cards_of
        "photo_id": card.photo_id,
        "logo_id": card.logo_id,
        "theme": card.theme,
        "colour": card.colour,
        "created_at": clock.iso(card.created_at),
        "updated_at": clock.iso(card.updated_at),
    }


def one_line(found: CardRow) -> str:
    parts = [escape_markdown(found[name]) for name in ("title", "company") if found[name]]
    about = f", {', '.join(parts)}" if parts else ""
    state = "" if found["state"] == "live" else f", {found['state']}"
    return (
        f"**{escape_markdown(found['full_name'])}**{about}: {found['views']} views, {found['contact_saves']} contact "
        f"saves, {found['lead_count']} leads{state} {found['public_url']} `{found['id']}`"
    )


def lead_row(lead: Lead) -> LeadRow:
    return {
        "id": lead.pk,
        "name": lead.name,
        "email": lead.email,
        "phone": lead.phone,
        "note": lead.note,
        "consent": lead.consent,
        "submitted_at": clock.iso(lead.created_at),
    }


def lead_line(found: LeadRow) -> str:
    reach = ", ".join(escape_markdown(found[name]) for name in ("email", "phone") if found[name])
    note = f": “{escape_markdown(found['note'][:200])}”" if found["note"] else ""
    return f"**{escape_markdown(found['name'])}** ({reach}){note}, {found['submitted_at']} `{found['id']}`"
