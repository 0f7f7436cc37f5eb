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
    """Format an amount such as `$97.65` with all of its decimals, but at least as many as its currency has."""
    return format_exact_amount(Decimal(repr(value)), currency)


def format_bid(bid: BidSummary) -> str:
    return f"**Proposal {bid['number']}** " + _join_facts(_summary_facts(bid))


def bid_facts(bid: BidDetail) -> dict[str, Any]:
    currency = bid["currency"]
    return {
        **_summary_facts(bid),
        "introduction": escape_markdown(bid["intro"]),
        "discount": _format_share(bid["discount"], currency),
        "tax": " ".join(
            part
            for part in (
                f"{bid['tax_rate']:g}%" if bid["tax_rate"] else "none",
                escape_markdown(bid["tax_label"]),
                "included in the prices" if bid["tax_inclusive"] else "",
            )
            if part
        ),
        "deposit": _format_share(bid["deposit"], currency),
        "terms": escape_markdown(bid["notes"]),
        "video": escape_markdown(bid["video_url"]),
        "business numbers": ", ".join(
            escape_markdown(f"{number['label']} {number['value']}") for number in bid["numbers"]
        ),
        "email language": bid["language"],
        "default totals": _format_totals(bid),
        "all slugs": ", ".join(bid["slugs"]) if len(bid["slugs"]) > 1 else "",
        "QR code": f"{bid['svg_url']} and {bid['png_url']}",
        "PDF": bid["pdf_url"],
        "previous version": bid["version_of"],
        "archived": "yes" if bid["archived"] else "",
    }


def format_sections(bid: BidDetail) -> list[str]:
    """Format the sections that follow the facts: lines, packages, history and messages."""
    currency = bid["currency"]
    parts = [
        ("Line items", [format_line(line, currency) for line in bid["line_items"]]),
        (
            "Packages (the client chooses one)",
            [_format_package(package, currency) for package in bid["packages"]],
        ),
        ("Decisions", [format_decision(decision, currency) for decision in bid["decisions"]]),
        ("Questions and answers", [format_message(message) for message in bid["messages"]]),
        ("Revisions", [_format_revision(revision, currency) for revision in bid["revisions"]]),
        ("History", [_format_history_entry(entry) for entry in bid["status_history"]]),
    ]
    return [text for title, lines in parts if lines for text in ("", f"{title}:", *(f"- {line}" for line in lines))]


def format_line(line: LineData, currency: str) -> str:
    price = "included in the package" if line["unit_price"] is None else format_money(line["unit_price"], currency)
    marks = [
        "optional" if line["optional"] else "",
        "preselected" if line["selected"] else "",
        "" if line["taxable"] else "not taxed",
        f"section {escape_markdown(line['section'])}" if line["section"] else "",
        escape_markdown(line["description"]),
    ]
    text = "; ".join(mark for mark in marks if mark)
    unit = f" {escape_markdown(line['unit'])}" if line["unit"] else ""
    total = f" = {format_money(line['total'], currency)}" if line["unit_price"] is not None else ""
    return (
        f"{escape_markdown(line['name'])} `{line['id']}`: {_format_number(line['quantity'])}{unit} × {price}{total}"
        f"{f' ({text})' if text else ''}"
    )


def _format_package(package: PackageData, currency: str) -> str:
    marks = ["recommended" if package["recommended"] else "", "" if package["taxable"] else "not taxed"]
    text = "; ".join(
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
        f"{format_money(package['total'], currency)}{price}: {text}"
    )


def format_decision(decision: DecisionData, currency: str) -> str:
    selection, sums = decision["selection"], decision["totals"]
    parts = [
        f"{decision['outcome']} by the {decision['by']}, {decision['at']}, "
        f"revision {decision['revision']} `{decision['id']}`",
        "" if decision["stands"] else "no longer valid",
        escape_markdown(f"{decision['name']} {decision['email']}".strip()),
        "email verified with a code" if decision["email_verified"] else "",
        f"signature {decision['signature']}" if decision["signature"] else "",
        f"package {selection['package']}" if selection and selection["package"] else "",
        f"options {', '.join(selection['options'])}" if selection and selection["options"] else "",
        ", ".join(f"{name} {format_money(float(str(value)), currency)}" for name, value in sums.items())
        if sums
        else "",
        f"reason {decision['reason']}" if decision["reason"] else "",
        f"“{escape_markdown(decision['words'])}”" if decision["words"] else "",
        f"record `{decision['record']}` ({escape_markdown(decision['proof']) or 'just created'})"
        if decision["record"]
        else "",
        f"signed PDF {decision['sealed_at']}, SHA-256 {decision['pdf_sha256']}" if decision["pdf_sha256"] else "",
        f"deposit {decision['deposit_state']}",
        f"recorded as paid {decision['deposit_paid_at']}" if decision["deposit_paid_at"] else "",
        f"paid online by `{decision['deposit_payment']}`" if decision["deposit_payment"] else "",
    ]
    return "; ".join(part for part in parts if part)


