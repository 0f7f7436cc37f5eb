"""The text of the booking tools' answers, for people and agents who see only text."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from workspace.lib import money
from workspace.lib.text import escape_markdown
from workspace.lib.web_address import to_unicode_host
from workspace.lib.weekly_hours import Window, format_hours
from workspace.products.booking.api.serializers import (
    BookingData,
    BookingPageDetail,
    BookingPageSummary,
    ServiceDetail,
    ServiceSummary,
)
from workspace.publishing.serializers import public_facts


def format_page(row: BookingPageSummary) -> str:
    parts = [
        f"**{escape_markdown(row['name'])}**",
        row["public_url"],
        f"{row['upcoming']:,} upcoming",
        f"time zone {row['time_zone']}",
        f"currency {row['currency']}",
        row["state"],
        f"slug {row['slug']}",
        f"until {row['expires_at']}" if row["expires_at"] else "",
        "with a password" if row["has_password"] else "",
        f"`{row['id']}`",
    ]
    services = [f"  - {_format_service_summary(service, row['currency'])}" for service in row["services"]]
    return "\n".join([", ".join(filter(None, parts)), *services])


def _format_service_summary(row: ServiceSummary, currency: str) -> str:
    price = f", {_format_amount(row['price'], currency)}" if row["price"] is not None else ""
    return f"{escape_markdown(row['name'])}, {row['duration']} minutes{price} `{row['id']}`"


def _format_amount(value: float | None, currency: str) -> str:
    return "" if value is None else money.format_exact_amount(Decimal(repr(value)), currency)


def format_service(row: ServiceDetail, currency: str) -> str:
    paid = {
        "none": "online payment: none",
        "full": "paid online in full",
        "deposit": f"a deposit of {_format_amount(row['deposit'], currency)} paid online",
    }
    parts = [
        _format_service_summary(row, currency),
        paid.get(row["payment"], ""),
        escape_markdown(row["text"]),
        f"{row['buffer_before']} minutes buffer before and {row['buffer_after']} after",
        f"notice {row['notice']} minutes",
        f"{row['horizon']} days bookable ahead",
        f"every {row['interval']} minutes",
        f"at most {row['daily_cap']} a day" if row["daily_cap"] else "",
        "you confirm each" if row["approval"] else "",
        f"clients can cancel {_format_deadline(row['cancel_until'])}",
        f"clients can reschedule {_format_deadline(row['move_until'])}",
        "hidden" if row["hidden"] else "",
    ]
    question_texts = [
        f"{escape_markdown(question['label'])} ({question['type']}{', required' if question.get('required') else ''}"
        f"{': ' + escape_markdown(', '.join(question['options'])) if question.get('options') else ''})"
        for question in row["questions"]
    ]
    return ", ".join(filter(None, parts)) + (f"; asks: {'; '.join(question_texts)}" if question_texts else "")


def _format_deadline(hours: int) -> str:
    return "never" if hours < 0 else f"until {hours} hours before"


def page_facts(row: BookingPageDetail) -> dict[str, Any]:
    return {
        **public_facts(row),
        "upcoming bookings": row["upcoming"],
        "time zone": row["time_zone"],
        "currency": row["currency"],
        "about": escape_markdown(row["description"]),
        "place": escape_markdown(row["place"]),
        "picture": row["image_id"],
        "language": row["language"],
        "open": format_opening_hours(row["hours"]) or "never (set hours)",
        "websites that can embed it": ", ".join(map(to_unicode_host, row["hosts"])),
        "websites that tried to embed it": ", ".join(refused_website["host"] for refused_website in row["refused"]),
        "embed script": f"`{row['script']}`",
        "embed iframe": f"`{row['iframe']}`",
        "code": f"{row['svg_url']}, {row['png_url']}",
        "slugs": ", ".join(row["slugs"]),
    }


def format_opening_hours(windows: Iterable[Window]) -> str:
    """Format the windows of all days in the format that the edit tool accepts: `mon, tue 09:00–18:00`."""
    results = list(windows)
    return "; ".join(
        f"{', '.join(window['days'])} {window['from']}–{window['until']}" if window["days"] else format_hours([window])
        for window in results
    )


def format_page_sections(row: BookingPageDetail) -> list[str]:
    lines = ["", "Services:" if row["services"] else "No services yet. Add them with svc_booking_save_services."]
    lines += [f"- {format_service(service, row['currency'])}" for service in row["services"]]
    if row["overrides"]:
        lines += ["", "Special hours:"]
        lines += [
            f"- {override['date']}: {format_opening_hours(override['windows']) or 'closed'}"
            for override in row["overrides"]
        ]
    if row["blocks"]:
        lines += ["", "Blocked:"]
        lines += [
            f"- {block['start']} to {block['end']} {escape_markdown(block['reason'])} `{block['id']}`"
            for block in row["blocks"]
        ]
    return lines


def format_booking(row: BookingData) -> str:
    parts = [
        f"**{row['start']}** to {row['end']}",
        escape_markdown(row["service"]) + (f" ({row['service_id']})" if row["service_id"] else ""),
        escape_markdown(row["name"]),
        escape_markdown(row["email"]),
        escape_markdown(row["phone"]),
        row["status"],
        f"waiting for {row['waiting_for']} until {row['hold_until']}" if row["waiting_for"] else "",
        f"price {row['price']}" if row["price"] is not None else "",
        f"{row['paid']} paid online" if row["paid"] else "",
        f"on {escape_markdown(row['page'])} ({row['page_id']})",
        *(f"{escape_markdown(answer['label'])}: {escape_markdown(answer['text'])}" for answer in row["answers"]),
        f"note: {escape_markdown(row['note'])}" if row["note"] else "",
        f"reason: {escape_markdown(row['reason'])}" if row["reason"] else "",
        row["outcome"],
        f"`{row['id']}`",
    ]
    return ", ".join(filter(None, parts))
