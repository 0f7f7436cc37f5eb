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
    said = [f"{name} {value}" for name, value in facts.items() if value not in (None, "")]
    return f"**{escape_markdown(row['name'])}**: {', '.join(said)}"


def template_facts(row: TemplateSummary) -> dict[str, Any]:
    layout = row["layout"]
    signers = [", ".join(filter(None, (one["name"], one["role"], one["image_id"]))) for one in row["signers"]]
    way = "landscape" if layout["landscape"] else "portrait"
    return {
        **public_facts(row),
        "title": escape_markdown(row["title"]),
        "organization": escape_markdown(row["organization"]),
        "signers": escape_markdown("; ".join(signers)),
        "design": f"{layout['design']}, {layout['paper']}, {way}, seal {layout['seal']}",
        "colors": ", ".join(layout["colors"]) or "the brand's",
        "fonts": layout["fonts"] or "the brand's",
        "logo": layout["logo_id"] or "the brand's",
        "background": layout["background_image_id"],
        "placed by hand": escape_markdown("; ".join(map(_format_element, layout["elements"]))),
        "issued": f"{row['issued']:,}",
    }


def _format_element(one: ElementData) -> str:
    where = f"{one['part']} at {one['x']:g}, {one['y']:g}, {one['width']:g} by {one['height']:g} %"
    how = [
        one.get("align", ""),
        f"{one['size']:g} pt" if one.get("size") else "",
        one.get("color", ""),
        "bold" if one.get("bold") else "",
        one.get("text", ""),
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
        "hours are called": escape_markdown(row["hours_label"]),
        "custom is called": escape_markdown(row["custom_label"]),
        "valid": f"{row['valid_months']} months" if row["valid_months"] else "without end",
        "language": row["language"],
        "subject of its mail": escape_markdown(row["mail_subject"]),
        "words of its mail": escape_markdown(row["mail_text"]),
        "code": f"{row['svg_url']} or {row['png_url']}",
        "slugs": ", ".join(row["slugs"]),
    }


def format_certificate(row: CertificateSummary) -> str:
    mailed = f" (mail {row['mail']})" if row["mail"] else ""
    said = [
        escape_markdown(row["course"]),
        escape_markdown(row["date"]),
        escape_markdown(row["hours"]),
        escape_markdown(row["custom"]),
        row["state"],
        row["verify_url"],
        f"PDF {row['pdf_url']}{'' if row['sealed'] else ' (being made)'}",
        f"expires {row['expires_on']}" if row["expires_on"] else "",
        f"{escape_markdown(row['email'])}{mailed}" if row["email"] else "",
        f"code {row['code']}",
        f"template `{row['template_id']}`" if row["template_id"] else "",
        f"issued {row['issued_at']}",
        f"`{row['id']}`",
    ]
    return f"**{escape_markdown(row['name'])}**: {', '.join(filter(None, said))}"


def certificate_facts(row: CertificateDetail) -> dict[str, Any]:
    return {
        "certificate": format_certificate(row),
        "title": escape_markdown(row["title"]),
        "organization": escape_markdown(row["organization"]),
        "language": row["language"],
        "your number": escape_markdown(row["reference"]),
        "revoked": row.get("revoked_at"),
        "why": escape_markdown(row["reason"]),
        "replaced by": row["replaced_by"],
        "replaces": row["replaces"],
        "job": row["batch_id"],
        "record": f"{row['record']}{' (it holds)' if row['holds'] else ''}" if row["record"] else "",
        "SHA-256 of the PDF": row["pdf_sha256"],
        "Open Badge": row["badge_url"],
        "LinkedIn": row["linked_in_url"],
    }
