"""Saving a program's days, rooms and tracks. Each call replaces the whole list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from workspace.lib import clock
from workspace.products.event import messages
from workspace.products.event.domain.name_resolver import TRACK_COLORS
from workspace.products.event.models import Day, Event, Room, Session, Track, name_key
from workspace.storage import journal
from workspace.tools.object_parser import Issues

ListEntry = Mapping[str, Any]


def set_days(event: Event, items: Sequence[ListEntry], issues: Issues, *, is_journaled: bool = True) -> bool:
    """Replace the days, matched by id or date. Return True if a day has moved, which changes session times.

    Days with sessions cannot be removed.
    """
    present = list(event.days.all())
    by_id, by_date = {day.pk: day for day in present}, {day.date: day for day in present}
    stored: dict[str, dict[str, Any]] = {}
    new: list[Day] = []
    dates: set[date] = set()
    for number, item in enumerate(items):
        at = f"days.{number}."
        day = by_id.get(item["id"]) if "id" in item else by_date.get(item["date"])
        if "id" in item and day is None:
            issues.add(f"{at}id", messages.DAY_NOT_FOUND)
            continue
        on = item.get("date", day.date if day else None)
        if on in dates or (day is not None and day.pk in stored):
            issues.add(f"{at}date", messages.DATE_REPEATED)
            continue
        dates.add(on)
        if day is None:
            new.append(Day(event=event, date=on, label=item.get("label", "")))
        else:
            stored[day.pk] = {"date": on, **({"label": item["label"]} if "label" in item else {})}
    days = [day for day in present if day.pk not in stored]
    busy = Session.objects.filter(day__in=days).values_list("day_id", flat=True)
    for day in days:
        if count := list(busy).count(day.pk):
            issues.add("days", messages.DAY_HAS_SESSIONS(day=day.date.isoformat(), count=count))
    issues.raise_if_any()
    moved = any(by_id[id].date != fields["date"] for id, fields in stored.items())
    journal.update_rows((day, {"binned_at": clock.now()}) for day in days)
    if moved:  # one by one, in an order in which two days never have the same date
        _move_days({by_id[id]: fields["date"] for id, fields in stored.items() if by_id[id].date != fields["date"]})
    journal.update_rows((by_id[id], fields) for id, fields in stored.items())
    Day.objects.bulk_create(new)
    if is_journaled:
        journal.record_new_rows(*new)
    return moved


def _move_days(requested: dict[Day, date]) -> None:
    first, last = min(day.date for day in requested), max(day.date for day in requested)
    later = min(requested.values()) > first or max(requested.values()) > last
    for day in sorted(requested, key=lambda day: day.date, reverse=later):
        journal.update_row(day, date=requested[day])


def set_rooms(event: Event, items: Sequence[ListEntry], issues: Issues, *, is_journaled: bool = True) -> list[str]:
    """Replace the rooms, matched by id or name.

    Return one sentence for each removed room whose sessions no longer have a room.
    """
    present = list(event.rooms.all())
    by_id, by_name = {room.pk: room for room in present}, {room.name_key: room for room in present}
    stored: dict[str, dict[str, Any]] = {}
    new: list[Room] = []
    names: set[str] = set()
    for number, item in enumerate(items):
        at = f"rooms.{number}."
        room = by_id.get(item["id"]) if "id" in item else by_name.get(name_key(item["name"]))
        if "id" in item and room is None:
            issues.add(f"{at}id", messages.ROOM_NOT_FOUND)
            continue
        name = " ".join(item["name"].split()) if "name" in item else (room.name if room else "")
        if name_key(name) in names:
            issues.add(f"{at}name", messages.ROOM_NAME_REPEATED)
            continue
        names.add(name_key(name))
        fields = {"name": name, "name_key": name_key(name), "position": number}
        if room is None:
            new.append(Room(event=event, **fields))
        else:
            stored[room.pk] = fields
    issues.raise_if_any()
    lines = delete_rooms([room for room in present if room.pk not in stored])
    for room in (by_id[id] for id, fields in stored.items() if fields["name_key"] in by_name):
        if by_name[stored[room.pk]["name_key"]] is not room:  # two rooms swap their names: first set a temporary name
            Room.objects.filter(pk=room.pk).update(name_key=f"\x01{room.pk}")
    journal.update_rows((by_id[id], fields) for id, fields in stored.items())
    Room.objects.bulk_create(new)
    if is_journaled:
        journal.record_new_rows(*new)
    return lines


def delete_rooms(rooms: Sequence[Room]) -> list[str]:
    """Delete rooms. Their sessions then have no room. Return a sentence about the sessions of each room."""
    lines = []
    for room in rooms:
        sessions = list(Session.objects.filter(room=room))
        journal.update_rows((session, {"room": None}) for session in sessions)
        lines.append(str(messages.ROOM_REMOVED(room=room.name, count=len(sessions))))
    journal.update_rows((room, {"binned_at": clock.now()}) for room in rooms)
    return lines


def set_tracks(event: Event, items: Sequence[ListEntry], issues: Issues, *, is_journaled: bool = True) -> None:
    """Replace the tracks. Sessions of a removed track then have no track."""
    names: set[str] = set()
    tracks: list[Track] = []
    was = {name_key(track["name"]): track for track in event.tracks}
    for number, item in enumerate(items):
        name = " ".join(item["name"].split())
        if name_key(name) in names:
            issues.add(f"tracks.{number}.name", messages.TRACK_NAME_REPEATED)
        names.add(name_key(name))
        earlier = was.get(name_key(name))
        color = item.get("color") or (earlier["color"] if earlier else TRACK_COLORS[number % len(TRACK_COLORS)])
        tracks.append({"name": name, "color": color})
    issues.raise_if_any()
    if not is_journaled:
        event.tracks = tracks
        event.save(update_fields=["tracks"])
        return
    data = {name_key(track["name"]): track["name"] for track in tracks}
    sessions = event.sessions.exclude(track="")
    journal.update_rows((session, {"track": data.get(name_key(session.track), "")}) for session in sessions)
    journal.update_row(event, tracks=tracks)
