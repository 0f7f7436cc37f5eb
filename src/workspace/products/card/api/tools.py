"""Business cards as tools: making, finding and changing them. Leads, figures and files stand in `lead_tools.py`."""

from __future__ import annotations

from typing import Unpack

from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInput
from workspace.lib.text import counted, escape_markdown
from workspace.products.card.api.arguments import CardEdit, CardId, Erase, FullName, Items, NewCard, Remove
from workspace.products.card.api.card_list_input import read
from workspace.products.card.api.serializers import CardRow, CardWhole, card_of, cards_of, page_of, wholes
from workspace.products.card.api.text import card_facts, card_line
from workspace.products.card.domain.leads import bin_leads, erase_leads, leads_of
from workspace.products.card.models import Card, Lead
from workspace.publishing.arguments import Ids
from workspace.publishing.serializers import DeletedAll, several
from workspace.storage.journal import has_changed
from workspace.tools.answer import Answer, Listing, bullets, facts, listing
from workspace.tools.argument_types import Limit, Offset
from workspace.tools.tool import Toolbox

box = Toolbox("card", "Business cards")


@box.tool(
    "svc_card_list",
    title="List business cards",
    reads=True,
    columns="full_name company views contact_saves lead_count slug",
)
def list_cards(account: Account, limit: Limit = 50, offset: Offset = 0) -> Answer[Listing[CardRow]]:
    """Your business cards, newest first, with public link, views, contact saves and number of leads."""
    found, total = page_of(account, limit=limit, offset=offset)
    return listing(found, total=total, offset=offset, noun="business cards", line=card_line)


@box.tool("svc_card_create", title="Create a business card")
def create(account: Account, full_name: FullName, **fields: Unpack[NewCard]) -> Answer[CardWhole]:
    """Make a digital business card: a public page that guests save to their contacts. The answer has its link and its
    QR code. svc_card_save_cards makes cards with a photo, theme and colour as well, svc_card_edit adds them. Counts
    against the plan's number of cards. The form in which guests leave their details shows on Pro and Team only."""
    Card.check_room(account)
    card = Card.open(account, full_name=full_name, **fields)
    return _told(account, card.pk, f"Created the card of {escape_markdown(full_name)}")


@box.tool("svc_card_get", title="Get a business card", reads=True)
def get(account: Account, card_id: CardId) -> Answer[CardWhole]:
    """One card with all its fields, its public link, contact file and QR code."""
    return _told(account, card_id, "")


@box.tool("svc_card_edit", title="Edit a business card", idempotent=True)
def edit(account: Account, card_id: CardId, **fields: Unpack[CardEdit]) -> Answer[CardWhole]:
    """Change a card, pause it or show it again. Guests see it at their next load. Only what is given changes, an empty
    text clears, and lists replace all that was in them. Another slug leaves the old address working, since it may be on
    paper."""
    card = card_of(account, card_id)
    card.edit(**fields)
    what = "Changed" if has_changed() else "Nothing changed on"
    return _told(account, card_id, f"{what} the card of {escape_markdown(card.full_name)}")


class Saved(TypedDict):
    """`items`: those made and named, as they are now, in the order of the list."""

    added: int
    changed: int
    removed: int
    items: list[CardWhole]


@box.tool("svc_card_save_cards", title="Make and change several business cards")
def save_cards(account: Account, items: Items | None = None, remove: Remove | None = None) -> Answer[Saved]:
    """Make, change and delete the cards of a team at once. All of it or, where something is refused, nothing. Entries
    without an id are made, with whatever svc_card_edit takes of a card's words and looks; those with an id are changed.
    Counts against the plan's number of cards."""
    wanted = read(account, items or [], remove or [])
    Card.remove_many(wanted.gone)
    Card.check_room(account, len(wanted.new))
    made = Card.open_many(account, list(wanted.new.values()), paths=list(wanted.new))
    changed = Card.change_many(wanted.old.values(), paths=list(wanted.old))
    ids = {path: card.pk for path, card in zip(wanted.new, made, strict=True)}
    ids |= {path: card.pk for path, (card, _) in wanted.old.items()}
    found = {
        card["id"]: card
        for card in wholes(cards_of(account).filter(pk__in=ids.values()).prefetch_related("publication__addresses"))
    }
    data: Saved = {
        "added": len(made),
        "changed": len(changed),
        "removed": len(wanted.gone),
        "items": [found[ids[f"items.{number}"]] for number in range(len(ids))],
    }
    return Answer(data, "\n".join([_saved(data), "", *bullets(data["items"], card_line)]))


def _saved(data: Saved) -> str:
    counts = {"added": data["added"], "changed": data["changed"], "removed": data["removed"]}
    told = [f"{act} {counted(count, 'business card')}" for act, count in counts.items() if count]
    if not told:
        return "Nothing changed: all of it is so already."
    return _naming(", ".join(told).capitalize(), [card["full_name"] for card in data["items"]])


@box.tool("svc_card_delete", title="Delete business cards and leads", destructive=True)
def delete(account: Account, ids: Ids, erase: Erase = False) -> Answer[DeletedAll]:
    """Delete cards with the leads that they collected, or single leads by their ids. Guests are told that a card is
    gone, also those who scan its code; its address is never given to another. For 30 days svc_undo brings all of it
    back. To stop a card for a while, use svc_card_edit with live=false."""
    missing = "There is no such card or lead: svc_card_list and svc_card_leads show yours with their ids"
    mine = account.cards.select_related("account", "publication")
    found = several(ids, missing, mine, leads_of(account, binned=erase))
    cards = [one for one in found if isinstance(one, Card)]
    leads = [one for one in found if isinstance(one, Lead)]
    if erase and cards:
        raise InvalidInput.at(f"ids.{found.index(cards[0])}", "Only leads are erased: leave the card out")
    if leads:
        (erase_leads if erase else bin_leads)(account, leads)
    Card.remove_many(cards)
    # what is erased is named nowhere, not in this answer either
    data: DeletedAll = {"deleted": [{"id": one.pk, "title": "Erased" if erase else str(one)} for one in found]}
    lines = bullets(data["deleted"], lambda row: f"{escape_markdown(row['title'])} `{row['id']}`")
    told = [f"{counted(len(cards), 'business card')} with what guests left there"] if cards else []
    told += [counted(len(leads), "lead")] if leads else []
    head = f"{'Erased' if erase else 'Deleted'} {' and '.join(told)}"
    return Answer(data, "\n".join([_naming(head, [] if erase else [str(one) for one in found]), "", *lines]))


def _naming(text: str, names: list[str]) -> str:
    """With the first few names, for the list of what was done."""
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"{text}: {escape_markdown(', '.join(names[:3]))}{more}." if names else f"{text}."


def _told(account: Account, id: str, title: str) -> Answer[CardWhole]:
    [found] = wholes([card_of(account, id)])
    return Answer(found, facts(title or escape_markdown(found["full_name"]), card_facts(found)))
