"""The text of the proposal tools' answers, for people and agents who see only text. It contains all of the data."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from workspace.lib.money import format_exact_amount
from workspace.lib.text import escape_markdown, format_count
from workspace.products.bid.api.detail_serializers import BidDetail, DecisionData, HistoryEntry, RevisionData
from workspace.products.bid.api.serializers import (
    BidSummary,
    LibraryItemData,
    LineData,
    MessageData,
    PackageData,
    ShareData,
    TemplateData,
)
from workspace.products.bid.rules.offer import format_number
from workspace.publishing.serializers import public_facts


def format_money(value: float, currency: str) -> str:
    """Format `$97.65` with as many decimals as the amount has, but at least those of the currency."""
    return format_exact_amount(Decimal(repr(value)), currency)


def format_bid(found: BidSummary) -> str:
    return f"**Proposal {found['number']}** " + _join_facts(_summary_facts(found))


def bid_facts(found: BidDetail) -> dict[str, Any]:
    currency = found["currency"]
    return {
        **_summary_facts(found),
        "introduction": escape_markdown(found["intro"]),
        "discount": _format_share(found["discount"], currency),
        "tax": " ".join(
            part
            for part in (
                f"{found['tax_rate']:g} %" if found["tax_rate"] else "none",
                escape_markdown(found["tax_label"]),
                "within the prices" if found["tax_inclusive"] else "",
            )
            if part
        ),
        "deposit": _format_share(found["deposit"], currency),
        "terms": escape_markdown(found["notes"]),
        "video": escape_markdown(found["video_url"]),
        "numbers": ", ".join(escape_markdown(f"{one['label']} {one['value']}") for one in found["numbers"]),
        "mails in": found["language"],
        "as first shown": _format_totals(found),
        "all its slugs": ", ".join(found["slugs"]) if len(found["slugs"]) > 1 else "",
        "QR code": f"{found['svg_url']} and {found['png_url']}",
        "PDF": found["pdf_url"],
        "follows": found["version_of"],
        "archived": "yes" if found["archived"] else "",
    }


def format_sections(found: BidDetail) -> list[str]:
    """Format the sections below the facts: lines, packages, history and messages."""
    currency = found["currency"]
    parts = [
        ("Lines", [format_line(line, currency) for line in found["line_items"]]),
        ("Packages, of which the client takes one", [_format_package(one, currency) for one in found["packages"]]),
        ("Decisions", [format_decision(one, currency) for one in found["decisions"]]),
        ("Questions and answers", [format_message(message) for message in found["messages"]]),
        ("Revisions", [_format_revision(one, currency) for one in found["revisions"]]),
        ("History", [_format_history_entry(one) for one in found["status_history"]]),
    ]
    return [text for title, lines in parts if lines for text in ("", f"{title}:", *(f"- {line}" for line in lines))]


def format_line(line: LineData, currency: str) -> str:
    price = "in the package's price" if line["unit_price"] is None else format_money(line["unit_price"], currency)
    marks = [
        "optional" if line["optional"] else "",
        "ticked at first" if line["selected"] else "",
        "" if line["taxable"] else "not taxed",
        f"section {escape_markdown(line['section'])}" if line["section"] else "",
        escape_markdown(line["description"]),
    ]
    told = "; ".join(mark for mark in marks if mark)
    unit = f" {escape_markdown(line['unit'])}" if line["unit"] else ""
    total = f" = {format_money(line['total'], currency)}" if line["unit_price"] is not None else ""
    return (
        f"{escape_markdown(line['name'])} `{line['id']}`: {_format_number(line['quantity'])}{unit} × {price}{total}"
        f"{f' ({told})' if told else ''}"
    )


def _format_package(package: PackageData, currency: str) -> str:
    marks = ["recommended" if package["recommended"] else "", "" if package["taxable"] else "not taxed"]
    told = "; ".join(
        part
        for part in (
            *marks,
            escape_markdown(package["description"]),
            *map(escape_markdown, package["features"]),
            *(format_line(line, currency) for line in package["line_items"]),
        )
        if part
    )
    price = f" (price {_format_number(package['price'])})" if package["price"] is not None else ""
    return (
        f"{escape_markdown(package['name'])} `{package['id']}` "
        f"{format_money(package['total'], currency)}{price}: {told}"
    )


def format_decision(found: DecisionData, currency: str) -> str:
    chosen, sums = found["selection"], found["totals"]
    parts = [
        f"{found['outcome']} by the {found['by']}, {found['at']}, revision {found['revision']} `{found['id']}`",
        "" if found["stands"] else "stands no more",
        escape_markdown(f"{found['name']} {found['email']}".strip()),
        "e-mail confirmed by a code" if found["email_verified"] else "",
        f"signature {found['signature']}" if found["signature"] else "",
        f"package {chosen['package']}" if chosen and chosen["package"] else "",
        f"options {', '.join(chosen['options'])}" if chosen and chosen["options"] else "",
        ", ".join(f"{name} {format_money(float(str(value)), currency)}" for name, value in sums.items())
        if sums
        else "",
        f"reason {found['reason']}" if found["reason"] else "",
        f"“{escape_markdown(found['words'])}”" if found["words"] else "",
        f"record `{found['record']}` ({escape_markdown(found['proof']) or 'just written'})" if found["record"] else "",
        f"sealed PDF {found['sealed_at']}, SHA-256 {found['pdf_sha256']}" if found["pdf_sha256"] else "",
        f"deposit {found['deposit_state']}" if found["deposit_state"] != "none" else "deposit none",
        f"noted as paid {found['deposit_paid_at']}" if found["deposit_paid_at"] else "",
        f"paid online by `{found['deposit_payment']}`" if found["deposit_payment"] else "",
    ]
    return "; ".join(part for part in parts if part)


def format_message(found: MessageData) -> str:
    who = escape_markdown(" ".join(part for part in (found["name"], found["email"]) if part))
    waits = "" if found["answered"] else ", waits for your answer (svc_bid_send with kind=reply)"
    return f"{found['at']}, {found['by']} {who}: “{escape_markdown(found['text'])}” `{found['id']}`{waits}"


def format_library_item(found: LibraryItemData) -> str:
    price = "" if found["unit_price"] is None else f" {_format_number(found['unit_price'])}"
    unit = f" for one {escape_markdown(found['unit'])}" if found["unit"] else ""
    more = "; ".join(
        part for part in ("" if found["taxable"] else "not taxed", escape_markdown(found["description"])) if part
    )
    return f"**{escape_markdown(found['name'])}**{price}{unit} `{found['id']}`{f' ({more})' if more else ''}"


def format_template(found: TemplateData) -> str:
    sizes = f"{format_count(found['lines'], 'line')}, {format_count(found['packages'], 'package')}"
    title = f", titled {escape_markdown(found['title'])}" if found["title"] != found["name"] else ""
    comes_to = format_money(found["total"], found["currency"])
    return f"**{escape_markdown(found['name'])}**{title}: {comes_to} in {found['currency']}, {sizes} `{found['id']}`"


def _summary_facts(found: BidSummary) -> dict[str, Any]:
    client = [found["client_name"], found["client_company"], found["client_email"]]
    return {
        "title": escape_markdown(found["title"]),
        **public_facts(found),
        "number": found["number"],
        "status": f"{found['status']}{', expired' if found['expired'] else ''}",
        "client": ", ".join(escape_markdown(part) for part in client if part),
        "total": format_money(found["total"], found["currency"]),
        "currency": found["currency"],
        "valid until": f"{found['valid_until']}{_format_days_left(found['days_left'])}",
        "revision": found["revision"],
        "sent": found["sent_at"],
        "first opened": found["viewed_at"],
        "last opened": found["last_viewed_at"],
        "views": found["views"],
        "decided": found["decided_at"],
        "picture": found["image_id"],
    }


def _format_days_left(days: int | None) -> str:
    if days is None:
        return ""
    return f" ({days} days left)" if days >= 0 else f" ({-days} days ago, {days})"


def _format_share(share: ShareData | None, currency: str) -> str:
    if share is None:
        return ""
    value = (
        f"{share['value']:g} percent"
        if share["type"] == "percent"
        else f"amount {format_money(share['value'], currency)}"
    )
    label = f" ({escape_markdown(share['label'])})" if share["label"] else ""
    return f"{value}{label}"


def _format_totals(found: BidDetail) -> str:
    sums, currency = found["totals"], found["currency"]
    names = ("subtotal", "discount", "tax", "total", "deposit", "balance")
    told = [f"{name} {format_money(float(str(sums[name])), currency)}" for name in names]  # type: ignore[literal-required]
    span = f"from {format_money(sums['total_from'], currency)} to {format_money(sums['total_to'], currency)}"
    return f"{', '.join(told)}; {span}"


def _format_revision(found: RevisionData, currency: str) -> str:
    whole = "" if found["is_whole"] else ", words of it were erased"
    return (
        f"{found['number']}, {found['made_at']}, {format_money(found['total'], currency)}, SHA-256 "
        f"{found['hash']}{whole}"
    )


def _format_history_entry(found: HistoryEntry) -> str:
    seconds = f", seconds {json.dumps(found['seconds'])}" if found["seconds"] else ""
    device = f" on {found['device']}" if found["device"] else ""
    state = f"(status {found['status']}, revision {found['revision']}{seconds})"
    return f"{found['at']}: {found['what']} by the {found['by']}{device} {state}"


def _join_facts(pairs: dict[str, Any]) -> str:
    return "; ".join(f"{name} {value}" for name, value in pairs.items() if value not in (None, ""))


def _format_number(value: float | None) -> str:
    """Format a number with all of its digits."""
    return "" if value is None else format_number(Decimal(repr(value)))
