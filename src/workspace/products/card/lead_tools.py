"""What comes back from a card: the people who left their details, and its figures."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, time, timedelta

from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.products.card.models import KIND, SAVE, Card
from workspace.products.card.rows import LeadRow, card_of, lead_line, lead_row
from workspace.products.card.tools import box
from workspace.publishing.arguments import Days, window
from workspace.publishing.guest_page import VIEW
from workspace.publishing.rows import Deleted, one
from workspace.publishing.statistics import statistics
from workspace.publishing.visit_rows import DayRow, Visits, day_rows, facts_of, visits
from workspace.toolkit import clock, table
from workspace.toolkit.answer import Answer, Listing, facts, listing
from workspace.toolkit.text import escape_markdown
from workspace.toolkit.types import Id, Limit, Offset

MAX_EXPORT = 50_000
COLUMNS = ("submitted", "name", "email", "phone", "note", "agreed to")


@box.tool("svc_card_leads", title="Leads of a business card", reads=True)
def leads(account: Account, card_id: Id, limit: Limit = 50, offset: Offset = 0) -> Answer[Listing[LeadRow]]:
    """The people who left their details with a card, newest first, with the words that they agreed to."""
    card = card_of(account, card_id)
    found = [lead_row(lead) for lead in card.leads.all()[offset : offset + limit]]
    return listing(found, total=card.leads.count(), offset=offset, noun="leads", line=lead_line)


class LeadExport(TypedDict):
    card_id: str
    file_name: str
    rows: int
    truncated: bool
    csv: str


@box.tool("svc_card_export_leads", title="Export leads as CSV", reads=True)
def export_leads(account: Account, card_id: Id) -> Answer[LeadExport]:
    """All leads of a card as CSV text: time with offset in your time zone, name, e-mail, phone, note and what they
    agreed to. Newest first, 50,000 at most. A cell that a spreadsheet would run as a formula begins with an
    apostrophe."""
    card = card_of(account, card_id)
    found = card.leads.values_list("created_at", "name", "email", "phone", "note", "consent")[:MAX_EXPORT]
    lines = [(at.astimezone(account.zone).isoformat(timespec="seconds"), *texts) for at, *texts in found]
    count = len(lines)
    data: LeadExport = {
        "card_id": card.pk,
        "file_name": f"leads-{card.slug}.csv",
        "rows": count,
        "truncated": card.leads.count() > count,
        "csv": table.write(COLUMNS, lines),
    }
    return Answer(data, f"{count} leads of {escape_markdown(card.full_name)}, as CSV in `csv`.")


@box.tool("svc_card_remove_lead", title="Remove a lead", destructive=True, final="What a person left is erased")
def remove_lead(account: Account, card_id: Id, lead_id: Id) -> Answer[Deleted]:
    """Remove what one person left with a card, for good: when they ask for it, for instance."""
    found = card_of(account, card_id).leads.all()
    lead = one(found, lead_id, "There is no such lead: svc_card_leads shows them with their ids")
    lead.delete()
    return Answer({"id": lead_id, "deleted": True}, f"Removed {escape_markdown(lead.name)}.")


class CardDay(DayRow):
    contact_saves: int
    leads: int


class Stats(Visits):
    id: str
    full_name: str
    contact_saves: int
    contact_saves_in_days: int
    lead_count: int
    leads_in_days: int
    by_day: list[CardDay]


@box.tool("svc_card_stats", title="Figures of a business card", reads=True)
def stats(account: Account, id: Id, days: Days | None = None) -> Answer[Stats]:
    """Views by people, contact saves and leads: in all, in the window and by day; views by device, city, country and
    referrer. Bots are counted apart. Days are the account's; the plan caps how far back."""
    card = card_of(account, id)
    days = window(days, account.limits(KIND).history_days)
    views = statistics(card.publication_id, VIEW, days=days, zone=account.zone)
    saves = statistics(card.publication_id, SAVE, days=days, zone=account.zone)
    left = _leads_by_day(account, card, days)
    data: Stats = {
        **visits(views, account),
        "id": card.pk,
        "full_name": card.full_name,
        "contact_saves": saves.total,
        "contact_saves_in_days": saves.total_in_window,
        "lead_count": card.leads.count(),
        "leads_in_days": sum(left.values()),
        "by_day": [
            {**day, "contact_saves": save.count, "leads": left[day["date"]]}
            for day, save in zip(day_rows(views), saves.by_day, strict=True)
        ],
    }
    pairs = {
        **facts_of(data),
        "contact saves in all": data["contact_saves"],
        f"contact saves in the last {days} days": data["contact_saves_in_days"],
        "leads in all": data["lead_count"],
        f"leads in the last {days} days": data["leads_in_days"],
    }
    return Answer(data, facts(f"Views of the card of {escape_markdown(card.full_name)}", pairs))


def _leads_by_day(account: Account, card: Card, days: int) -> Counter[str]:
    """Leads by the account's day, as ISO dates."""
    first = clock.now().astimezone(account.zone).date() - timedelta(days=days - 1)
    since = datetime.combine(first, time.min, account.zone).astimezone(UTC)
    moments = card.leads.filter(created_at__gte=since).order_by().values_list("created_at", flat=True)
    return Counter(at.astimezone(account.zone).date().isoformat() for at in moments.iterator())
