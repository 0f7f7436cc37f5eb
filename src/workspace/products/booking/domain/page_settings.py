"""Saving the settings of a page: services, dates with other hours, and blocked times.

Call these functions with the account locked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from workspace.lib import clock, money
from workspace.lib.errors import InvalidInputError, OperationNotAllowedError
from workspace.payments import checkout
from workspace.payments.provider_registry import list_titles
from workspace.products.booking import messages
from workspace.products.booking.domain import booking_actions
from workspace.products.booking.models import KIND, Block, BookingPage, DateOverride, Service
from workspace.products.booking.models.service import DEPOSIT_PAYMENT, FULL_PAYMENT, NO_PAYMENT
from workspace.products.booking.rules.limits import MAX_OVERRIDE_DAYS
from workspace.publishing import positions
from workspace.publishing.shared_item_arguments import parse_local_time
from workspace.storage import journal
from workspace.tools.object_parser import Issues

InputFields = Mapping[str, Any]
MAX_OVERRIDES = 1000
MAX_BLOCKS = 1000
_AMOUNT_FIELDS = ("price", "deposit")
_NONE_WHEN_ZERO = ("interval", "daily_cap")
_NONE_WHEN_MINUS_ONE = ("cancel_until", "move_until")
_COLUMNS = {"notice": "min_notice_minutes", "horizon": "max_days_ahead"}  # by their arguments


def build_service_fields(values: InputFields, page: BookingPage, path: str, issues: Issues) -> dict[str, Any]:
    """Convert the input for a service to column values."""
    fields = {_COLUMNS.get(name, name): value for name, value in values.items() if name not in ("id", *_AMOUNT_FIELDS)}
    fields |= {name: fields[name] or None for name in _NONE_WHEN_ZERO if name in fields}
    fields |= {name: None for name in _NONE_WHEN_MINUS_ONE if fields.get(name) == -1}
    for name in _AMOUNT_FIELDS:
        if name in values:
            try:
                minor = None if values[name] == "" else money.to_minor_units(values[name], page.currency)
                fields[f"{name}_minor"] = minor
            except ValueError as problem:
                issues.add(f"{path}{name}", str(problem))
    return fields


def _check_payment(service: Service, fields: InputFields, path: str, issues: Issues) -> None:
    """Check that an online payment has an amount and that a payment provider is connected."""
    payment = fields.get("payment", service.payment)
    if payment == NO_PAYMENT or not fields.keys() & {"payment", "price_minor", "deposit_minor"}:
        return
    price = fields.get("price_minor", service.price_minor)
    deposit = fields.get("deposit_minor", service.deposit_minor)
    if payment == FULL_PAYMENT and not price:
        issues.add(f"{path}price", messages.PRICE_NEEDED)
    elif payment == DEPOSIT_PAYMENT and not deposit:
        issues.add(f"{path}deposit", messages.DEPOSIT_NEEDED)
    elif payment == DEPOSIT_PAYMENT and deposit and price is not None and deposit > price:
        issues.add(f"{path}deposit", messages.DEPOSIT_TOO_HIGH)
    elif checkout.find_connection(service.page.account) is None:
        titles = list_titles()
        issues.add(f"{path}payment", messages.PAYMENT_NOT_CONNECTED(providers=titles))
    elif not checkout.can_charge(
        service.page.account, (price if payment == FULL_PAYMENT else deposit) or 0, service.page.currency
    ):
        text = "price" if payment == FULL_PAYMENT else "deposit"
        issues.add(f"{path}{text}", messages.AMOUNT_NOT_CHARGEABLE(currency=service.page.currency))


def create_services(
    page: BookingPage, requested: Sequence[InputFields], path: str, *, is_journaled: bool = True
) -> list[Service]:
    """Create services after the existing ones.

    Raise InvalidInputError with paths below `path`. Raise OperationNotAllowedError if the plan's limit is reached."""
    issues = Issues()
    fields = [build_service_fields(item, page, f"{path}.{number}.", issues) for number, item in enumerate(requested)]
    for number, field in enumerate(fields):
        _check_payment(Service(page=page), field, f"{path}.{number}.", issues)
    issues.raise_if_any()
    check_service_quota(page, len(requested))
    first = positions.next_position(page.services.all())
    services = [Service(page=page, position=first + number, **field) for number, field in enumerate(fields)]
    Service.objects.bulk_create(services)
    if is_journaled:
        journal.record_new_rows(*services)
    return services


