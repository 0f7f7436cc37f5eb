"""Today, at the top of the home page: who comes next, what waits for the owner, and what is sold out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workspace.accounts.models import Account
from workspace.dashboard import todo
from workspace.dashboard.home_feed import FeedItem, build_call_url, present_activity
from workspace.dashboard.todo import ToDo
from workspace.insights.recent_activity import ActivityEntry, SubmissionSeries
from workspace.owner_translation import OwnerText
from workspace.publishing import items
from workspace.publishing.checkin import CheckinAction
from workspace.publishing.manifest import Manifest
from workspace.publishing.today import TodayEntry, TodaySource

MAX_ENTRIES = 5  # of each product
MAX_WAITING, MAX_OF_KIND = 5, 2  # submissions shown with their actions, in all and of each kind


@dataclass(frozen=True, slots=True)
class TodayLine:
    """An entry with its actions, which are posted to `act_url`."""

    entry: TodayEntry
    acts: tuple[CheckinAction, ...]
    act_url: str
    call_url: str


@dataclass(frozen=True, slots=True)
class TodayGroup:
    """The entries of one product. `has_more` means that its page has more of them."""

    title: OwnerText
    page: str
    icon: str
    lines: list[TodayLine]
    has_more: bool


@dataclass(frozen=True, slots=True)
class Today:
    """Today: what comes next, the submissions that wait for the owner, other to-dos, and the rest, such as sold out."""

    first: list[TodayGroup]
    waiting: list[FeedItem]
    todos: list[ToDo]
    last: list[TodayGroup]

    def __bool__(self) -> bool:
        """Return whether there is anything to show."""
        return bool(self.first or self.waiting or self.todos or self.last)


def choose_waiting(activity: Sequence[ActivityEntry]) -> list[ActivityEntry]:
    """Return the newest waiting submissions, few of each kind, so that one busy form does not hide all others."""
    counts: Counter[str] = Counter()
    chosen = []
    for entry in activity:
        if entry.is_waiting and counts[entry.source.kind] < MAX_OF_KIND:
            counts[entry.source.kind] += 1
            chosen.append(entry)
    return chosen[:MAX_WAITING]


def build_today(
    account: Account,
    item_counts: dict[str, int],
    waiting: Sequence[ActivityEntry],
    recent_submissions: Sequence[SubmissionSeries],
) -> Today:
    """Build Today from the chosen waiting submissions, the to-dos, and one query per participating product."""
    groups = [
        (source.is_first, group)
        for product, source in list_sources()
        if item_counts.get(product.key) and (group := _build_group(account, product, source)).lines
    ]
    return Today(
        first=[group for is_first, group in groups if is_first],
        waiting=[present_activity(entry, account.zone) for entry in waiting],
        todos=[*_count_others(waiting, recent_submissions), *todo.list_todos(account, item_counts)],
        last=[group for is_first, group in groups if not is_first],
    )


def list_sources() -> list[tuple[Manifest, TodaySource]]:
    """Return the sources of Today of all products, together with the products."""
    return [(product, product.today) for product in items.list_manifests() if product.today is not None]


def _build_group(account: Account, product: Manifest, source: TodaySource) -> TodayGroup:
    entries = source.list_entries(account, MAX_ENTRIES + 1)
    lines = [_build_line(entry, product, source) for entry in entries[:MAX_ENTRIES]]
    return TodayGroup(source.title, source.page, product.icon, lines, has_more=len(entries) > MAX_ENTRIES)


def _build_line(entry: TodayEntry, product: Manifest, source: TodaySource) -> TodayLine:
    acts = tuple(act for act in source.actions if act.name in entry.acts)
    return TodayLine(entry, acts, f"/app/act/{product.key}/{entry.id}", build_call_url(entry.phone))


def _count_others(shown: Sequence[ActivityEntry], recent_submissions: Sequence[SubmissionSeries]) -> Iterator[ToDo]:
    """Yield a to-do for the waiting submissions of each kind that are not shown."""
    for series in recent_submissions:
        count = sum(entry.source.kind == series.source.kind for entry in shown)
        if series.waiting > count:
            text = series.source.format_waiting(series.waiting - count, is_more=bool(count))
            yield ToDo(text, series.source.page, "clock")
