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


def card_facts(found: CardDetail) -> dict[str, Any]:
    """Return the facts of a card by label. Empty facts can be left out."""
    return {
        **_summary_facts(found),
        "in address books": ", ".join(
            f"{escape_markdown(found[part])} ({told})" for part, told in NAME_PART_LABELS.items() if found[part]
        ),
        "all its slugs": ", ".join(found["slugs"]) if len(found["slugs"]) > 1 else "",
        "contact file": found["vcard_url"],
        "QR code": f"{found['svg_url']} and {found['png_url']}",
        "lead form": _format_form_state(found),
        "guests agree to": escape_markdown(found["consent_text"]),
    }


def format_card(found: CardSummary) -> str:
    pairs = card_facts(cast(CardDetail, found)) if "vcard_url" in found else _summary_facts(found)
    told = "; ".join(f"{name} {value}" for name, value in pairs.items() if value not in (None, ""))
    return f"**{escape_markdown(found['full_name'])}** {told}"


def _summary_facts(found: CardSummary) -> dict[str, Any]:
    words = {name: escape_markdown(str(found[name])) for name in ("title", "company", "phone", "email")}
    return {
        **public_facts(found),
        "title": words["title"],
        "company": words["company"],
        "phone": words["phone"],
        "more phones": _format_labelled((one["number"], one["label"]) for one in found["more_phones"]),
        "e-mail": words["email"],
        "more e-mail": _format_labelled((one["email"], one["label"]) for one in found["more_emails"]),
        "website": found["website"],
        "address": escape_markdown(found["address"]),
        "about": escape_markdown(found["bio"]),
        "links": ", ".join(f"{escape_markdown(link['label'])} ({link['url']})" for link in found["links"]),
        "theme": f"{found['theme']}, color {found['color'] or 'of the brand'}",
        "photo": found["photo_id"],
        "logo": found["logo_id"],
        "views": found["views"],
        "contact saves": found["contact_saves"],
        "leads": found["lead_count"],
        "takes leads": "yes" if found["lead_capture"] else "no",
    }


def _format_labelled(pairs: Iterable[tuple[str, str]]) -> str:
    return ", ".join(escape_markdown(f"{value} ({label})" if label else value) for value, label in pairs)


def _format_form_state(found: CardDetail) -> str:
    if found["lead_form_shown"]:
        return "shown"
    return "wanted, but your plan does not show it" if found["lead_capture"] else "off"


def format_lead(found: LeadData) -> str:
    reach = ", ".join(escape_markdown(found[name]) for name in ("email", "phone") if found[name])
    note = f": “{escape_markdown(found['note'])}”" if found["note"] else ""
    agreed = f"agreed to “{escape_markdown(found['consent'])}”"
    return f"**{escape_markdown(found['name'])}** ({reach}){note}, {found['submitted_at']}, {agreed} `{found['id']}`"
