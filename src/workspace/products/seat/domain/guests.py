"""Operations on one or many guests, with few queries.

Call them with the account locked, so that parallel calls cannot exceed limits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, cast

from workspace.lib import clock
from workspace.lib.name_order import DEFAULT_ORDER, Order, split_by_order
from workspace.lib.text import search_key
from workspace.products.seat import messages
from workspace.products.seat.domain import guest_moves
from workspace.products.seat.domain.queries import guests_for
from workspace.products.seat.models import Chart, CheckIn, Guest, Reply, Table
from workspace.publishing.shared_item_arguments import parse_local_time
from workspace.storage import journal
from workspace.tools.object_parser import Issues

GuestInput = Mapping[str, Any]
PLAIN_FIELDS = (
    "name", "party", "reply", "diet", "notes", "chair", "wheelchair", "tags", "email", "phone", "placeholder", "locked",
)  # fmt: skip
NAME_FIELDS = {"name", "sort_name", "party"}


@dataclass(slots=True)
class GuestSaveResult:
    """The result of a call, for its answer and its step.

    `affected` are the guests that it created or named, in order.
    """

    created: list[Guest] = field(default_factory=list)
    changed: list[Guest] = field(default_factory=list)
    affected: list[Guest] = field(default_factory=list)
    deleted: list[Guest] = field(default_factory=list)
    did_not_fit: int = 0
    moves: list[list[str]] = field(default_factory=list)


_COMPANION_PATTERN = re.compile(r"(?P<called>Guest|Child) of (?P<host>.+?)(?: \(\d+\))?")  # as imported lists name them


def build_sort_name(name: str, order: Order = DEFAULT_ORDER) -> str:
    """Return `Berg, Anna` for `Anna Berg`. If family names come first, return a name such as `Nagy Anna` unchanged."""
    parts = split_by_order(name, order)
    if order == "family_first" and "," not in name:
        return name[:120]
    return (f"{parts.family}, {parts.given}" if parts.family and parts.given else name)[:120]


def companion_sort_name(host: str, companion_name: str) -> str:
    """Return the sort name of an unnamed companion, which sorts next to the guest they come with.

    `companion_name` is Guest or Child.
    """
    return f"{host[:100]} ({companion_name.lower()})"


def guess_sort_name(guest: Guest, order: Order) -> str:
    """Return the sort name derived from the name of a guest, or of the guest whom they accompany."""
    if guest.placeholder and (match := _COMPANION_PATTERN.fullmatch(guest.name)):
        beside = companion_sort_name(build_sort_name(match["host"], order), match["called"])
        if guest.sort_name.endswith(f" ({match['called'].lower()})"):
            return beside
    return build_sort_name(guest.name, order)


def update_sort_names(chart: Chart, before: Order) -> None:
    """Update the sort names derived with the previous name order. Sort names chosen by the owner do not change."""
    order = get_name_order(chart)
    guessed = [guest for guest in chart.guests.all() if guest.sort_name == guess_sort_name(guest, before)]
    changed = journal.update_rows((guest, {"sort_name": guess_sort_name(guest, order)}) for guest in guessed)
    Guest.update_index_many(changed)


def get_name_order(chart: Chart) -> Order:
    return cast(Order, chart.name_order)


def storable_fields(chart: Chart, fields: GuestInput, guest: Guest | None = None) -> dict[str, Any]:
    """Return the given fields of a guest in their stored form, except table and arrival."""
    result = {name: fields[name] for name in PLAIN_FIELDS if name in fields}
    order = get_name_order(chart)
    if "name" in fields and fields["name"] != (guest.name if guest else ""):
        was_guessed = guest is None or guest.placeholder or guest.sort_name == build_sort_name(guest.name, order)
        if was_guessed:
            result["sort_name"] = build_sort_name(fields["name"], order)
        if guest is not None and guest.placeholder and "placeholder" not in fields:
            result["placeholder"] = False  # it has a name now, and keeps the seat
    if "sort_name" in fields:
        result["sort_name"] = fields["sort_name"] or build_sort_name(
            fields.get("name", guest.name if guest else ""), order
        )
    if "meals" in fields or "meal" in fields:
        meals = list(fields["meals"]) if "meals" in fields else list(guest.meals if guest else [])
        if "meal" in fields:
            meals[:1] = [fields["meal"]]
        result["meals"] = normalize_meals(chart, meals)
    if "seat" in fields:
        result["seat"] = fields["seat"] or None
    return result


def normalize_meals(chart: Chart, meals: Sequence[str]) -> list[str]:
    """Spell meals as in the chart's courses, and drop empty ones at the end. Unknown meals do not change."""
    results = []
    for number, meal in enumerate(meals):
        choices = chart.courses[number]["choices"] if number < len(chart.courses) else []
        results.append(next((choice for choice in choices if search_key(choice) == search_key(meal)), meal))
    while results and not results[-1]:
        results.pop()
    return results


