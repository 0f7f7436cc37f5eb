"""Tools for business cards: create, find, edit and delete.

Tools for leads, statistics and files are in `lead_tools.py`."""

from __future__ import annotations

from typing import Unpack

from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInputError
from workspace.lib.text import escape_markdown, format_count
from workspace.products.card.api.arguments import CardEdit, CardId, CardItems, EraseLeads, FullName, NewCard, RemovedIds
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
from workspace.publishing.serializers import DeletedItems, get_many_or_404
from workspace.publishing.shared_item_arguments import Ids
from workspace.storage.journal import has_changed
from workspace.tools.answer import Answer, Listing, format_bullets, format_fact_list, listing_answer
from workspace.tools.argument_types import Limit, Offset
from workspace.tools.tool import Toolbox

box = Toolbox("card", "Business cards")


@box.tool(
    "svc_card_list",
    title="List business cards",
    reads=True,
    columns="full_name company views contact_saves lead_count slug",
)
def list_cards(account: Account, limit: Limit = 50, offset: Offset = 0) -> Answer[Listing[CardSummary]]:
    """Your business cards, newest first, with public link, views, contact saves and number of leads."""
    cards, total = paginate_cards(account, limit=limit, offset=offset)
    return listing_answer(cards, total=total, offset=offset, noun="business cards", line=format_card)


@box.tool("svc_card_create", title="Create a business card")
def create(account: Account, full_name: FullName, **fields: Unpack[NewCard]) -> Answer[CardDetail]:
    """Make a digital business card: a public page that guests save to their contacts. The answer has its link and its
    QR code. svc_card_save makes cards with a photo, theme and color as well, svc_card_edit adds them. Counts
    against the plan's number of cards. The form in which guests leave their details shows on Pro and Team only."""
    Card.check_quota(account)
    card = Card.open(account, full_name=full_name, **fields)
    return _card_answer(account, card.pk, f"Created the card of {escape_markdown(full_name)}")


@box.tool("svc_card_get", title="Get a business card", reads=True)
def get(account: Account, card_id: CardId) -> Answer[CardDetail]:
    """One card with all its fields, its public link, contact file and QR code."""
    return _card_answer(account, card_id, "")


@box.tool("svc_card_edit", title="Edit a business card", idempotent=True)
def edit(account: Account, card_id: CardId, **fields: Unpack[CardEdit]) -> Answer[CardDetail]:
    """Change a card, pause it or show it again. Guests see it at their next load. Only what is given changes, an empty
    text clears, and lists replace all that was in them. Another slug leaves the old address working, since it may be on
    paper."""
    card = get_card(account, card_id)
    card.edit(**fields)
    what = "Changed" if has_changed() else "Nothing changed on"
    return _card_answer(account, card_id, f"{what} the card of {escape_markdown(card.full_name)}")


class SavedCards(TypedDict):
    """`items`: those made and named, as they are now, in the order of the list."""

    added: int
    changed: int
    removed: int
    items: list[CardDetail]


@box.tool("svc_card_save", title="Make and change several business cards")
def save(account: Account, items: CardItems | None = None, remove: RemovedIds | None = None) -> Answer[SavedCards]:
    """Make, change and delete the cards of a team at once. All of it or, where something is refused, nothing. Entries
    without an id are made, with whatever svc_card_edit takes of a card's words and looks; those with an id are changed.
    Counts against the plan's number of cards."""
    list_request = resolve_items(account, items or [], remove or [])
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
        return "Nothing changed: all of it is so already."
    return _append_names(", ".join(lines).capitalize(), [card["full_name"] for card in data["items"]])


@box.tool("svc_card_delete", title="Delete business cards and leads", destructive=True)
def delete(account: Account, ids: Ids, erase: EraseLeads = False) -> Answer[DeletedItems]:
    """Delete cards with the leads that they collected, or single leads by their ids. Guests are told that a card is
    gone, also those who scan its code; its address is never given to another. For 30 days svc_undo brings all of it
    back. To stop a card for a while, use svc_card_edit with live=false."""
    missing = "There is no such card or lead: svc_card_list and svc_card_leads show yours with their ids"
    mine = account.cards.select_related("account", "publication")
    items = get_many_or_404(ids, missing, mine, leads_for(account, binned=erase))
    cards = [item for item in items if isinstance(item, Card)]
    leads = [item for item in items if isinstance(item, Lead)]
    if erase and cards:
        raise InvalidInputError.at_path(f"ids.{items.index(cards[0])}", "Only leads are erased: leave the card out")
    if leads:
        (erase_leads_permanently if erase else delete_leads)(account, leads)
    Card.remove_many(cards)
    # erased names appear nowhere, not even in this answer
    data: DeletedItems = {"deleted": [{"id": item.pk, "title": "Erased" if erase else str(item)} for item in items]}
    lines = format_bullets(data["deleted"], lambda row: f"{escape_markdown(row['title'])} `{row['id']}`")
    texts = [f"{format_count(len(cards), 'business card')} with what guests left there"] if cards else []
    texts += [format_count(len(leads), "lead")] if leads else []
    head = f"{'Erased' if erase else 'Deleted'} {' and '.join(texts)}"
    return Answer(data, "\n".join([_append_names(head, [] if erase else [str(item) for item in items]), "", *lines]))


def _append_names(text: str, names: list[str]) -> str:
    """Append the first three names, for the change log."""
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"{text}: {escape_markdown(', '.join(names[:3]))}{more}." if names else f"{text}."


def _card_answer(account: Account, id: str, title: str) -> Answer[CardDetail]:
    [card] = list_card_details([get_card(account, id)])
    return Answer(card, format_fact_list(title or escape_markdown(card["full_name"]), card_facts(card)))
