"""Serializers of cards and leads, which all answers use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.analytics.queries import load_totals, total_column
from workspace.lib import clock
from workspace.products.card import messages
from workspace.products.card.models import SAVE_EVENT, Card, Lead
from workspace.publishing.models.visit import VIEW_EVENT
from workspace.publishing.serializers import (
    ItemSummary,
    ItemUrls,
    build_row,
    item_summary,
    item_urls,
    with_public_state,
)
from workspace.publishing.submissions import Submission
from workspace.storage.database.compiled_function import compile_once
from workspace.storage.database.compiled_query import CompiledQuery, parameter


class LinkData(TypedDict):
    url: str
    label: str


class PhoneData(TypedDict):
    number: str
    label: str


class EmailData(TypedDict):
    email: str
    label: str


class CardSummary(ItemSummary):
    full_name: str
    title: str
    company: str
    phone: str
    more_phones: list[PhoneData]
    email: str
    more_emails: list[EmailData]
    website: str
    address: str
    bio: str
    links: list[LinkData]
    lead_capture: bool
    views: int
    contact_saves: int
    lead_count: int
    photo_id: str | None
    logo_id: str | None
    theme: str
    color: str


class CardDetail(CardSummary, ItemUrls):
    given_name: str
    family_name: str
    name_prefix: str
    name_suffix: str
    lead_form_shown: bool
    consent_text: str
    vcard_url: str


class LeadData(TypedDict):
    id: str
    name: str
    email: str
    phone: str
    note: str
    consent: str
    submitted_at: str | None


# counted for each card, because a join would count those of the whole account for every page
_LEAD_COUNT = Coalesce(
    Subquery(Lead.objects.filter(card=OuterRef("pk")).order_by().values("card").annotate(n=Count("*")).values("n")), 0
)


@compile_once
def cards_for(account: Account) -> QuerySet[Card]:
    """Return the account's cards with all data of a summary except the number of visits."""
    return with_public_state(account.cards.annotate(lead_count=_LEAD_COUNT)).select_related("publication", "account")


def get_card(account: Account, id: str) -> Card:
    """Return a card. Raise NotFoundError if it does not exist or belongs to another account."""
    return cards_for.get(id, messages.CARD_NOT_FOUND, account)


def paginate_cards(account: Account, *, limit: int, offset: int) -> tuple[list[CardSummary], int]:
    """Return a page of the account's cards, newest first, and the total number."""
    rows, total = _LIST_QUERY.fetch_page(limit=limit, offset=offset, account=account.pk)
    return [_card_summary(card, card.views, card.saves) for card in rows], total


def _with_counts(cards: QuerySet[Card]) -> QuerySet[Card]:
    return with_public_state(
        cards.annotate(lead_count=_LEAD_COUNT, views=total_column(VIEW_EVENT), saves=total_column(SAVE_EVENT))
    )


_LIST_QUERY: CompiledQuery[Any] = CompiledQuery(
    lambda: Card.objects.filter(account_id=parameter("account")), _with_counts
)


def list_card_summaries(account: Account, ids: Sequence[str]) -> list[CardSummary]:
    """Return the summaries of cards with these ids, in any order."""
    return [
        _card_summary(card, views, saves) for card, views, saves in _with_visits(cards_for(account).filter(pk__in=ids))
    ]


def list_card_details(cards: Iterable[Card]) -> list[CardDetail]:
    """Return the details of cards that were loaded with `cards_for`."""
    return [_card_detail(card, views, saves) for card, views, saves in _with_visits(cards)]


def _with_visits(cards: Iterable[Card]) -> Iterator[tuple[Card, int, int]]:
    cards = list(cards)
    publications = [card.publication_id for card in cards]
    views, saves = load_totals(publications, VIEW_EVENT), load_totals(publications, SAVE_EVENT)
    for card in cards:
        yield card, views[card.publication_id].total, saves[card.publication_id].total


def _card_detail(card: Card, views: int, saves: int) -> CardDetail:
    name = card.name
    return {
        **_card_summary(card, views, saves),
        **item_urls(card),
        "given_name": name.given,
        "family_name": name.family,
        "name_prefix": name.prefix,
        "name_suffix": name.suffix,
        "lead_form_shown": card.is_lead_form_shown,
        "consent_text": card.consent,
        "vcard_url": f"{card.public_url}.vcf",
    }


def _card_summary(card: Card, views: int, saves: int) -> CardSummary:
    values = {
        **item_summary(card),
        "more_phones": [{"number": phone["number"], "label": phone["label"]} for phone in card.more_phones],
        "more_emails": [{"email": email["email"], "label": email["label"]} for email in card.more_emails],
        "links": [{"url": link["url"], "label": link["label"]} for link in card.links],
        "views": views,
        "contact_saves": saves,
    }
    return build_row(CardSummary, card, values)  # `lead_count` is annotated by `cards_for`


def lead_data(lead: Lead) -> LeadData:
    return {
        "id": lead.pk,
        "name": lead.name,
        "email": lead.email,
        "phone": lead.phone,
        "note": lead.note,
        "consent": lead.consent,
        "submitted_at": clock.to_iso(lead.created_at),
    }


def lead_submissions(leads: Iterable[Lead]) -> list[Submission]:
    """Return leads in the format of the account's list of contacts."""
    return [
        {
            "id": lead.pk,
            "name": lead.name,
            "email": lead.email,
            "phone": lead.phone,
            "note": lead.note,
            "at": clock.to_iso(lead.created_at) or "",
            "thing_id": lead.card_id,
            "page": f"/app/card/{lead.card_id}/leads",
            "consent": lead.consent,
        }
        for lead in leads
    ]