def add_guests(chart: Chart, requested: Sequence[GuestInput]) -> tuple[list[Guest], int]:
    """Add as many guests as the plan allows, in order, without a table.

    Return the added guests and the number of guests who exceed the plan's limit.
    """
    room = chart.remaining_quota()
    taken = requested if room is None else requested[:room]
    # ids created in the same millisecond would otherwise have a random order
    ids = sorted(Guest._meta.pk.get_default() for _ in taken)
    guests = [
        Guest(id=id, chart=chart, **storable_fields(chart, fields)) for id, fields in zip(ids, taken, strict=True)
    ]
    for guest in guests:
        guest.update_index()
    Guest.objects.bulk_create(guests, batch_size=200)
    journal.record_new_rows(*guests)
    return guests, len(requested) - len(taken)


def save_guests(
    chart: Chart, items: Sequence[GuestInput], remove: Sequence[str], *, allow_over_capacity: bool = False
) -> GuestSaveResult:
    """Save and delete guests.

    Raise InvalidInputError with the path of each error (`items.3.table_id`), and ToolError if a table has no seat for a
    guest.
    """
    issues, done = Issues(), GuestSaveResult()
    present = {guest.pk: guest for guest in chart.guests.select_related("table")}
    tables = guest_moves.tables_by_id(chart)
    by_name = _match_items(items, remove, present, issues)
    _check_tables(items, tables, issues)
    issues.raise_if_any()
    done.deleted = [present[id] for id in dict.fromkeys(remove)]
    delete_guests(chart, done.deleted)
    new = [item for item in items if item.get("id") is None]
    done.created, done.did_not_fit = add_guests(chart, new)
    each = iter(done.created)
    pairs = [(by_name[number] if number in by_name else next(each, None), item) for number, item in enumerate(items)]
    existing = [(guest, fields) for guest, fields in pairs if guest is not None]
    changes = [
        (guest, storable_fields(chart, fields, guest)) for guest, fields in existing if fields.get("id") is not None
    ]
    done.changed = journal.update_rows(changes)
    renamed = {guest.pk for guest, fields in changes if NAME_FIELDS & set(fields)}
    Guest.update_index_many([guest for guest in done.changed if guest.pk in renamed])
    done.moves = _apply_moves(chart, existing, tables, allow_over_capacity=allow_over_capacity)
    done.changed += _record_ticks(chart, existing)
    done.affected = [guest for guest, _ in existing]
    return done


def _match_items(
    items: Sequence[GuestInput], remove: Sequence[str], existing: Mapping[str, Guest], issues: Issues
) -> dict[int, Guest]:
    result: dict[int, Guest] = {}
    seen: set[str] = set()
    for number, item in enumerate(items):
        id = item.get("id")
        if id is None:
            continue
        if id in seen:
            issues.add(f"items.{number}.id", messages.ITEM_REPEATED)
        elif id in existing:
            result[number] = existing[id]
        else:
            issues.add(f"items.{number}.id", messages.GUEST_NOT_FOUND)
        seen.add(id)
    for number, id in enumerate(remove):
        if id in seen:
            issues.add(f"remove.{number}", messages.ITEM_IS_SAVED)
        elif id not in existing:
            issues.add(f"remove.{number}", messages.GUEST_NOT_FOUND)
    return result


