"""What charts, tables and guests are, in words for an answer's text: all that the data says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workspace.lib.text import counted, escape_markdown
from workspace.products.seat.api.response_types import ChartRow, ChartWhole, GuestRow, ObjectRow, TableRow, WishRow
from workspace.publishing.diets import DIETS
from workspace.publishing.serializers import public_facts

_safe = escape_markdown
WISHES = {
    "together": "together",
    "apart": "apart",
    "near": "at",
    "away": "not at",
}


def chart_line(row: ChartRow) -> str:
    parts = [
        f"**{_safe(row['title'])}** `{row['id']}`, slug {row['slug']}, {row['state']}",
        ", ".join(part for part in (row["date"], _safe(row["venue"])) if part),
        f"{counted(row['table_count'], 'table')} with {counted(row['seats'], 'seat')}",
        seated(row),
        f"find-my-table {'on' if row['find_table'] else 'off'}: {row['public_url']}",
        f"version {row['version']}",
        f"until {row['expires_at']}" if row["expires_at"] else "",
        "asks for a password" if row["has_password"] else "",
        f"made {row['created_at']}, changed {row['updated_at']}",
    ]
    return "; ".join(part for part in parts if part)


def seated(row: ChartRow) -> str:
    limit = f" of {row['guest_limit']:,} in your plan" if row["guest_limit"] is not None else ""
    return f"{counted(row['guest_count'], 'guest')}{limit}, {row['seated']} seated" + (
        f", {row['arrived']} arrived" if row["arrived"] else ""
    )


def chart_facts(row: ChartWhole) -> dict[str, Any]:
    return {
        **public_facts(row),
        "date": row["date"],
        "venue": _safe(row["venue"]),
        "tables": f"{row['table_count']} with {counted(row['seats'], 'seat')}",
        "guests": seated(row),
        "find-my-table": row["find_table_url"] if row["find_table"] else f"{row['find_table_url']} (off)",
        "guests find it from": row["find_from"],
        "names of the table": "shown to guests" if row["show_names"] else "",
        "room": f"{row['width']:g} × {row['depth']:g} cm, shown in {row['units']}",
        "picture of the room": f"{row['background_id']} {row['background_url']}, {row['background_width']:g} cm wide"
        if row["background_id"]
        else "",
        "courses": "; ".join(
            _safe(course["name"]) + (f" ({', '.join(map(_safe, course['choices']))})" if course["choices"] else "")
            for course in row["courses"]
        ),
        "name order": row["name_order"],
        "auto-seat": "" if row["seat_waiting"] else "leaves out who has not replied",
        "version": row["version"],
    }


def table_line(row: TableRow) -> str:
    facts = [
        f"**Table {_safe(row['name'])}** `{row['id']}`: {row['guest_count']} of {row['capacity']}, {row['shape']}",
        f"at {row['x']:g}, {row['y']:g}; {row['width']:g} × {row['depth']:g} cm",
        f"turned {row['rotation']:g}°" if row["rotation"] else "",
        "seats at its ends" if row["end_seats"] else "",
        "closed" if row["closed"] else "",
        "stays on the plan" if row["locked"] else "",
        row["colour"],
        f"note: {_safe(row['note'])}" if row["note"] else "",
    ]
    line = ", ".join(fact for fact in facts if fact)
    return "\n".join([line, *(f"  - {_sitting(guest)}" for guest in row["guests"])])


def _sitting(guest: Any) -> str:
    facts = [
        f"{_safe(guest['name'])} `{guest['id']}`",
        f"of {_safe(guest['party'])}" if guest["party"] else "",
        _safe(guest["meal"]),
        f"chair {guest['seat']}" if "seat" in guest else "",
        "locked" if "locked" in guest else "",
        "arrived" if "arrived" in guest else "",
    ]
    return ", ".join(fact for fact in facts if fact)


def object_line(row: ObjectRow) -> str:
    facts = [
        f"{row['kind'].replace('_', ' ')} {_safe(row['name'])} `{row['id']}`".replace("  ", " "),
        f"at {row['x']:g}, {row['y']:g}; {row['width']:g} × {row['depth']:g} cm",
        f"turned {row['rotation']:g}°" if row["rotation"] else "",
        "stays on the plan" if row["locked"] else "",
        row["colour"],
    ]
    return ", ".join(fact for fact in facts if fact)


def guest_line(row: GuestRow) -> str:
    where = f"table {_safe(row['table'])} `{row['table_id']}`" if row["table_id"] else "unseated"
    if row["table_id"] and row["seat"]:
        where += f", chair {row['seat']}"
    facts = [
        f"{_safe(row['name'])} `{row['id']}`: {where}",
        f"sorted as {_safe(row['sort_name'])}",
        f"party {_safe(row['party'])}" if row["party"] else "",
        f"meals: {_meals(row['meals'])}" if row["meal"] else "",
        f"diet: {', '.join(DIETS[one].called for one in row['diet'])} ({', '.join(row['diet'])})"
        if row["diet"]
        else "",
        f"reply {row['reply']}",
        {"child": "child chair", "high": "high chair"}.get(row["chair"], ""),
        "wheelchair" if row["wheelchair"] else "",
        f"tags: {', '.join(map(_safe, row['tags']))}" if row["tags"] else "",
        _safe(row["email"]),
        _safe(row["phone"]),
        f"notes: {_safe(row['notes'])}" if row["notes"] else "",
        "locked" if row["locked"] else "",
        "placeholder" if row["placeholder"] else "",
        f"arrived {row['arrived_at']}" if row["arrived"] else "",
    ]
    return ", ".join(fact for fact in facts if fact)


def _meals(meals: Sequence[str]) -> str:
    return ", ".join(_safe(meal) if meal else "–" for meal in meals)


def wish_line(row: WishRow) -> str:
    who = " and ".join(map(_safe, row["names"]))
    which = " ".join(f"`{one}`" for one in row["between"])
    table = f" table {_safe(row['table'])} `{row['table_id']}`" if row["table_id"] else ""
    return f"{who} {WISHES[row['kind']]}{table}: {row['weight']} `{row['id']}` ({row['kind']} {which})"
