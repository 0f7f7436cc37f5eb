"""Saving speakers, sponsors, ads and information pages as lists, with their pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from workspace.accounts.models import Upload
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.products.event import messages
from workspace.products.event.models import Block, Event, Speaker
from workspace.publishing import positions
from workspace.publishing.shared_item_arguments import parse_local_time
from workspace.storage import journal
from workspace.tools.object_parser import Issues

PartInput = Mapping[str, Any]
P = TypeVar("P", Speaker, Block)
_TIME_FIELDS = ("shows_from", "shows_until")
_NOT_FOUND = {Speaker: messages.SPEAKER_NOT_FOUND, Block: messages.BLOCK_NOT_FOUND}
_LIMITS = {Speaker: messages.SPEAKER_LIMIT, Block: messages.BLOCK_LIMIT}
_NOUNS = {Speaker: "speaker of this program", Block: "block of this program"}


@dataclass
class SaveResult(Generic[P]):
    """The result of a save. `saved` are the parts in the order of the entries."""

    saved: list[P] = field(default_factory=list)
    added: int = 0
    changed: int = 0
    removed: list[P] = field(default_factory=list)


def save_parts(
    event: Event,
    model: type[P],
    entries: Sequence[PartInput],
    remove: Sequence[str],
    order: Sequence[str] | None,
    *,
    max_count: int,
    is_journaled: bool = True,
) -> SaveResult[P]:
    """Save either all entries or none. Raise InvalidInputError with all errors found."""
    present: dict[str, P] = {item.pk: item for item in model._base_manager.filter(event=event, binned_at=None)}
    for item in present.values():
        item.event = event
    issues = Issues()
    new, changes = _split_entries(event, model, present, entries, remove, issues)
    uploads: dict[str, Upload] = {}
    with issues.collect_errors():
        worn = [(value["image_id"], f"{at}image_id") for at, _, value in new if value.get("image_id")]
        uploads = Upload.claim_many(event.account, worn)
    issues.raise_if_any()
    if len(present) - len(set(remove)) + len(new) > max_count:
        raise OperationNotAllowedError(_LIMITS[model](most=max_count))
    removed = [present[id] for id in dict.fromkeys(remove)]
    journal.update_rows((item, {"binned_at": clock.now()}) for item in removed)
    first = positions.next_position(model._base_manager.filter(event=event))
    made = [
        model(
            event=event,
            position=first + number,
            image=uploads.get(value.get("image_id", "")),
            **_column_values(event, value),
        )
        for number, (_, _, value) in enumerate(new)
    ]
    model.objects.bulk_create(made)
    if is_journaled:
        journal.record_new_rows(*made)
    changed = {
        row.pk for row in journal.update_rows((item, _column_values(event, value)) for _, item, value in changes)
    }
    for at, item, value in changes:
        if value.get("image_id", item.image_id or "") != (item.image_id or ""):
            item.attach_image(value["image_id"], f"{at}image_id")
            changed.add(item.pk)
    if order is not None:
        rows = model.objects.filter(event=event).exclude(pk__in=[item.pk for item in made])
        positions.reorder_parts(rows, order, path="order", noun=_NOUNS[model])
    by_number = {number: item for (number, _), item in zip(_enumerate_entries(entries, known=False), made, strict=True)}
    by_number |= {number: present[entry["id"]] for number, entry in _enumerate_entries(entries, known=True)}
    return SaveResult([by_number[number] for number in sorted(by_number)], len(made), len(changed), removed)


def _enumerate_entries(entries: Sequence[PartInput], *, known: bool) -> list[tuple[int, PartInput]]:
    return [(number, entry) for number, entry in enumerate(entries) if ("id" in entry) is known]


def _split_entries(
    event: Event,
    model: type[P],
    present: Mapping[str, P],
    entries: Sequence[PartInput],
    remove: Sequence[str],
    issues: Issues,
) -> tuple[list[tuple[str, P | None, PartInput]], list[tuple[str, P, PartInput]]]:
    new: list[tuple[str, P | None, PartInput]] = []
    changes: list[tuple[str, P, PartInput]] = []
    seen: set[str] = set()
    for number, entry in enumerate(entries):
        at, id = f"items.{number}.", entry.get("id")
        if id is not None and (id not in present or id in remove or id in seen):
            issues.add(f"{at}id", messages.ID_REPEATED if id in present else _NOT_FOUND[model])
            continue
        if id is None:
            new.append((at, None, entry))
        else:
            seen.add(id)
            changes.append((at, present[id], entry))
        if model is Block:
            _check_block(event, entry, present.get(id or ""), at, issues)
    for number, id in enumerate(remove):
        if id not in present:
            issues.add(f"remove.{number}", _NOT_FOUND[model])
    return new, changes


def _check_block(event: Event, fields: PartInput, former_block: Any, path: str, issues: Issues) -> None:
    """Check that a sponsor, an ad or an information page has its required fields after the change."""

    def value(name: str) -> Any:
        stored = getattr(former_block, name, None) if former_block is not None else None
        return fields.get(name, stored)

    kind = value("kind")
    if kind == Block.AD:
        if not (value("image_id") or value("title") or value("text")):
            issues.add(f"{path}image_id", messages.AD_EMPTY)
        begins, until = (_parse_local_time(event, value(name)) for name in _TIME_FIELDS)
        if begins and until and until <= begins:
            issues.add(f"{path}shows_until", messages.AD_END_INVALID)
    elif not value("title"):
        is_sponsor = kind == Block.SPONSOR
        issues.add(f"{path}title", messages.SPONSOR_NAME_NEEDED if is_sponsor else messages.HEADING_NEEDED)


def _parse_local_time(event: Event, value: Any) -> Any:
    return parse_local_time(value, event.zone) if isinstance(value, str) and value else (value or None)


def _column_values(event: Event, values: PartInput) -> dict[str, Any]:
    fields = {name: value for name, value in values.items() if name not in ("id", "image_id")}
    return fields | {name: _parse_local_time(event, fields[name]) for name in _TIME_FIELDS if name in fields}
