"""The text of the certificate tools' answers, for people and agents who see only text."""

from __future__ import annotations

from typing import Any

from workspace.lib.text import escape_markdown
from workspace.products.certs.api.serializers import (
    CertificateDetail,
    CertificateSummary,
    ElementData,
    TemplateDetail,
    TemplateSummary,
)
from workspace.publishing.serializers import public_facts


def format_template(row: TemplateSummary) -> str:
    facts = template_facts(row)
    lines = [f"{name} {value}" for name, value in facts.items() if value not in (None, "")]
    return f"**{escape_markdown(row['name'])}**: {', '.join(lines)}"


def template_facts(row: TemplateSummary) -> dict[str, Any]:
    layout = row["layout"]
    signers = [
        ", ".join(filter(None, (signer["name"], signer["role"], signer["image_id"]))) for signer in row["signers"]
    ]
    orientation = "landscape" if layout["landscape"] else "portrait"
    return {
        **public_facts(row),
        "title": escape_markdown(row["title"]),
        "organization": escape_markdown(row["organization"]),
        "signers": escape_markdown("; ".join(signers)),
        "design": f"{layout['design']}, {layout['paper']}, {orientation}, seal {layout['seal']}",
        "colors": ", ".join(layout["colors"]) or "same as brand",
        "fonts": layout["fonts"] or "same as brand",
        "logo": layout["logo_id"] or "same as brand",
        "background": layout["background_image_id"],
        "custom positions": escape_markdown("; ".join(map(_format_element, layout["elements"]))),
        "issued": f"{row['issued']:,}",
    }


def _format_element(element: ElementData) -> str:
    where = f"{element['part']} at {element['x']:g}, {element['y']:g}, {element['width']:g} by {element['height']:g} %"
    how = [
        element.get("align", ""),
        f"{element['size']:g} pt" if element.get("size") else "",
        element.get("color", ""),
        "bold" if element.get("bold") else "",
        element.get("text", ""),
    ]
    return ", ".join([where, *filter(None, how)])


def template_detail_facts(row: TemplateDetail) -> dict[str, Any]:
    return {
        **template_facts(row),
        "above the name": escape_markdown(row["intro"]),
        "below the name": escape_markdown(row["body"]),
        "description": escape_markdown(row["description"]),
        "criteria": escape_markdown(row["criteria"]),
        "skills": escape_markdown(", ".join(row["skills"])),
        "hours label": escape_markdown(row["hours_label"]),
        "custom label": escape_markdown(row["custom_label"]),
        "validity": f"{row['valid_months']} months" if row["valid_months"] else "no expiry",
        "language": row["language"],
        "email subject": escape_markdown(row["mail_subject"]),
        "email text": escape_markdown(row["mail_text"]),
        "QR code": f"{row['png_url']} and {row['svg_url']}",
        "earlier slugs": ", ".join(slug for slug in row["slugs"] if slug != row["slug"]),
    }


def format_certificate(row: CertificateSummary) -> str:
    mailed = f" (email {row['mail']})" if row["mail"] else ""
    lines = [
        escape_markdown(row["course"]),
        escape_markdown(row["date"]),
        escape_markdown(row["hours"]),
        escape_markdown(row["custom"]),
        row["state"],
        row["verify_url"],
        f"PDF {row['pdf_url']}{'' if row['sealed'] else ' (in progress)'}",
        f"expires {row['expires_on']}" if row["expires_on"] else "",
        f"{escape_markdown(row['email'])}{mailed}" if row["email"] else "",
        f"code {row['code']}",
        f"template `{row['template_id']}`" if row["template_id"] else "",
        f"issued {row['issued_at']}",
        f"`{row['id']}`",
    ]
    return f"**{escape_markdown(row['name'])}**: {', '.join(filter(None, lines))}"


def certificate_facts(row: CertificateDetail) -> dict[str, Any]:
    return {
        "certificate": format_certificate(row),
        "title": escape_markdown(row["title"]),
        "organization": escape_markdown(row["organization"]),
        "language": row["language"],
        "your reference": escape_markdown(row["reference"]),
        "revoked": row.get("revoked_at"),
        "reason": escape_markdown(row["reason"]),
        "replaced by": row["replaced_by"],
        "replaces": row["replaces"],
        "job": row["batch_id"],
        "record": f"{row['record']}{' (intact)' if row['holds'] else ''}" if row["record"] else "",
        "SHA-256 of the PDF": row["pdf_sha256"],
        "Open Badge": row["badge_url"],
        "LinkedIn": row["linked_in_url"],
    }
