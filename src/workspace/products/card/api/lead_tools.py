"""Tools for leads of a card, its statistics, and exports of leads and cards."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, time, timedelta
from typing import Annotated, Literal

from pydantic import Field

from workspace.accounts.models import Account
from workspace.analytics.queries import compute_statistics
from workspace.analytics.serializers import (
    DayStats,
    VisitStats,
    add_previous_counts,
    format_days,
    format_stats,
    list_day_stats,
    visit_stats,
)
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError
from workspace.lib.tabular import csv_table
from workspace.lib.text import escape_markdown
from workspace.lib.vcard import build_vcard
from workspace.products.card import messages
from workspace.products.card.api.arguments import CardId, format_phone
from workspace.products.card.api.serializers import LeadData, cards_for, get_card, lead_data
from workspace.products.card.api.text import format_lead
from workspace.products.card.api.tools import box
from workspace.products.card.domain.contact_file import contact_from_lead, file_name, render_contact_file
from workspace.products.card.domain.leads import leads_for
from workspace.products.card.models import KIND, SAVE_EVENT, Card, Lead
from workspace.publishing.export_answers import Export, export_text
from workspace.publishing.models.visit import VIEW_EVENT
from workspace.publishing.shared_item_arguments import Days, limit_days
from workspace.tools.answer import Answer, Listing, format_fact_list, listing_answer
from workspace.tools.argument_types import Limit, Offset

MAX_EXPORT_ROWS = 50_000
COLUMNS = ("submitted", "name", "email", "phone", "note", "agreed to", "card")


@box.tool(
    "svc_card_leads",
    title="List leads of a business card",
    about="List the leads of a card (people who left their contact details), newest first, with the consent text "
    "they agreed to. For the leads of all products, use svc_leads.",
    short="List people who left their contact details on a business card.",
    synonyms="contacts from card, who left details, prospects, visitenkarte kontakte, contactos de la tarjeta, "
    "interessenten",
    reads=True,
    columns="name email phone submitted_at id",
)
def list_leads(account: Account, card_id: CardId, limit: Limit = 50, offset: Offset = 0) -> Answer[Listing[LeadData]]:
    card = get_card(account, card_id)
    leads = [lead_data(lead) for lead in card.leads.all()[offset : offset + limit]]
    return listing_answer(leads, total=card.leads.count(), offset=offset, noun="leads", line=format_lead)


@box.tool(
    "svc_card_export",
    title="Export leads or cards",
    about="Export up to 50,000 leads, newest first, as a CSV table or as contacts for an address book. You can also "
    "export your cards as contacts. Times are in your time zone. Cells that look like formulas are prefixed with an "
    "apostrophe.",
    short="Export leads as CSV or contacts, or cards as contacts.",
    synonyms="download contacts, vcf, csv, excel, address book, kontakte exportieren, adressbuch, exportar "
    "contactos, descargar clientes potenciales",
    reads=True,
)
def export(
    account: Account,
    kind: Annotated[Literal["leads", "vcards"], Field(description="Data to export: leads, or your cards as contacts.")],
    card_id: Annotated[CardId, Field(description="Card ID, from svc_card_list. Defaults to all cards.")] | None = None,
    format: Annotated[Literal["csv", "vcf"], Field(description="Format of the leads: a table (csv) or contacts (vcf).")]
    | None = None,
) -> Answer[Export]:
    card = get_card(account, card_id) if card_id is not None else None
    if kind == "leads":
        return _export_leads(account, card, format or "csv")
    if format == "csv":
        raise InvalidInputError.at_path("format", messages.CARDS_ARE_CONTACTS)
    cards = [card] if card else list(cards_for(account))
    text = b"".join(render_contact_file(item, with_photo=card is not None) for item in cards).decode()
    name = file_name(card) if card else "cards.vcf"
    return export_text("card", "contact", name, text, rows=len(cards), kind=kind, card_id=card_id)


def _export_leads(account: Account, card: Card | None, format: str) -> Answer[Export]:
    leads = card.leads.all() if card else leads_for(account)
    left = list(leads.select_related("card")[:MAX_EXPORT_ROWS])
    if format == "csv":
        text = csv_table.write(COLUMNS, (_table_row(lead, account) for lead in left))
    else:
        text = b"".join(build_vcard(contact_from_lead(lead)) for lead in left).decode()
    total = leads.count()
    more = f"It contains the newest {len(left):,} of {total:,}." if total > len(left) else ""
    name = f"leads-{card.slug}.{format}" if card else f"leads.{format}"
    fields = {"card_id": card.pk if card else None, "format": format}
    return export_text("card", "lead", name, text, rows=len(left), kind="leads", exclusion_note=more, **fields)


def _table_row(lead: Lead, account: Account) -> tuple[str, ...]:
    at = lead.created_at.astimezone(account.zone).isoformat(timespec="seconds")
    return (at, lead.name, lead.email, format_phone(lead.phone), lead.note, lead.consent, lead.card.full_name)


class CardDayStats(DayStats):
    contact_saves: int
    leads: int


class CardStats(VisitStats):
    id: str
    full_name: str
    contact_saves: int
    contact_saves_in_days: int
    lead_count: int
    leads_in_days: int
    by_day: list[CardDayStats]


@box.tool(
    "svc_card_stats",
    title="Get business card analytics",
    about="Get views, saved contacts and leads of a card, in total, for the period and by day. Also get views by "
    "device, city, country and referrer. Bots are counted separately. Days are in the account's time zone. "
    "Your plan limits how far back the data goes.",
    short="Get views, saved contacts and leads of a business card.",
    synonyms="analytics, statistics, how many views, how many people saved, visits, aufrufe, statistik, visitas, "
    "estadísticas, cuántos, views of card, card views, saved contacts, aufrufe der visitenkarte, "
    "visitas de la tarjeta",
    reads=True,
)
def stats(account: Account, card_id: CardId, days: Days | None = None) -> Answer[CardStats]:
    card = get_card(account, card_id)
    history = account.limits(KIND).history_days
    days = limit_days(days, history)
    views = compute_statistics(card.publication_id, VIEW_EVENT, days=days, zone=account.zone)
    saves = compute_statistics(card.publication_id, SAVE_EVENT, days=days, zone=account.zone)
    left = _count_leads_by_day(account, card, 2 * days)
    leads = sum(left[day["date"]] for day in list_day_stats(views))
    earlier = {"contact_saves": saves.before, "leads": left.total() - leads}
    data: CardStats = {
        **add_previous_counts(visit_stats(views, account), history, views=views.before, **earlier),
        "id": card.pk,
        "full_name": card.full_name,
        "contact_saves": saves.total,
        "contact_saves_in_days": saves.total_in_window,
        "lead_count": card.leads.count(),
        "leads_in_days": leads,
        "by_day": [
            {**day, "contact_saves": save.count, "leads": left[day["date"]]}
            for day, save in zip(list_day_stats(views), saves.by_day, strict=True)
        ],
    }
    pairs = {
        **format_stats(data),
        "contact saves, total": data["contact_saves"],
        f"contact saves in the last {days} days": data["contact_saves_in_days"],
        "leads, total": data["lead_count"],
        f"leads in the last {days} days": data["leads_in_days"],
    }
    text = format_fact_list(f"Analytics of the card of {escape_markdown(card.full_name)}", pairs)
    return Answer(data, "\n".join([text, "", "By day:", *format_days(data["by_day"])]))


def _count_leads_by_day(account: Account, card: Card, days: int) -> Counter[str]:
    """Count the leads of each day of the account. Keys are ISO dates."""
    first = clock.now().astimezone(account.zone).date() - timedelta(days=days - 1)
    since = datetime.combine(first, time.min, account.zone).astimezone(UTC)
    moments = card.leads.filter(created_at__gte=since).order_by().values_list("created_at", flat=True)
    return Counter(at.astimezone(account.zone).date().isoformat() for at in moments.iterator())
