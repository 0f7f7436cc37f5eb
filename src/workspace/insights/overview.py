"""How an account comes along, over all its products: visits in the last days and in as many days before, what came in,
what waits for its owner. The same few queries however much there is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Count, Q, QuerySet, Sum

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.publishing import items
from workspace.publishing.items import Thing
from workspace.publishing.manifest import Manifest
from workspace.publishing.models import DaySlot, Publication
from workspace.publishing.submissions import Arrivals


@dataclass(frozen=True, slots=True)
class Figure:
    """`before` is None where the plan does not look so far back."""

    now: int
    before: int | None


@dataclass(frozen=True, slots=True)
class Visited:
    """What has visits: `things` is how many there are of the kind; `unique` counts a visitor once a day."""

    visits: Figure
    unique: int
    things: int = 1


@dataclass(frozen=True, slots=True)
class CameIn:
    """`waiting` are those that wait for the owner, however old they are."""

    product: Manifest
    arrivals: Arrivals
    now: int
    before: int
    waiting: int


@dataclass(frozen=True, slots=True)
class Period:
    """The last `days` local days, today included, and as many before them."""

    days: int
    zone: ZoneInfo

    @property
    def first(self) -> date:
        return self.last(self.days)

    @property
    def first_before(self) -> date:
        return self.first - timedelta(days=self.days)

    def last(self, days: int) -> date:
        """The first of so many days, today the last."""
        return clock.today(self.zone.key) - timedelta(days=days - 1)

    def begin_of(self, day: date) -> datetime:
        return datetime.combine(day, time.min, self.zone)

    def has_before(self, product: Manifest, account: Account) -> bool:
        """Whether the account's plan looks back so far."""
        return 2 * self.days <= product.history(account)


def visited(account: Account, period: Period, only: Iterable[Thing] | None = None) -> dict[tuple[str, str], Visited]:
    """What was visited in the period or in the one before, by kind and publication: of all that the account shows, or
    of some."""
    now = before = Q(pk__in=[])
    has_before = {}
    for product in items.manifests():
        has_before[product.key] = period.has_before(product, account)
        of_it = Q(tally__publication__kind=product.key, tally__event=product.visit)
        now |= of_it & Q(day__gte=period.last(min(period.days, product.history(account))))
        if has_before[product.key]:
            before |= of_it & Q(day__gte=period.first_before, day__lt=period.first)
    rows = slots(account, period.first_before)
    if only is not None:
        rows = rows.filter(tally__publication_id__in=[one.publication_id for one in only])
    counted = rows.values_list("tally__publication__kind", "tally__publication_id").annotate(
        now=Sum("count", filter=now, default=0),
        before=Sum("count", filter=before, default=0),
        unique=Sum("uniques", filter=now, default=0),
    )
    return {
        (kind, id): Visited(Figure(count, earlier if has_before[kind] else None), unique)
        for kind, id, count, earlier, unique in counted
        if kind in has_before and (count or earlier)
    }


def by_day(account: Account, period: Period) -> dict[str, dict[date, int]]:
    """The visits of each kind on each day of the period and of the one before, where there were any."""
    today = clock.today(period.zone.key)
    kinds: dict[tuple[str, date], list[str]] = {}
    for product in items.manifests():
        first = period.last(min(period.days, product.history(account)))
        first = period.first_before if period.has_before(product, account) else first
        kinds.setdefault((product.visit, first), []).append(product.key)
    told_of = Q(pk__in=[])
    for (event, first), some in kinds.items():
        told_of |= Q(tally__event=event, tally__publication__kind__in=some, day__gte=first)
    counted = (
        slots(account, period.first_before)
        .filter(told_of)
        .values_list("tally__publication__kind", "day")
        .annotate(count=Sum("count"))
    )
    told: dict[str, dict[date, int]] = {}
    for kind, day, count in counted:
        if count:
            of_kind = told.setdefault(kind, {})
            day = min(day, today)  # its tomorrow may have begun, where the account has put its clocks back
            of_kind[day] = of_kind.get(day, 0) + count
    return told


def slots(account: Account, first: date) -> QuerySet[DaySlot]:
    """The days of all that the account shows, from that one on."""
    return DaySlot.objects.filter(
        tally__publication__account=account, tally__publication__deleted_at=None, tally__part="", day__gte=first
    )


def by_kind(account: Account, period: Period, found: Mapping[tuple[str, str], Visited]) -> dict[str, Visited]:
    """The same by kind, of all kinds of which the account has something."""
    own = Publication.objects.filter(account=account, deleted_at=None)
    counts = dict(own.values_list("kind").annotate(count=Count("pk")))
    told = {}
    for product in items.manifests():
        if count := counts.get(product.key, 0):
            mine = [one for (kind, _), one in found.items() if kind == product.key]
            has_before = period.has_before(product, account)
            before = sum(one.visits.before or 0 for one in mine) if has_before else None
            visits = Figure(sum(one.visits.now for one in mine), before)
            told[product.key] = Visited(visits, sum(one.unique for one in mine), count)
    return told


def of_one(account: Account, one: Thing, period: Period, found: Mapping[tuple[str, str], Visited]) -> Visited:
    """Of one thing, whether it was visited or not."""
    nothing = Figure(0, 0 if period.has_before(items.manifest(one.kind), account) else None)
    return found.get((one.kind, one.publication_id)) or Visited(nothing, 0)


def in_all(figures: Sequence[Visited]) -> Visited:
    """Together; nothing is said of before where one of them does not reach so far."""
    before = [one.visits.before for one in figures]
    known = sum(count or 0 for count in before) if None not in before else None
    visits = Figure(sum(one.visits.now for one in figures), known)
    return Visited(visits, sum(one.unique for one in figures), sum(one.things for one in figures))


def came_in(account: Account, period: Period, only: Thing | None = None) -> list[CameIn]:
    """What guests left, of all kinds that they may leave; of one thing only where it is given."""
    begin, begin_before = period.begin_of(period.first), period.begin_of(period.first_before)
    told = []
    for product, arrivals in items.arrivals():
        rows = arrivals.rows(account)
        if only is not None:
            if product.key != only.kind:
                continue
            rows = rows.filter(**{f"{arrivals.of}_id": only.id})
        counts = rows.order_by().aggregate(
            now=Count("pk", filter=arrivals.came & Q(created_at__gte=begin)),
            before=Count("pk", filter=arrivals.came & Q(created_at__gte=begin_before, created_at__lt=begin)),
            waiting=Count("pk", filter=arrivals.waits if arrivals.waits is not None else Q(pk__in=[])),
        )
        told.append(CameIn(product, arrivals, counts["now"], counts["before"], counts["waiting"]))
    return told