def save_services(
    page: BookingPage, items: Sequence[InputFields], remove: Sequence[str], order: Sequence[str] | None
) -> list[str]:
    """Add, change, remove and order services. Return the ids of the saved `items` in order.

    Raise InvalidInputError with all errors found.
    """
    present = {service.pk: service for service in page.services.all()}
    issues, changes, new = Issues(), [], []
    for number, item in enumerate(items):
        at, id = f"items.{number}.", item.get("id")
        if id is None:
            new.append((number, item))
        elif id not in present or id in remove:
            issues.add(f"{at}id", messages.SERVICE_NOT_FOUND if id not in present else messages.SERVICE_IS_REMOVED)
        else:
            present[id].page = page
            fields = build_service_fields(item, page, at, issues)
            _check_payment(present[id], fields, at, issues)
            changes.append((present[id], fields))
    for number, id in enumerate(remove):
        if id not in present:
            issues.add(f"remove.{number}", messages.SERVICE_NOT_FOUND)
    issues.raise_if_any()
    now = clock.now()
    changed = journal.update_rows((present[id], {"binned_at": now}) for id in dict.fromkeys(remove))
    changed += journal.update_rows(changes)
    services = create_services(page, [item for _, item in new], "items") if new else []
    if order is not None:
        rows = page.services.exclude(pk__in=[service.pk for service in services])
        moved = positions.reorder_parts(rows, order, path="order", noun="service of this page")
        changed += list(rows[:1]) if moved else []
    if changed or services:
        page.mark_changed()
    by_place = {number: service.pk for (number, _), service in zip(new, services, strict=True)}
    return [item.get("id") or by_place[number] for number, item in enumerate(items)]


def check_service_quota(page: BookingPage, count: int) -> None:
    """Raise OperationNotAllowedError if the plan does not allow this many additional services."""
    most = page.account.limits(KIND).services
    if most is not None and page.services.count() + count > most:
        way_out = page.account.with_upgrade_hint(KIND, "remove one")
        raise OperationNotAllowedError(messages.SERVICE_LIMIT(most=most, way_out=way_out))


def set_overrides(page: BookingPage, requested: Sequence[InputFields]) -> None:
    """Set special hours for dates. Raise InvalidInputError for an invalid range."""
    issues, days = Issues(), dict[date, list[Any]]()
    for number, item in enumerate(requested):
        first = item["first"]
        last = item.get("to", first)
        if not 0 <= (last - first).days < MAX_OVERRIDE_DAYS:
            issues.add(f"overrides.{number}.to", messages.OVERRIDE_SPAN_INVALID(most=MAX_OVERRIDE_DAYS))
            continue
        for ahead in range((last - first).days + 1):
            days[first + timedelta(days=ahead)] = item.get("windows", [])
    issues.raise_if_any()
    present = {row.date: row for row in page.date_overrides.filter(date__in=list(days))}
    changed = journal.update_rows((present[day], {"windows": days[day]}) for day in present)
    new = [DateOverride(page=page, date=day, windows=windows) for day, windows in days.items() if day not in present]
    if page.date_overrides.count() + len(new) > MAX_OVERRIDES:
        raise InvalidInputError.at_path("overrides", messages.OVERRIDE_LIMIT(most=MAX_OVERRIDES))
    DateOverride.objects.bulk_create(new)
    journal.record_new_rows(*page.date_overrides.filter(date__in=[row.date for row in new]))
    if changed or new:
        page.mark_changed()


def save_blocks(page: BookingPage, requested: Sequence[InputFields]) -> None:
    """Create or change blocks. Raise InvalidInputError if a block does not exist or ends before it starts."""
    issues, changes = Issues(), []
    present = {row.pk: row for row in page.resource.blocks.filter(pk__in=[item.get("id", "") for item in requested])}
    new: list[tuple[datetime, datetime, str]] = []
    for number, item in enumerate(requested):
        at, row = f"blocks.{number}.", present.get(item.get("id", ""))
        if "id" in item and row is None:
            issues.add(f"{at}id", messages.BLOCK_NOT_FOUND)
            continue
        start = parse_local_time(item["start"], page.zone) if item.get("start") else row.starts_at if row else None
        end = parse_local_time(item["end"], page.zone) if item.get("end") else row.ends_at if row else None
        if start is None or end is None or start >= end:
            issues.add(f"{at}end", messages.BLOCK_END_INVALID)
        elif row is None:
            new.append((start, end, item.get("reason", "")))
        else:
            changes.append((row, {"starts_at": start, "ends_at": end, "reason": item.get("reason", row.reason)}))
    issues.raise_if_any()
    if page.resource.blocks.count() + len(new) > MAX_BLOCKS:
        raise InvalidInputError.at_path("blocks", messages.BLOCK_LIMIT(most=MAX_BLOCKS))
    journal.update_rows(changes)
    for start, end, reason in new:
        booking_actions.create_block(page, start, end, reason)


def remove_blocks_and_overrides(page: BookingPage, keys: Sequence[str]) -> None:
    """Remove blocks by id and special hours by date. Raise InvalidInputError if any of them does not exist."""
    issues, blocks, days = Issues(), list[Block](), list[DateOverride]()
    for number, name in enumerate(keys):
        row: Any = page.resource.blocks.filter(pk=name).first() if name.isprintable() else None
        if row is not None:
            blocks.append(row)
        elif (day := _parse_day(name)) is not None and (
            row := page.date_overrides.filter(date=day).first()
        ) is not None:
            days.append(row)
        else:
            issues.add(f"remove.{number}", messages.BLOCK_OR_DATE_NOT_FOUND)
    issues.raise_if_any()
    journal.delete_rows(*blocks)
    journal.delete_rows(*days)
    if days:
        page.mark_changed()


def _parse_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