def _check_tables(items: Sequence[GuestInput], tables: Mapping[str, Table], issues: Issues) -> None:
    for number, item in enumerate(items):
        if item.get("table_id") and item["table_id"] not in tables:
            issues.add(f"items.{number}.table_id", messages.TABLE_NOT_FOUND)
        if item.get("arrived") is None and any(item.get(name) for name in ("at", "tick_id")):
            issues.add(f"items.{number}.arrived", messages.ARRIVED_NEEDED)


def _apply_moves(
    chart: Chart,
    existing: Iterable[tuple[Guest, GuestInput]],
    tables: Mapping[str, Table],
    *,
    allow_over_capacity: bool,
) -> list[list[str]]:
    """Apply all moves together, so that two guests can swap. Guests who have declined leave their table."""
    requested: list[tuple[Guest, Table | None]] = []
    for guest, fields in existing:
        if "table_id" in fields:
            requested.append((guest, tables[fields["table_id"]] if fields["table_id"] else None))
        elif guest.reply == Reply.NO and guest.table_id is not None:
            requested.append((guest, None))
    seats = {guest.pk: guest.seat for guest, fields in existing if fields.get("seat")}
    moves = guest_moves.move_guests(chart, requested, allow_over_capacity=allow_over_capacity)
    # a seat number given together with a table belongs to the new table
    journal.update_rows((guest, {"seat": seats[guest.pk]}) for guest, _ in requested if guest.pk in seats)
    return moves


def delete_guests(chart: Chart, guests: Sequence[Guest]) -> None:
    """Delete guests, and the preferences that name them."""
    ids = {guest.pk for guest in guests}
    if ids:
        journal.delete_rows(*[preference for preference in chart.preferences.all() if ids & set(preference.between)])
        journal.delete_rows(*CheckIn.objects.filter(guest__in=ids))
        journal.delete_rows(*guests)


def _record_ticks(chart: Chart, existing: Iterable[tuple[Guest, GuestInput]]) -> list[Guest]:
    """Record check-in events. They may come in any order, and the latest one for each guest applies."""
    now, new = clock.now(), []
    for guest, fields in existing:
        if fields.get("arrived") is None:
            continue
        at = min(_parse_moment(chart, fields.get("at", ""), now), now)
        device = fields.get("device_id", "")
        key = fields.get("tick_id") or f"{device[:30]} {at.isoformat()} {fields['arrived']:d}"
        new.append(CheckIn(guest=guest, key=key[:80], is_checked_in=fields["arrived"], occurred_at=at, device=device))
    if not new:
        return []
    known = set(CheckIn.objects.filter(guest__in={tick.guest_id for tick in new}).values_list("guest", "key"))
    fresh = {(tick.guest_id, tick.key): tick for tick in new if (tick.guest_id, tick.key) not in known}
    CheckIn.objects.bulk_create(fresh.values())
    journal.record_new_rows(*fresh.values())
    events: dict[str, list[CheckIn]] = {}
    for tick in CheckIn.objects.filter(guest__in={tick.guest_id for tick in new}):
        events.setdefault(tick.guest_id, []).append(tick)
    guests = {guest.pk: guest for guest, _ in existing}
    return journal.update_rows(
        (guests[id], {"checked_in_at": CheckIn.latest_arrival(event)}) for id, event in events.items()
    )


def _parse_moment(chart: Chart, text: str, now: datetime) -> datetime:
    return parse_local_time(text, chart.account.zone) if text else now


def get_guest(chart: Chart, id: str) -> Guest:
    """Return a guest of this chart. Raise NotFoundError if the chart has no such guest."""
    return guests_for.get(id, messages.GUEST_NOT_FOUND, chart)