def format_message(message: MessageData) -> str:
    who = escape_markdown(" ".join(part for part in (message["name"], message["email"]) if part))
    waits = "" if message["answered"] else ", awaiting your answer (svc_bid_send with kind=reply)"
    return f"{message['at']}, {message['by']} {who}: “{escape_markdown(message['text'])}” `{message['id']}`{waits}"


def format_library_item(item: LibraryItemData) -> str:
    price = "" if item["unit_price"] is None else f" {_format_number(item['unit_price'])}"
    unit = f" per {escape_markdown(item['unit'])}" if item["unit"] else ""
    more = "; ".join(
        part for part in ("" if item["taxable"] else "not taxed", escape_markdown(item["description"])) if part
    )
    return f"**{escape_markdown(item['name'])}**{price}{unit} `{item['id']}`{f' ({more})' if more else ''}"


def format_template(template: TemplateData) -> str:
    sizes = f"{format_count(template['lines'], 'line')}, {format_count(template['packages'], 'package')}"
    title = f", titled {escape_markdown(template['title'])}" if template["title"] != template["name"] else ""
    total = f"{format_money(template['total'], template['currency'])} in {template['currency']}"
    return f"**{escape_markdown(template['name'])}**{title}: {total}, {sizes} `{template['id']}`"


def _summary_facts(bid: BidSummary) -> dict[str, Any]:
    client = [bid["client_name"], bid["client_company"], bid["client_email"]]
    return {
        "title": escape_markdown(bid["title"]),
        **public_facts(bid),
        "number": bid["number"],
        "status": f"{bid['status']}{', expired' if bid['expired'] else ''}",
        "client": ", ".join(escape_markdown(part) for part in client if part),
        "total": format_money(bid["total"], bid["currency"]),
        "currency": bid["currency"],
        "valid until": f"{bid['valid_until']}{_format_days_left(bid['days_left'])}",
        "revision": bid["revision"],
        "sent": bid["sent_at"],
        "first opened": bid["viewed_at"],
        "last opened": bid["last_viewed_at"],
        "views": bid["views"],
        "decided": bid["decided_at"],
        "picture": bid["image_id"],
    }


def _format_days_left(days: int | None) -> str:
    if days is None:
        return ""
    return f" ({format_count(days, 'day')} left)" if days >= 0 else f" (days_left {days})"


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


def _format_totals(bid: BidDetail) -> str:
    sums, currency = bid["totals"], bid["currency"]
    names = ("subtotal", "discount", "tax", "total", "deposit", "balance")
    lines = [f"{name} {format_money(float(str(sums[name])), currency)}" for name in names]  # type: ignore[literal-required]
    span = f"from {format_money(sums['total_from'], currency)} to {format_money(sums['total_to'], currency)}"
    return f"{', '.join(lines)}; {span}"


def _format_revision(revision: RevisionData, currency: str) -> str:
    whole = "" if revision["is_whole"] else ", partly erased"
    return (
        f"{revision['number']}, {revision['made_at']}, {format_money(revision['total'], currency)}, SHA-256 "
        f"{revision['hash']}{whole}"
    )


def _format_history_entry(entry: HistoryEntry) -> str:
    seconds = f", seconds {json.dumps(entry['seconds'])}" if entry["seconds"] else ""
    device = f" on {entry['device']}" if entry["device"] else ""
    state = f"(status {entry['status']}, revision {entry['revision']}{seconds})"
    return f"{entry['at']}: {entry['what']} by the {entry['by']}{device} {state}"


def _join_facts(pairs: dict[str, Any]) -> str:
    return "; ".join(f"{name} {value}" for name, value in pairs.items() if value not in (None, ""))


def _format_number(value: float | None) -> str:
    """Format a number with all of its digits."""
    return "" if value is None else format_number(Decimal(repr(value)))
