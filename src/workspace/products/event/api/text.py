"""The text of the program tools' answers, for people and agents who see only text. It contains all of the data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from workspace.lib.text import escape_markdown, format_count
from workspace.products.event.api.response_types import (
    BlockData,
    ClashData,
    EventDetail,
    EventSummary,
    SessionData,
    SpeakerData,
)
from workspace.products.event.models import Link
from workspace.publishing.serializers import public_facts
from workspace.tools.answer import format_bullets


def format_event(row: EventSummary) -> str:
    parts = [
        f"**{escape_markdown(row['title'])}**",
        row["when"],
        f"days {' '.join(row['days'])}" if row["days"] else "no days yet",
        escape_markdown(row["where"]),
        format_count(row["item_count"], "session"),
        format_count(row["views"], "view"),
        "published" if row["published"] else "not published",
        row["public_url"],
        row["state"],
        f"slug {row['slug']}",
        f"until {row['expires_at']}" if row["expires_at"] else "",
        "with a password" if row["has_password"] else "",
        f"made {row['created_at']}, changed {row['updated_at']}",
        f"`{row['id']}`",
    ]
    return ", ".join(filter(None, parts))


def event_facts(found: EventDetail) -> dict[str, Any]:
    takes = found["publishing"]["costs_credits"]
    return {
        **public_facts(found),
        "QR code": f"{found['png_url']}, {found['svg_url']}",
        "calendar to subscribe to": found["calendar_url"],
        "to print": found["print_url"],
        "earlier slugs": ", ".join(slug for slug in found["slugs"] if slug != found["slug"]),
        "published": "yes" if found["published"] else "no",
        "publishing takes": f"{format_count(takes, 'event credit') if takes else 'nothing more'}, "
        f"{format_count(found['publishing']['unused_credits'], 'credit')} unused",
        "when": found["when"],
        "where": escape_markdown(found["where"]),
        "venue": escape_markdown(found["venue"]),
        "address": escape_markdown(found["address"]),
        "time zone": found["time_zone"],
        "description": escape_markdown(found["description"]),
        "picture": found["image_id"],
        "color": found["color"],
        "language": found["language"],
        "sessions": found["item_count"],
        "without a room": found["without_room"],
        "views": found["views"],
    }


def format_parts(found: EventDetail) -> list[str]:
    """Format all parts of a program as lines below its facts."""
    lines = ["", "Days:" if found["day_list"] else "No days yet."]
    for day in found["day_list"]:
        label = f" {escape_markdown(day['label'])}" if day["label"] else ""
        lines.append(f"- {day['date']}{label}, {format_count(day['sessions'], 'session')} `{day['id']}`")
    if found["rooms"]:
        lines += ["", "Rooms:"]
        lines += [
            f"- {escape_markdown(room['name'])}, {format_count(room['sessions'], 'session')} `{room['id']}`"
            for room in found["rooms"]
        ]
    if found["tracks"]:
        named = (f"{escape_markdown(track['name'])} ({track['color']})" for track in found["tracks"])
        lines += ["", f"Tracks: {', '.join(named)}"]
    if found["schedule"]:
        lines += ["", "Sessions:", *format_bullets(found["schedule"], format_session)]
    if found["speakers"]:
        lines += ["", "Speakers:", *format_bullets(found["speakers"], format_speaker)]
    for tier in found["sponsors"]:
        name = f", {escape_markdown(tier['tier'])}" if tier["tier"] else ""
        lines += ["", f"Sponsors{name}:", *format_bullets(tier["sponsors"], format_block)]
    for name, blocks in (("Ads", found["ads"]), ("Pages of information", found["info_pages"])):
        if blocks:
            lines += ["", f"{name}:", *format_bullets(blocks, format_block)]
    return lines + format_clashes(found["clashes"])


def format_session(row: SessionData) -> str:
    times = "–".join(filter(None, [row["start_time"], row["end_time"]]))
    moments = " to ".join(filter(None, [row["starts_at"], row["ends_at"]]))
    named = [f"{escape_markdown(one['name'])} `{one['id']}`" for one in row["speakers"]]
    parts = [
        f"{row['day']} {times or 'at no time'}",
        f"**{escape_markdown(row['title'])}**{' CANCELLED' if row['cancelled'] else ''}",
        f"guests read {escape_markdown(row['time_label'])}" if row["time_label"] else "",
        f"in {escape_markdown(row['location'])}" if row["location"] else "",
        f"with {', '.join(named)}" if named else "",
        row["kind"],
        f"track {escape_markdown(row['track'])}" if row["track"] else "",
        moments,
        escape_markdown(row["description"]),
        _format_links(row["links"]),
        row["public_url"],
        f"`{row['id']}`",
    ]
    return ", ".join(filter(None, parts))


def format_speaker(row: SpeakerData) -> str:
    parts = [
        f"**{escape_markdown(row['name'])}**",
        escape_markdown(row["role"]),
        escape_markdown(row["organization"]),
        escape_markdown(row["bio"]),
        _format_links(row["links"]),
        f"picture {row['image_id']} {row['image_url']}" if row["image_id"] else "",
        f"speaks at {' '.join(row['sessions'])}" if row["sessions"] else "",
        f"`{row['id']}`",
    ]
    return ", ".join(filter(None, parts))


def format_block(row: BlockData) -> str:
    parts = [
        row["kind"],
        f"**{escape_markdown(row['title'])}**" if row["title"] else "",
        f"tier {escape_markdown(row['tier'])}" if row["tier"] else "",
        escape_markdown(row["text"]),
        row["url"],
        f"picture {row['image_id']} {row['image_url']}" if row["image_id"] else "",
        f"which says {escape_markdown(row['alt'])}" if row["alt"] else "",
        f"place {row['place']}",
        f"from {row['shows_from']}" if row["shows_from"] else "",
        f"until {row['shows_until']}" if row["shows_until"] else "",
        f"`{row['id']}`",
    ]
    return ", ".join(filter(None, parts))


def _format_links(links: Iterable[Link]) -> str:
    return ", ".join(f"{escape_markdown(one['label'])} {one['url']}".strip() for one in links)


def format_clashes(clashes: Sequence[ClashData]) -> list[str]:
    if not clashes:
        return []
    lines = [f"{escape_markdown(row['text'])} `{row['first_id']}` `{row['second_id']}`" for row in clashes]
    return ["", f"{format_count(len(clashes), 'clash', 'clashes')}:", *format_bullets(lines, str)]
