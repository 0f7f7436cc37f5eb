"""The text of the program tools' answers, for people and agents who see only text. It contains all of the data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from workspace.lib.text import escape_markdown, format_count
from workspace.products.event.api.response_types import (
    BlockData,
    ConflictData,
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
        f"expires {row['expires_at']}" if row["expires_at"] else "",
        "password-protected" if row["has_password"] else "",
        f"created {row['created_at']}, changed {row['updated_at']}",
        f"`{row['id']}`",
    ]
    return ", ".join(filter(None, parts))


def event_facts(event: EventDetail) -> dict[str, Any]:
    cost = event["publishing"]["costs_credits"]
    return {
        **public_facts(event),
        "QR code": f"{event['png_url']}, {event['svg_url']}",
        "calendar URL": event["calendar_url"],
        "print page": event["print_url"],
        "earlier slugs": ", ".join(slug for slug in event["slugs"] if slug != event["slug"]),
        "published": "yes" if event["published"] else "no",
        "publishing cost": format_count(cost, "event credit") if cost else "none",
        "unused event credits": event["publishing"]["unused_credits"],
        "dates": event["when"],
        "location": escape_markdown(event["where"]),
        "venue": escape_markdown(event["venue"]),
        "address": escape_markdown(event["address"]),
        "time zone": event["time_zone"],
        "description": escape_markdown(event["description"]),
        "image": event["image_id"],
        "color": event["color"],
        "language": event["language"],
        "sessions": event["item_count"],
        "sessions without a room": event["without_room"],
        "views": event["views"],
    }


def format_parts(event: EventDetail) -> list[str]:
    """Format all parts of a program as lines that follow the facts about it."""
    lines = ["", "Days:" if event["day_list"] else "No days yet."]
    for day in event["day_list"]:
        label = f" {escape_markdown(day['label'])}" if day["label"] else ""
        lines.append(f"- {day['date']}{label}, {format_count(day['sessions'], 'session')} `{day['id']}`")
    if event["rooms"]:
        lines += ["", "Rooms:"]
        lines += [
            f"- {escape_markdown(room['name'])}, {format_count(room['sessions'], 'session')} `{room['id']}`"
            for room in event["rooms"]
        ]
    if event["tracks"]:
        named = (f"{escape_markdown(track['name'])} ({track['color']})" for track in event["tracks"])
        lines += ["", f"Tracks: {', '.join(named)}"]
    if event["schedule"]:
        lines += ["", "Sessions:", *format_bullets(event["schedule"], format_session)]
    if event["speakers"]:
        lines += ["", "Speakers:", *format_bullets(event["speakers"], format_speaker)]
    for tier in event["sponsors"]:
        name = f", {escape_markdown(tier['tier'])}" if tier["tier"] else ""
        lines += ["", f"Sponsors{name}:", *format_bullets(tier["sponsors"], format_block)]
    for name, blocks in (("Ads", event["ads"]), ("Info pages", event["info_pages"])):
        if blocks:
            lines += ["", f"{name}:", *format_bullets(blocks, format_block)]
    return lines + format_conflicts(event["clashes"])


def format_session(row: SessionData) -> str:
    times = "–".join(filter(None, [row["start_time"], row["end_time"]]))
    moments = " to ".join(filter(None, [row["starts_at"], row["ends_at"]]))
    named = [f"{escape_markdown(speaker['name'])} `{speaker['id']}`" for speaker in row["speakers"]]
    parts = [
        f"{row['day']} {times or 'no time'}",
        f"**{escape_markdown(row['title'])}**{' CANCELLED' if row['cancelled'] else ''}",
        f"time shown as {escape_markdown(row['time_label'])}" if row["time_label"] else "",
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
        f"photo {row['image_id']} {row['image_url']}" if row["image_id"] else "",
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
        f"image {row['image_id']} {row['image_url']}" if row["image_id"] else "",
        f"alt text {escape_markdown(row['alt'])}" if row["alt"] else "",
        f"position {row['place']}",
        f"shown from {row['shows_from']}" if row["shows_from"] else "",
        f"shown until {row['shows_until']}" if row["shows_until"] else "",
        f"`{row['id']}`",
    ]
    return ", ".join(filter(None, parts))


def _format_links(links: Iterable[Link]) -> str:
    return ", ".join(f"{escape_markdown(link['label'])} {link['url']}".strip() for link in links)


def format_conflicts(clashes: Sequence[ConflictData]) -> list[str]:
    if not clashes:
        return []
    lines = [f"{escape_markdown(row['text'])} `{row['first_id']}` `{row['second_id']}`" for row in clashes]
    return ["", f"{format_count(len(clashes), 'conflict')}:", *format_bullets(lines, str)]
