"""A card and a lead as data, the same in every answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.analytics.queries import total_of, totals
from workspace.lib import clock
from workspace.products.card.models import SAVE, Card, Lead
from workspace.publishing.models.visit import VIEW
from workspace.publishing.serializers import Addresses, PublishedRow, addresses_of, one, published_row, shown
from workspace.publishing.submissions import Left
from workspace.storage.database.compiled_query import Statement, given


class LinkRow(TypedDict):
    url: str
    label: str


class PhoneRow(TypedDict):
    number: str
    label: str


class EmailRow(TypedDict):
    email: str
    label: str


class CardRow(PublishedRow):
    full_name: str
    title: str
    company: str
    phone: str
    more_phones: list[PhoneRow]
    email: str
    more_emails: list[EmailRow]
    website: str
    address: str
    bio: str
    links: list[LinkRow]
    lead_capture: bool
    views: int
    contact_saves: int
    lead_count: int
    photo_id: str | None
    logo_id: str | None
    theme: str
    colour: str


class CardWhole(CardRow, Addresses):
    given_name: str
    family_name: str
    name_prefix: str
    name_suffix: str
    lead_form_shown: bool
    consent_text: str
    vcard_url: str


class LeadRow(TypedDict):
    id: str
    name: str
    email: str
    phone: str
    note: str
    consent: str
    submitted_at: str | None


# counted for each card by itself: a join would count the whole account's for any page
_LEADS = Coalesce(
    Subquery(Lead.objects.filter(card=OuterRef("pk")).order_by().values("card").annotate(n=Count("*")).values("n")), 0
)


def cards_of(account: Account) -> QuerySet[Card]:
    """The account's cards with all that a row shows but the visits."""
    return shown(account.cards.annotate(lead_count=_LEADS)).select_related("publication", "account")


MISSING = "There is no such card: svc_card_list shows yours with their ids"


def card_of(account: Account, id: str) -> Card:
    """Raises NotFound for a card that there is not, or that is another account's."""
    return one(cards_of(account), id, MISSING)


def page_of(account: Account, *, limit: int, offset: int) -> tuple[list[CardRow], int]:
    """Some of the account's cards, newest first, and how many there are."""
    found, total = _LISTED.page(limit=limit, offset=offset, account=account.pk)
    return [_row(card, card.views, card.saves) for card in found], total


def _with_figures(cards: QuerySet[Card]) -> QuerySet[Card]:
    return shown(cards.annotate(lead_count=_LEADS, views=total_of(VIEW), saves=total_of(SAVE)))


_LISTED: Statement[Any] = Statement(lambda: Card.objects.filter(account_id=given("account")), _with_figures)


def rows_of(account: Account, ids: Sequence[str]) -> list[CardRow]:
    """Cards by their ids, in whatever order."""
    return [_row(card, views, saves) for card, views, saves in _visited(cards_of(account).filter(pk__in=ids))]


def wholes(cards: Iterable[Card]) -> list[CardWhole]:
    """`cards` as `cards_of` finds them."""
    return [_whole(card, views, saves) for card, views, saves in _visited(cards)]


def _visited(cards: Iterable[Card]) -> Iterator[tuple[Card, int, int]]:
    cards = list(cards)
    publications = [card.publication_id for card in cards]
    views, saves = totals(publications, VIEW), totals(publications, SAVE)
    for card in cards:
        yield card, views[card.publication_id].total, saves[card.publication_id].total


def _whole(card: Card, views: int, saves: int) -> CardWhole:
    name = card.name
    return {
        **_row(card, views, saves),
        **addresses_of(card),
        "given_name": name.given,
        "family_name": name.family,
        "name_prefix": name.prefix,
        "name_suffix": name.suffix,
        "lead_form_shown": card.takes_leads,
        "consent_text": card.consent,
        "vcard_url": f"{card.public_url}.vcf",
    }


def _row(card: Card, views: int, saves: int) -> CardRow:
    return {
        **published_row(card),
        "full_name": card.full_name,
        "title": card.title,
        "company": card.company,
        "phone": card.phone,
        "more_phones": [{"number": one["number"], "label": one["label"]} for one in card.more_phones],
        "email": card.email,
        "more_emails": [{"email": one["email"], "label": one["label"]} for one in card.more_emails],
        "website": card.website,
        "address": card.address,
        "bio": card.bio,
        "links": [{"url": link["url"], "label": link["label"]} for link in card.links],
        "lead_capture": card.lead_capture,
        "views": views,
        "contact_saves": saves,
        "lead_count": card.lead_count,  # type: ignore[attr-defined]  # annotated by cards_of
        "photo_id": card.photo_id,
        "logo_id": card.logo_id,
        "theme": card.theme,
        "colour": card.colour,
    }


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


def left(leads: Iterable[Lead]) -> list[Left]:
    """Leads as the account's list of contacts tells them."""
    return [
        {
            "id": lead.pk,
            "name": lead.name,
            "email": lead.email,
            "phone": lead.phone,
            "note": lead.note,
            "at": clock.iso(lead.created_at) or "",
            "thing_id": lead.card_id,
            "page": f"/app/card/{lead.card_id}/leads",
            "consent": lead.consent,
        }
        for lead in leads
    ]
