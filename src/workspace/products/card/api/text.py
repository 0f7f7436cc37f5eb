"""The text of the card tools' answers, for people and agents who see only text. It contains all of the data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Literal, cast

from workspace.lib.text import escape_markdown
from workspace.products.card.api.serializers import CardDetail, CardSummary, LeadData
from workspace.publishing.serializers import public_facts

NAME_PART_LABELS: Final[dict[Literal["name_prefix", "given_name", "family_name", "name_suffix"], str]] = {
    "name_prefix": "prefix",
    "given_name": "given",
    "family_name": "family",
    "name_suffix": "suffix",
}


def card_facts(card: CardDetail) -> dict[str, Any]:
    """Return the facts about a card by label. Callers may leave out empty facts."""
    return {
        **_summary_facts(card),
        "name in contacts": ", ".join(
            f"{escape_markdown(card[part])} ({name_part_label})"
            for part, name_part_label in NAME_PART_LABELS.items()
            if card[part]
        ),
        "all slugs": ", ".join(card["slugs"]) if len(card["slugs"]) > 1 else "",
        "contact file": card["vcard_url"],
        "QR code": f"{card['svg_url']} and {card['png_url']}",
        "lead form": _format_form_state(card),
        "consent text": escape_markdown(card["consent_text"]),
    }


def format_card(card: CardSummary) -> str:
    pairs = card_facts(cast(CardDetail, card)) if "vcard_url" in card else _summary_facts(card)
    text = "; ".join(f"{name} {value}" for name, value in pairs.items() if value not in (None, ""))
    return f"**{escape_markdown(card['full_name'])}** {text}"


def _summary_facts(card: CardSummary) -> dict[str, Any]:
    return {
        **public_facts(card),
        "title": escape_markdown(card["title"]),
        "company": escape_markdown(card["company"]),
        "phone": escape_markdown(card["phone"]),
        "more phones": _format_labelled((phone["number"], phone["label"]) for phone in card["more_phones"]),
        "email": escape_markdown(card["email"]),
        "more emails": _format_labelled((email["email"], email["label"]) for email in card["more_emails"]),
        "website": card["website"],
        "address": escape_markdown(card["address"]),
        "about": escape_markdown(card["bio"]),
        "links": ", ".join(f"{escape_markdown(link['label'])} ({link['url']})" for link in card["links"]),
        "theme": f"{card['theme']}, color {card['color'] or 'brand'}",
        "photo": card["photo_id"],
        "logo": card["logo_id"],
        "views": card["views"],
        "contact saves": card["contact_saves"],
        "leads": card["lead_count"],
        "collects leads": "yes" if card["lead_capture"] else "no",
    }


def _format_labelled(pairs: Iterable[tuple[str, str]]) -> str:
    return ", ".join(escape_markdown(f"{value} ({label})" if label else value) for value, label in pairs)


def _format_form_state(card: CardDetail) -> str:
    if card["lead_form_shown"]:
        return "shown"
    return "on, but not included in your plan" if card["lead_capture"] else "off"


def format_lead(lead: LeadData) -> str:
    reach = ", ".join(escape_markdown(lead[name]) for name in ("email", "phone") if lead[name])
    note = f": “{escape_markdown(lead['note'])}”" if lead["note"] else ""
    agreed = f"agreed to “{escape_markdown(lead['consent'])}”"
    return f"**{escape_markdown(lead['name'])}** ({reach}){note}, {lead['submitted_at']}, {agreed} `{lead['id']}`"
