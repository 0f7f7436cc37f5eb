"""What comes back from a card: the people who left their details, its figures, and both as files."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, time, timedelta
from typing import Annotated, Literal

from pydantic import Field

from workspace.accounts.models import Account
from workspace.analytics.queries import statistics
from workspace.analytics.serializers import DayRow, Visits, day_rows, facts_of, lines_of, visits, with_before
from workspace.lib import clock
from workspace.lib.errors import InvalidInput
from workspace.lib.tabular import csv_table
from workspace.lib.text import escape_markdown
from workspace.lib.vcard import vcard
from workspace.products.card.api.arguments import CardId, spaced
from workspace.products.card.api.serializers import LeadRow, card_of, cards_of, lead_row
from workspace.products.card.api.text import lead_line
from workspace.products.card.api.tools import box
from workspace.products.card.domain.contact_file import contact_file, contact_of, file_name
from workspace.products.card.domain.leads import leads_of
from workspace.products.card.models import KIND, SAVE, Card, Lead
from workspace.publishing.arguments import Days, window
from workspace.publishing.exports import Export, exported
from workspace.publishing.models.visit import VIEW
from workspace.tools.answer import Answer, Listing, facts, listing
from workspace.tools.argument_types import Limit, Offset

MAX_EXPORT = 50_000
COLUMNS = ("submitted", "name", "email", "phone", "note", "agreed to", "card")


@box.tool("svc_card_leads", title="Leads of a business card", reads=True, columns="name email phone submitted_at id")
def leads(account: Account, card_id: CardId, limit: Limit = 50, offset: Offset = 0) -> Answer[Listing[LeadRow]]:
    """The people who left their contact with a card, newest first, with the words that they agreed to."""
    card = card_of(account, card_id)
    found = [lead_row(lead) for lead in card.leads.all()[offset : offset + limit]]
    return listing(found, total=card.leads.count(), offset=offset, noun="leads", line=lead_line)


@box.tool("svc_card_export", title="Export leads, or cards as contacts", reads=True)
def export(
    account: Account,
    kind: Annotated[Literal["leads", "vcards"], Field(description="Who left their details, or your cards as contacts")],
    card_id: Annotated[CardId, Field(description="Of this card only, from svc_card_list; left out: of all")]
    | None = None,
    format: Annotated[Literal["csv", "vcf"], Field(description="Leads as a table (csv) or as contacts (vcf)")]
    | None = None,
) -> Answer[Export]:
    """A file to save: leads, newest first, as a table with times in your zone or as contacts for an address book; or
    the contacts of your cards. At most 50,000 leads. A cell that a spreadsheet would run as a formula begins with an
    apostrophe."""
    card = card_of(account, card_id) if card_id is not None else None
    if kind == "leads":
        return _leads_file(account, card, format or "csv")
    if format == "csv":
        raise InvalidInput.at("format", "Cards are saved as contacts: leave format out, or take kind=leads for a table")
    cards = [card] if card else list(cards_of(account))
    text = b"".join(contact_file(one, with_photo=card is not None) for one in cards).decode()
    name = file_name(card) if card else "cards.vcf"
    return exported("card", "contact", name, text, rows=len(cards), kind=kind, card_id=card_id)


def _leads_file(account: Account, card: Card | None, format: str) -> Answer[Export]:
    found = card.leads.all() if card else leads_of(account)
    left = list(found.select_related("card")[:MAX_EXPORT])
    if format == "csv":
        text = csv_table.write(COLUMNS, (_cells(lead, account) for lead in left))
    else:
        text = b"".join(vcard(contact_of(lead)) for lead in left).decode()
    total = found.count()
    more = f"It holds the newest {len(left):,} of {total:,}." if total > len(left) else ""
    name = f"leads-{card.slug}.{format}" if card else f"leads.{format}"
    given = {"card_id": card.pk if card else None, "format": format}
    return exported("card", "lead", name, text, rows=len(left), kind="leads", more=more, **given)


def _cells(lead: Lead, account: Account) -> tuple[str, ...]:
    at = lead.created_at.astimezone(account.zone).isoformat(timespec="seconds")
    return (at, lead.name, lead.email, spaced(lead.phone), lead.note, lead.consent, lead.card.full_name)


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
def stats(account: Account, card_id: CardId, days: Days | None = None) -> Answer[Stats]:
    """Views by people, contact saves and leads: in all, in the window and by day; views by device, city, country and
    referrer. Bots are counted apart. Days are the account's; the plan caps how far back."""
    card = card_of(account, card_id)
    history = account.limits(KIND).history_days
    days = window(days, history)
    views = statistics(card.publication_id, VIEW, days=days, zone=account.zone)
    saves = statistics(card.publication_id, SAVE, days=days, zone=account.zone)
    left = _leads_by_day(account, card, 2 * days)
    leads = sum(left[day["date"]] for day in day_rows(views))
    earlier = {"contact_saves": saves.before, "leads": left.total() - leads}
    data: Stats = {
        **with_before(visits(views, account), history, views=views.before, **earlier),
        "id": card.pk,
        "full_name": card.full_name,
        "contact_saves": saves.total,
        "contact_saves_in_days": saves.total_in_window,
        "lead_count": card.leads.count(),
        "leads_in_days": leads,
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
    text = facts(f"Views of the card of {escape_markdown(card.full_name)}", pairs)
    return Answer(data, "\n".join([text, "", "By day:", *lines_of(data["by_day"])]))


def _leads_by_day(account: Account, card: Card, days: int) -> Counter[str]:
    """Leads by the account's day, as ISO dates."""
    first = clock.now().astimezone(account.zone).date() - timedelta(days=days - 1)
    since = datetime.combine(first, time.min, account.zone).astimezone(UTC)
    moments = card.leads.filter(created_at__gte=since).order_by().values_list("created_at", flat=True)
    return Counter(at.astimezone(account.zone).date().isoformat() for at in moments.iterator())
