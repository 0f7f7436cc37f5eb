"""Writing what belongs to a page: its services, the dates that differ, the times that are blocked. Called under the
account's lock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from workspace.lib import clock, money
from workspace.lib.errors import InvalidInput, ToolError
from workspace.lib.text import counted
from workspace.payments import checkout
from workspace.products.booking.domain import actions
from workspace.products.booking.domain.queries import NO_SERVICE
from workspace.products.booking.models import KIND, Block, BookingPage, Override, Service
from workspace.products.booking.models.service import DEPOSIT, FULL, NOTHING
from workspace.products.booking.rules.limits import LONGEST_SPAN
from workspace.publishing import positions
from workspace.publishing.arguments import local_time
from workspace.storage import journal
from workspace.tools.object_parser import Issues

Given = Mapping[str, Any]
MOST_DATES = 1000
MOST_BLOCKS = 1000
_AMOUNTS = ("price", "deposit")
_NONE_IS_ZERO = ("interval", "daily_cap")
_NONE_IS_MINUS = ("cancel_until", "move_until")


def service_fields(given: Given, page: BookingPage, at: str, issues: Issues) -> dict[str, Any]:
    """What was given of a service, as it is stored."""
    fields = {name: value for name, value in given.items() if name not in ("id", *_AMOUNTS)}
    fields |= {name: fields[name] or None for name in _NONE_IS_ZERO if name in fields}
    fields |= {name: None for name in _NONE_IS_MINUS if fields.get(name) == -1}
    for name in _AMOUNTS:
        if name in given:
            try:
                minor = None if given[name] == "" else money.minor_of(given[name], page.currency)
                fields[f"{name}_minor"] = minor
            except ValueError as problem:
                issues.at(f"{at}{name}", str(problem))
    return fields


def _check_payment(service: Service, fields: Given, at: str, issues: Issues) -> None:
    """What is paid online has an amount, and somewhere to go."""
    payment = fields.get("payment", service.payment)
    if payment == NOTHING or not fields.keys() & {"payment", "price_minor", "deposit_minor"}:
        return
    price = fields.get("price_minor", service.price_minor)
    deposit = fields.get("deposit_minor", service.deposit_minor)
    if payment == FULL and not price:
        issues.at(f"{at}price", "It is to be paid online in full: give it a price")
    elif payment == DEPOSIT and not deposit:
        issues.at(f"{at}deposit", "Say how much the deposit is")
    elif payment == DEPOSIT and deposit and price is not None and deposit > price:
        issues.at(f"{at}deposit", "A deposit is at most the price")
    elif checkout.connection_of(service.page.account) is None:
        issues.at(f"{at}payment", "Online payment is not set up yet: connect Stripe under Account, Payments")
    elif not checkout.takes(service.page.account, (price if payment == FULL else deposit) or 0, service.page.currency):
        told = "price" if payment == FULL else "deposit"
        issues.at(f"{at}{told}", f"This amount in {service.page.currency} cannot be paid online")


def make_services(page: BookingPage, wanted: Sequence[Given], at: str, *, noted: bool = True) -> list[Service]:
    """New ones behind those that are there. Raises InvalidInput at `at`, and ToolError where the plan has no room."""
    issues = Issues()
    fields = [service_fields(one, page, f"{at}.{number}.", issues) for number, one in enumerate(wanted)]
    for number, one in enumerate(fields):
        _check_payment(Service(page=page), one, f"{at}.{number}.", issues)
    issues.refuse()
    check_room(page, len(wanted))
    first = positions.next_place(page.services.all())
    made = [Service(page=page, position=first + number, **one) for number, one in enumerate(fields)]
    Service.objects.bulk_create(made)
    if noted:
        journal.add(*made)
    return made


def save_services(
    page: BookingPage, items: Sequence[Given], remove: Sequence[str], order: Sequence[str] | None
) -> list[str]:
    """The ids of `items`, in their order. Raises InvalidInput with all that is wrong."""
    present = {service.pk: service for service in page.services.all()}
    issues, changes, new = Issues(), [], []
    for number, item in enumerate(items):
        at, id = f"items.{number}.", item.get("id")
        if id is None:
            new.append((number, item))
        elif id not in present or id in remove:
            issues.at(f"{at}id", NO_SERVICE if id not in present else "It is to be removed as well: choose one")
        else:
            present[id].page = page
            fields = service_fields(item, page, at, issues)
            _check_payment(present[id], fields, at, issues)
            changes.append((present[id], fields))
    for number, id in enumerate(remove):
        if id not in present:
            issues.at(f"remove.{number}", NO_SERVICE)
    issues.refuse()
    now = clock.now()
    changed = journal.change_many((present[id], {"binned_at": now}) for id in dict.fromkeys(remove))
    changed += journal.change_many(changes)
    made = make_services(page, [item for _, item in new], "items") if new else []
    if order is not None:
        rows = page.services.exclude(pk__in=[service.pk for service in made])
        moved = positions.arrange(rows, order, path="order", noun="service of this page")
        changed += list(rows[:1]) if moved else []
    if changed or made:
        page.touched()
    by_place = {number: service.pk for (number, _), service in zip(new, made, strict=True)}
    return [item.get("id") or by_place[number] for number, item in enumerate(items)]


def check_room(page: BookingPage, wanted: int) -> None:
    most = page.account.limits(KIND).services
    if most is not None and page.services.count() + wanted > most:
        way_out = page.account.or_larger(KIND, "remove one")
        raise ToolError(f"A page holds {counted(most, 'service')} on your plan: {way_out}")


def set_overrides(page: BookingPage, wanted: Sequence[Given]) -> None:
    """Raises InvalidInput for a span that is none."""
    issues, days = Issues(), dict[date, list[Any]]()
    for number, one in enumerate(wanted):
        first = one["first"]
        last = one.get("to", first)
        if not 0 <= (last - first).days < LONGEST_SPAN:
            issues.at(f"overrides.{number}.to", f"From the first day on, at most {LONGEST_SPAN} days")
            continue
        for ahead in range((last - first).days + 1):
            days[first + timedelta(days=ahead)] = one.get("windows", [])
    issues.refuse()
    present = {row.date: row for row in page.overrides.filter(date__in=list(days))}
    changed = journal.change_many((present[day], {"windows": days[day]}) for day in present)
    new = [Override(page=page, date=day, windows=windows) for day, windows in days.items() if day not in present]
    if page.overrides.count() + len(new) > MOST_DATES:
        raise InvalidInput.at("overrides", f"A page has other hours on at most {MOST_DATES} dates")
    Override.objects.bulk_create(new)
    journal.add(*page.overrides.filter(date__in=[row.date for row in new]))
    if changed or new:
        page.touched()


def save_blocks(page: BookingPage, wanted: Sequence[Given]) -> None:
    """Raises InvalidInput for one that ends before it begins, or that there is not."""
    issues, changes = Issues(), []
    present = {row.pk: row for row in page.resource.blocks.filter(pk__in=[one.get("id", "") for one in wanted])}
    new: list[tuple[datetime, datetime, str]] = []
    for number, one in enumerate(wanted):
        at, row = f"blocks.{number}.", present.get(one.get("id", ""))
        if "id" in one and row is None:
            issues.at(f"{at}id", "There is no such block: svc_booking_get shows them with their ids")
            continue
        start = local_time(one["start"], page.zone) if one.get("start") else row.starts_at if row else None
        end = local_time(one["end"], page.zone) if one.get("end") else row.ends_at if row else None
        if start is None or end is None or start >= end:
            issues.at(f"{at}end", "It must end after it begins")
        elif row is None:
            new.append((start, end, one.get("reason", "")))
        else:
            changes.append((row, {"starts_at": start, "ends_at": end, "reason": one.get("reason", row.reason)}))
    issues.refuse()
    if page.resource.blocks.count() + len(new) > MOST_BLOCKS:
        raise InvalidInput.at("blocks", f"At most {MOST_BLOCKS} times can be blocked: take old ones away")
    journal.change_many(changes)
    for start, end, reason in new:
        actions.block(page, start, end, reason)


def take_away(page: BookingPage, named: Sequence[str]) -> None:
    """Blocks by their ids, overrides by their dates. Raises InvalidInput for what there is not."""
    issues, blocks, days = Issues(), list[Block](), list[Override]()
    for number, name in enumerate(named):
        row: Any = page.resource.blocks.filter(pk=name).first() if name.isprintable() else None
        if row is not None:
            blocks.append(row)
        elif (day := _day(name)) is not None and (row := page.overrides.filter(date=day).first()) is not None:
            days.append(row)
        else:
            issues.at(f"remove.{number}", "There is no such block, and no such date with other hours")
    issues.refuse()
    journal.drop(*blocks)
    journal.drop(*days)
    if days:
        page.touched()


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
