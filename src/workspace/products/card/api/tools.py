"""Tools for business cards: create, find, edit and delete.

The tools for leads, statistics and files are in `lead_tools.py`.
"""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, Unpack

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInputError
from workspace.lib.text import escape_markdown, format_count
from workspace.products.card import messages
from workspace.products.card.api import card_csv
from workspace.products.card.api.arguments import (
    CardEdit,
    CardId,
    CardItem,
    CardItems,
    EraseLeads,
    FullName,
    NewCard,
    RemovedIds,
)
from workspace.products.card.api.card_list_input import resolve_items
from workspace.products.card.api.serializers import (
    CardDetail,
    CardSummary,
    cards_for,
    get_card,
    list_card_details,
    paginate_cards,
)
from workspace.products.card.api.text import card_facts, format_card
from workspace.products.card.domain.leads import delete_leads, erase_leads_permanently, leads_for
from workspace.products.card.models import Card, Lead
from workspace.products.card.rules.card_list_headings import CARD_LIST
from workspace.publishing.list_columns import ListColumnFields, ListCsv, open_list, place_issues
from workspace.publishing.models import RememberedColumns
from workspace.publishing.serializers import DeletedItems, get_many_or_404
from workspace.publishing.shared_item_arguments import Ids
from workspace.storage.journal import has_changed
from workspace.tools.answer import Answer, Listing, format_bullets, format_fact_list, listing_answer
from workspace.tools.argument_types import Limit, Offset
from workspace.tools.tool import Toolbox
from workspace.tools.validation import validate_arguments

box = Toolbox("card", "Business cards")


@box.tool(
    "svc_card_list",
    title="List business cards",
    about="List digital business cards, newest first, with public link, views, saved contacts and number of leads.",
    short="List business cards with links, views and leads.",
    synonyms="my cards, visitenkarten, team cards, tarjetas de visita, mis tarjetas",
    reads=True,
    columns="full_name company views contact_saves lead_count slug",
)
def list_cards(account: Account, limit: Limit = 50, offset: Offset = 0) -> Answer[Listing[CardSummary]]:
    cards, total = paginate_cards(account, limit=limit, offset=offset)
    return listing_answer(cards, total=total, offset=offset, noun="business cards", line=format_card)


@box.tool(
    "svc_card_create",
    title="Create a business card",
    about="Create a digital business card, a public page that visitors can save to their contacts. Returns its link "
    "and QR code. Counts toward your plan's limit. To add a photo, theme or color, use svc_card_edit. To "
    "create cards for a team, use svc_card_save.",
    short="Create a digital business card with a public page.",
    synonyms="vcard, contact card, contact page, share my contact details, visitenkarte, visitenkarte erstellen, "
    "tarjeta de visita, tarjeta de presentación, crear tarjeta, contacto, new card, digital card, card "
    "for an employee, neue visitenkarte, tarjeta digital",
)
def create(account: Account, full_name: FullName, **fields: Unpack[NewCard]) -> Answer[CardDetail]:
    Card.check_quota(account)
    card = Card.open(account, full_name=full_name, **fields)
    return _card_answer(account, card.pk, f"Created the card of {escape_markdown(full_name)}")


@box.tool(
    "svc_card_get",
    title="Get a business card",
    about="Get a business card with all its fields, public link, contact file (vCard) and QR code.",
    short="Get a business card with its link and QR code.",
    synonyms="view card, card link, vcf, contact file, visitenkarte ansehen, ver tarjeta",
    reads=True,
)
def get(account: Account, card_id: CardId) -> Answer[CardDetail]:
    return _card_answer(account, card_id, "")


@box.tool(
    "svc_card_edit",
    title="Update a business card",
    about="Update a business card, or pause and resume it with live. Visitors see changes when they reload the page. "
    "Pass only the fields to change. An empty string clears a field, and a list replaces the whole list. Old "
    "slugs keep working.",
    short="Update a business card's details, photo, theme or slug.",
    synonyms="change phone number, job title, new photo, my new number, pause card, visitenkarte ändern, "
    "telefonnummer ändern, foto, cambiar tarjeta, actualizar teléfono, foto",
    idempotent=True,
)
def edit(account: Account, card_id: CardId, **fields: Unpack[CardEdit]) -> Answer[CardDetail]:
    card = get_card(account, card_id)
    card.edit(**fields)
    what = "Updated" if has_changed() else "No changes to"
    return _card_answer(account, card_id, f"{what} the card of {escape_markdown(card.full_name)}")


class SavedCards(TypedDict):
    """The result of saving cards.

    `items` are the created and changed cards in their current state, in the order of the list.
    """

    added: int
    changed: int
    removed: int
    items: list[CardDetail]
    warnings: NotRequired[Annotated[list[str], Field(description="What csv contains that is not used.")]]


