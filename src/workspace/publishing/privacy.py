"""Personal data in published items, their parts, submissions and guest links, for `accounts.privacy`.

privacy=[
    item_table(Card, "business card", theirs=("email", "phone")),
    part_table(Element, "page", "button or text"),
]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.db.models import Manager, Model
from django.db.models.constants import LOOKUP_SEP

from workspace.accounts.models import Account, Upload
from workspace.accounts.privacy.data_subjects import PersonalTable, PersonalText, erase_mentions
from workspace.accounts.privacy.text_mentions import MentionMatcher, find_mentions, text_columns
from workspace.publishing import guest_links, live_blocks
from workspace.publishing.models import GuestLink, Publication, PublishedItem, Report


def item_table(
    model: type[PublishedItem],
    noun: str,
    *,
    identity_columns: Sequence[str] = (),
    name_columns: Sequence[str] = (),
    dashboard_path: str = "",
) -> PersonalTable:
    """Declare the personal data of an owner's items, including those in the bin.

    An erasure removes the person's address from an item, and its page is rendered again. If a column in
    `identity_columns` contains the address, the item is about that person. It is then deleted completely if the owner
    requests it, and its URL returns 410. `name_columns` are columns to clear in an item that is kept. `dashboard_path`
    is the product's path below `/app`.
    """
    rows: Manager[Any] = model._base_manager  # the abstract model declares neither field
    return PersonalTable(
        model=model,
        noun=noun,
        rows=lambda account: rows.filter(account=account).select_related("account", "publication"),
        identity_columns=identity_columns,
        is_owner_item=True,
        name_columns=name_columns,
        delete_rows=lambda account, rows: _erase_items(model, account, rows),
        after_erase=lambda account, rows: model.mark_many_changed(rows),
        image_columns=model.pictures,
        page_url=(lambda row: f"{dashboard_path}/{row.pk}") if dashboard_path else None,
        lock_path="publication",
    )


def part_table(
    model: type[Model],
    path: str,
    noun: str,
    *,
    identity_columns: Sequence[str] = (),
    page: Callable[[Any], str] | None = None,
) -> PersonalTable:
    """Declare the personal data in parts of an item, reached by the lookup `path` (`section__menu`).

    A part whose `identity_columns` contain the address is deleted. In other parts, the address is removed. The item's
    page is rendered again.
    """
    whole = f"{path}{LOOKUP_SEP}account"
    joined = (whole, f"{path}{LOOKUP_SEP}publication")

    def mark_changed(account: Account, rows: Sequence[Any]) -> None:
        _mark_items_changed(rows, path)

    def drop(account: Account, rows: Sequence[Any]) -> None:
        model._base_manager.filter(pk__in=[row.pk for row in rows]).delete()
        _mark_items_changed(rows, path)

    return PersonalTable(
        model=model,
        noun=noun,
        rows=lambda account: model._base_manager.filter(**{whole: account}).select_related(*joined),
        identity_columns=identity_columns,
        delete_rows=drop,
        after_erase=mark_changed,
        page_url=page,
        lock_path=joined[1],
    )


def _mark_items_changed(rows: Sequence[Any], path: str) -> None:
    items: dict[str, PublishedItem] = {}
    for row in rows:
        for step in path.split(LOOKUP_SEP):
            row = getattr(row, step)
        items[row.pk] = row
    if items:
        type(next(iter(items.values()))).mark_many_changed(list(items.values()))


def _erase_items(model: type[PublishedItem], account: Account, rows: Sequence[Any]) -> None:
    Publication.hide_many([row.publication for row in rows if row.binned_at is None])
    pictures = [id for row in rows for name in model.pictures if (id := getattr(row, f"{name}_id"))]
    model._base_manager.filter(pk__in=[row.pk for row in rows]).delete()
    Upload.release_and_delete(pictures)
    live_blocks.notify_changed(account, model.kind)


def _find_links(account: Account | None, trace: MentionMatcher) -> list[str]:
    mine = GuestLink.objects.filter(account=account)
    hashes = [guest_links.hash_address(trace.subject.email)] if trace.subject.email else []
    found = set(mine.filter(to_hash__in=hashes).values_list("pk", flat=True))
    return sorted(found | set(mine.filter(subject__in=trace.ids).values_list("pk", flat=True)))


def _erase_links(account: Account | None, keys: Sequence[str], trace: MentionMatcher) -> None:
    GuestLink.objects.filter(pk__in=keys).delete()


def _find_reports(account: Account | None, trace: MentionMatcher) -> list[int]:
    return [report.pk for report in find_mentions(Report.objects.all(), text_columns(Report), trace)]


def _erase_reporters(account: Account | None, keys: Sequence[int], trace: MentionMatcher) -> None:
    """Erase the reporters' data. The reports stay for review."""
    erase_mentions(list(Report.objects.filter(pk__in=keys)), text_columns(Report), trace.subject)


def _export_reports(keys: Sequence[int], trace: MentionMatcher) -> list[dict[str, Any]]:
    found = Report.objects.filter(pk__in=keys)
    return [{"at": one.created_at.isoformat(), "email": one.email, "note": one.note} for one in found]


PERSONAL_TEXTS = (
    PersonalText(noun="emailed link", models=[GuestLink], find=_find_links, erase=_erase_links),
    # Exported to the administrator, but not to the owner whose page was reported.
    PersonalText(
        noun="report",
        models=[Report],
        find=_find_reports,
        erase=_erase_reporters,
        export=_export_reports,
        of_account=False,
        of_installation=True,
    ),
)
