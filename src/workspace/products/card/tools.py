"""Business cards as tools: making, finding and changing them. Leads and figures stand in `lead_tools.py`."""

from __future__ import annotations

from typing import Unpack

from workspace.accounts.models import Account
from workspace.products.card.arguments import CardChanges, FullName, NewCard, PictureId
from workspace.products.card.models import Card
from workspace.products.card.rows import CardRow, CardWhole, card_of, cards_of, one_line, rows, whole
from workspace.publishing.arguments import Slug
from workspace.publishing.rows import Deleted
from workspace.toolkit.answer import Answer, Listing, facts, listing
from workspace.toolkit.text import escape_markdown
from workspace.toolkit.tool import Toolbox
from workspace.toolkit.types import Id, Limit, Offset

box = Toolbox("card", "Business cards")


@box.tool("svc_card_list", title="List business cards", reads=True)
def list_cards(account: Account, limit: Limit = 50, offset: Offset = 0) -> Answer[Listing[CardRow]]:
    """Your business cards, newest first, with public link, views, contact saves and number of leads."""
    found = cards_of(account)
    return listing(
        rows(found[offset : offset + limit]),
        total=account.cards.count(),
        offset=offset,
        noun="business cards",
        line=one_line,
    )


@box.tool("svc_card_create", title="Create a business card")
def create(account: Account, full_name: FullName, **fields: Unpack[NewCard]) -> Answer[CardWhole]:
    """Make a digital business card: a public page that guests save to their contacts. The answer has its link and its
    QR code. Counts against the plan's number of cards. The form in which guests leave their details shows on Pro and
    Team only."""
    Card.check_room(account)
    card = Card.open(account, full_name=full_name, **fields)
    return _told(account, card.pk, f"Created the card of {escape_markdown(full_name)}")


@box.tool("svc_card_get", title="Get a business card", reads=True)
def get(account: Account, id: Id) -> Answer[CardWhole]:
    """One card with all its fields, its public link, contact file and QR code."""
    return _told(account, id, "")


# locked, so that two edits at once do not release one picture twice
@box.tool("svc_card_edit", title="Edit a business card", idempotent=True)
def edit(
    account: Account,
    id: Id,
    photo_id: PictureId | None = None,
    logo_id: PictureId | None = None,
    slug: Slug | None = None,
    **fields: Unpack[CardChanges],
) -> Answer[CardWhole]:
    """Change a card; guests see it at their next load. Only what is given changes, an empty text clears, and links
    replace all earlier ones. Another slug leaves the old address working, since it may be on paper."""
    card = card_of(account, id)
    if fields:
        card.change(**fields)
    if photo_id is not None:
        card.wear("photo", photo_id)
    if logo_id is not None:
        card.wear("logo", logo_id)
    if slug is not None:
        card.move(slug)
    return _told(account, id, f"Changed the card of {escape_markdown(card.full_name)}")


@box.tool("svc_card_pause", title="Pause a business card", idempotent=True)
def pause(account: Account, id: Id) -> Answer[CardWhole]:
    """Stop showing a card: guests see a friendly page that names your business. Nothing is lost."""
    card_of(account, id).pause()
    return _told(account, id, "Paused the card")


@box.tool("svc_card_resume", title="Resume a business card", idempotent=True)
def resume(account: Account, id: Id) -> Answer[CardWhole]:
    """Show a paused card again."""
    card_of(account, id).resume()
    return _told(account, id, "The card shows again")


@box.tool("svc_card_delete", title="Delete a business card", destructive=True)
def delete(account: Account, id: Id) -> Answer[Deleted]:
    """Delete a card with the leads that it collected. Guests are told that it is gone, also those who scan its code;
    its address is never given to another card. For 30 days svc_undo brings it back whole. To stop it for a while, use
    svc_card_pause."""
    card = card_of(account, id)
    name = card.full_name
    card.remove()
    text = f"Deleted the card of {escape_markdown(name)} and its leads. For 30 days svc_undo brings it back."
    return Answer({"id": id, "deleted": True}, text)


def _told(account: Account, id: str, title: str) -> Answer[CardWhole]:
    found = whole(card_of(account, id))
    pairs = {
        "id": found["id"],
        "public link": found["public_url"],
        "title": escape_markdown(found["title"]),
        "company": escape_markdown(found["company"]),
        "phone": escape_markdown(found["phone"]),
        "e-mail": escape_markdown(found["email"]),
        "website": found["website"],
        "address": escape_markdown(found["address"]),
        "links": ", ".join(f"{escape_markdown(link['label'])} ({link['url']})" for link in found["links"]),
        "state": found["state"],
        "views": found["views"],
        "contact saves": found["contact_saves"],
        "leads": found["lead_count"],
        "contact file": found["vcard_url"],
        "QR code": found["png_url"],
        "lead form": _form_state(found),
    }
    return Answer(found, facts(title or escape_markdown(found["full_name"]), pairs))


def _form_state(found: CardWhole) -> str:
    if found["lead_form_shown"]:
        return "shown"
    return "wanted, but your plan does not show it" if found["lead_capture"] else "off"