@box.tool(
    "svc_card_save",
    title="Bulk create and update business cards",
    about="Create, update and delete the business cards of a team in one call. One invalid entry rejects the whole "
    "list. Entries without id are created; entries with id are updated. All fields of svc_card_edit are "
    "accepted. New cards count toward your plan's limit.",
    short="Create, update or delete many business cards at once.",
    synonyms="team cards, employees, staff cards, many cards, batch, whole team, mitarbeiter, viele visitenkarten, "
    "ganzes team, empleados, equipo, varias tarjetas",
)
def save(
    account: Account,
    items: CardItems | None = None,
    remove: RemovedIds | None = None,
    csv: Annotated[
        ListCsv, Field(description="CSV, instead of items. Columns: name, title, company, phone, email and more.")
    ]
    | None = None,
    columns: ListColumnFields | None = None,
    has_heading: Annotated[
        bool, Field(description="With csv: whether the first line names the columns. Detected by default.")
    ]
    | None = None,
) -> Answer[SavedCards]:
    if csv is None:
        return _save_items(account, items or [], remove or [])
    if items or remove:
        raise InvalidInputError.at_path("csv", messages.CSV_ALONE)
    sheet = open_list(account, card_csv.LIST_NAME, CARD_LIST, csv, columns, has_heading=bool(has_heading))
    try:
        arguments: Any = validate_arguments(save, {"items": card_csv.build_items(account, sheet)})
        answer = _save_items(account, arguments.items, [])
    except InvalidInputError as refusal:
        raise place_issues(refusal, [row.number for row in sheet.rows]) from None
    RememberedColumns.remember(account, card_csv.LIST_NAME, sheet)
    warnings = sheet.notes()
    data: SavedCards = {**answer.data, "warnings": warnings}
    return Answer(data, lambda: "\n".join([answer.text, *(f"- {warning}" for warning in warnings)]))


def _save_items(account: Account, items: list[CardItem], remove: list[str]) -> Answer[SavedCards]:
    list_request = resolve_items(account, items, remove)
    Card.remove_many(list_request.removed)
    Card.check_quota(account, len(list_request.new))
    cards = Card.open_many(account, list(list_request.new.values()), paths=list(list_request.new))
    changed = Card.change_many(list_request.existing.values(), paths=list(list_request.existing))
    ids = {path: card.pk for path, card in zip(list_request.new, cards, strict=True)}
    ids |= {path: card.pk for path, (card, _) in list_request.existing.items()}
    result = {
        card["id"]: card
        for card in list_card_details(
            cards_for(account).filter(pk__in=ids.values()).prefetch_related("publication__addresses")
        )
    }
    data: SavedCards = {
        "added": len(cards),
        "changed": len(changed),
        "removed": len(list_request.removed),
        "items": [result[ids[f"items.{number}"]] for number in range(len(ids))],
    }
    return Answer(data, "\n".join([_format_counts(data), "", *format_bullets(data["items"], format_card)]))


def _format_counts(data: SavedCards) -> str:
    counts = {"added": data["added"], "changed": data["changed"], "removed": data["removed"]}
    lines = [f"{act} {format_count(count, 'business card')}" for act, count in counts.items() if count]
    if not lines:
        return "Nothing changed."
    return _append_names(", ".join(lines).capitalize(), [card["full_name"] for card in data["items"]])


@box.tool(
    "svc_card_delete",
    title="Delete business cards or leads",
    about="Delete cards with their leads, or single leads. Visitors see that the card no longer exists, and its "
    "address is never reused. To restore within 30 days, use svc_undo (not possible with erase=true). To pause "
    "a card, use svc_card_edit with live=false.",
    short="Delete business cards or leads. Restorable for 30 days.",
    synonyms="remove card, remove lead, erase contact, gdpr erasure, löschen, kontakt löschen, eliminar, borrar "
    "contacto, employee left, former employee, mitarbeiter weg, empleado se fue",
    destructive=True,
)
def delete(account: Account, ids: Ids, erase: EraseLeads = False) -> Answer[DeletedItems]:
    mine = account.cards.select_related("account", "publication")
    items = get_many_or_404(ids, messages.CARD_OR_LEAD_NOT_FOUND, mine, leads_for(account, binned=erase))
    cards = [item for item in items if isinstance(item, Card)]
    leads = [item for item in items if isinstance(item, Lead)]
    if erase and cards:
        raise InvalidInputError.at_path(f"ids.{items.index(cards[0])}", messages.CARD_CANNOT_BE_ERASED)
    if leads:
        (erase_leads_permanently if erase else delete_leads)(account, leads)
    Card.remove_many(cards)
    # erased names appear nowhere, not even in this answer
    data: DeletedItems = {"deleted": [{"id": item.pk, "title": "Erased" if erase else str(item)} for item in items]}
    lines = format_bullets(data["deleted"], lambda row: f"{escape_markdown(row['title'])} `{row['id']}`")
    texts = [f"{format_count(len(cards), 'business card')} with all leads"] if cards else []
    texts += [format_count(len(leads), "lead")] if leads else []
    head = f"{'Erased' if erase else 'Deleted'} {' and '.join(texts)}"
    return Answer(data, "\n".join([_append_names(head, [] if erase else [str(item) for item in items]), "", *lines]))


def _append_names(text: str, names: list[str]) -> str:
    """Append the first three names to the text, for the change log."""
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"{text}: {escape_markdown(', '.join(names[:3]))}{more}." if names else f"{text}."


def _card_answer(account: Account, id: str, title: str) -> Answer[CardDetail]:
    [card] = list_card_details([get_card(account, id)])
    return Answer(card, format_fact_list(title or escape_markdown(card["full_name"]), card_facts(card)))
