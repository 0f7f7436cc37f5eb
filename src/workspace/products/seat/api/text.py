"""Charts, tables and guests as the text of an answer, which contains everything that the data contains."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from workspace.lib.text import escape_markdown, format_count
from workspace.products.seat.api.response_types import (
    ChartDetail,
    ChartSummary,
    GuestData,
    ObjectData,
    PreferenceData,
    TableData,
)
from workspace.products.seat.rules.table_labels import format_table_label
from workspace.publishing.diets import DIETS
from workspace.publishing.serializers import public_facts

_escape = escape_markdown
PREFERENCE_WORDS = {
    "together": "together",
    "apart": "apart",
    "near": "at",
    "away": "not at",
}


def list_under(heading: str, lines: Iterable[str]) -> list[str]:
    """Return the lines as a list with a heading, or nothing if there are no lines."""
    bullets = [f"- {line}" for line in lines]
    return ["", f"{heading}:", *bullets] if bullets else []


def format_chart(row: ChartSummary) -> str:
    parts = [
        f"**{_escape(row['title'])}** `{row['id']}`, slug {row['slug']}, {row['state']}",
        ", ".join(part for part in (row["date"], _escape(row["venue"])) if part),
        f"{format_count(row['table_count'], 'table')} with {format_count(row['seats'], 'seat')}",
        format_guest_counts(row),
        f"find-my-table {'on' if row['find_table'] else 'off'}: {row['public_url']}",
        f"version {row['version']}",
        f"expires {row['expires_at']}" if row["expires_at"] else "",
        "password-protected" if row["has_password"] else "",
        f"created {row['created_at']}, changed {row['updated_at']}",
    ]
    return "; ".join(part for part in parts if part)


def format_guest_counts(row: ChartSummary) -> str:
    limit = f" of {row['guest_limit']:,} allowed by your plan" if row["guest_limit"] is not None else ""
    return f"{format_count(row['guest_count'], 'guest')}{limit}, {row['seated']} seated" + (
        f", {row['arrived']} checked in" if row["arrived"] else ""
    )


def chart_facts(row: ChartDetail) -> dict[str, Any]:
    return {
        **public_facts(row),
        "date": row["date"],
        "venue": _escape(row["venue"]),
        "tables": f"{row['table_count']} with {format_count(row['seats'], 'seat')}",
        "guests": format_guest_counts(row),
        "find-my-table": row["find_table_url"] if row["find_table"] else f"{row['find_table_url']} (off)",
        "table lookup opens": row["find_from"],
        "names at the table": "shown to guests" if row["show_names"] else "",
        "room": f"{row['width']:g} × {row['depth']:g} cm, shown in {row['units']}",
        "floor plan image": f"{row['background_image_id']} {row['background_image_url']}, "
        f"{row['background_width']:g} cm wide"
        if row["background_image_id"]
        else "",
        "courses": "; ".join(
            _escape(course["name"]) + (f" ({', '.join(map(_escape, course['choices']))})" if course["choices"] else "")
            for course in row["courses"]
        ),
        "name order": row["name_order"],
        "auto-seat": "" if row["seat_waiting"] else "skips guests who have not replied",
        "version": row["version"],
    }


def format_table(row: TableData) -> str:
    facts = [
        f"**{_escape(format_table_label(row['name']))}** `{row['id']}`: "
        f"{row['guest_count']} of {row['capacity']} seats taken, {row['shape']}",
        f"at {row['x']:g}, {row['y']:g}; {row['width']:g} × {row['depth']:g} cm",
        f"rotated {row['rotation']:g}°" if row["rotation"] else "",
        "seats at the ends" if row["end_seats"] else "",
        "closed" if row["closed"] else "",
        "locked" if row["locked"] else "",
        row["color"],
        f"note: {_escape(row['note'])}" if row["note"] else "",
    ]
    line = ", ".join(fact for fact in facts if fact)
    return "\n".join([line, *(f"  - {_format_table_guest(guest)}" for guest in row["guests"])])


def _format_table_guest(guest: Any) -> str:
    facts = [
        f"{_escape(guest['name'])} `{guest['id']}`",
        f"party {_escape(guest['party'])}" if guest["party"] else "",
        _escape(guest["meal"]),
        f"chair {guest['seat']}" if "seat" in guest else "",
        "locked" if "locked" in guest else "",
        "checked in" if "arrived" in guest else "",
    ]
    return ", ".join(fact for fact in facts if fact)


def format_object(row: ObjectData) -> str:
    facts = [
        f"{row['kind'].replace('_', ' ')} {_escape(row['name'])} `{row['id']}`".replace("  ", " "),
        f"at {row['x']:g}, {row['y']:g}; {row['width']:g} × {row['depth']:g} cm",
        f"rotated {row['rotation']:g}°" if row["rotation"] else "",
        "locked" if row["locked"] else "",
        row["color"],
    ]
    return ", ".join(fact for fact in facts if fact)


def format_guest(row: GuestData) -> str:
    where = f"table {_escape(row['table'])} `{row['table_id']}`" if row["table_id"] else "unseated"
    if row["table_id"] and row["seat"]:
        where += f", chair {row['seat']}"
    facts = [
        f"{_escape(row['name'])} `{row['id']}`: {where}",
        f"sorted as {_escape(row['sort_name'])}",
        f"party {_escape(row['party'])}" if row["party"] else "",
        f"meals: {_format_meals(row['meals'])}" if row["meal"] else "",
        f"diet: {', '.join(DIETS[value].english_name for value in row['diet'])} ({', '.join(row['diet'])})"
        if row["diet"]
        else "",
        f"reply: {row['reply']}",
        {"child": "child's chair", "high": "high chair"}.get(row["chair"], ""),
        "wheelchair" if row["wheelchair"] else "",
        f"tags: {', '.join(map(_escape, row['tags']))}" if row["tags"] else "",
        _escape(row["email"]),
        _escape(row["phone"]),
        f"notes: {_escape(row['notes'])}" if row["notes"] else "",
        "locked" if row["locked"] else "",
        "placeholder" if row["placeholder"] else "",
        f"checked in {row['arrived_at']}" if row["arrived"] else "",
    ]
    return ", ".join(fact for fact in facts if fact)


def _format_meals(meals: Sequence[str]) -> str:
    return ", ".join(_escape(meal) if meal else "–" for meal in meals)


def format_preference(row: PreferenceData) -> str:
    who = " and ".join(map(_escape, row["names"]))
    which = " ".join(f"`{value}`" for value in row["between"])
    table = f" table {_escape(row['table'])} `{row['table_id']}`" if row["table_id"] else ""
    return f"{who} {PREFERENCE_WORDS[row['kind']]}{table}: {row['weight']} `{row['id']}` ({row['kind']} {which})"
