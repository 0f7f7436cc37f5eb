"""What is published may name people: how the owner's things, their parts and what guests left are told to
`accounts.personal`, and what this room remembers of guests.

    personal=[thing(Card, "business card", theirs=("email", "phone")), part(Element, "page", "button or text")]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.db.models import Manager, Model
from django.db.models.constants import LOOKUP_SEP

from workspace.accounts.models import Account, Upload
from workspace.accounts.privacy.data_subjects import Held, Trail, take_out
from workspace.accounts.privacy.text_mentions import Trace, columns_of, naming
from workspace.publishing import guest_links, live_blocks
from workspace.publishing.models import GuestLink, Publication, Published, Report


def thing(
    model: type[Published], noun: str, *, theirs: Sequence[str] = (), names: Sequence[str] = (), home: str = ""
) -> Held:
    """An owner's thing, also in the bin: it stays without the address, and is drawn anew. One whose `theirs` name the
    person is about them, and goes whole where the owner asks for it; its address answers 410 then. `names` are emptied
    in one that stays. `home` is the product's path below `/app`."""
    rows: Manager[Any] = model._base_manager  # the abstract model declares neither of the two
    return Held(
        model=model,
        noun=noun,
        rows=lambda account: rows.filter(account=account).select_related("account", "publication"),
        theirs=theirs,
        is_kept=True,
        names=names,
        drop=lambda account, rows: _drop(model, account, rows),
        settle=lambda account, rows: model.touched_many(rows),
        pictures=model.pictures,
        page=(lambda row: f"{home}/{row.pk}") if home else None,
        under="publication",
    )


def part(
    model: type[Model],
    way: str,
    noun: str,
    *,
    theirs: Sequence[str] = (),
    page: Callable[[Any], str] | None = None,
) -> Held:
    """A part of a thing, by the `way` to it (`section__menu`): what is theirs is taken off, the rest stays without the
    address, and the thing is drawn anew."""
    whole = f"{way}{LOOKUP_SEP}account"
    joined = (whole, f"{way}{LOOKUP_SEP}publication")

    def settle(account: Account, rows: Sequence[Any]) -> None:
        _touch(rows, way)

    def drop(account: Account, rows: Sequence[Any]) -> None:
        model._base_manager.filter(pk__in=[row.pk for row in rows]).delete()
        _touch(rows, way)

    return Held(
        model=model,
        noun=noun,
        rows=lambda account: model._base_manager.filter(**{whole: account}).select_related(*joined),
        theirs=theirs,
        drop=drop,
        settle=settle,
        page=page,
        under=joined[1],
    )


def _touch(rows: Sequence[Any], way: str) -> None:
    things: dict[str, Published] = {}
    for row in rows:
        for step in way.split(LOOKUP_SEP):
            row = getattr(row, step)
        things[row.pk] = row
    if things:
        type(next(iter(things.values()))).touched_many(list(things.values()))


def _drop(model: type[Published], account: Account, rows: Sequence[Any]) -> None:
    Publication.hide_many([row.publication for row in rows if row.binned_at is None])
    pictures = [id for row in rows for name in model.pictures if (id := getattr(row, f"{name}_id"))]
    model._base_manager.filter(pk__in=[row.pk for row in rows]).delete()
    Upload.erase_many(pictures)
    live_blocks.changed(account, model.kind)


def _links(account: Account | None, trace: Trace) -> list[str]:
    mine = GuestLink.objects.filter(account=account)
    hashes = [guest_links.keyed(trace.sought.email)] if trace.sought.email else []
    found = set(mine.filter(to_hash__in=hashes).values_list("pk", flat=True))
    return sorted(found | set(mine.filter(subject__in=trace.ids).values_list("pk", flat=True)))


def _forget_links(account: Account | None, keys: Sequence[str], trace: Trace) -> None:
    GuestLink.objects.filter(pk__in=keys).delete()


def _reports(account: Account | None, trace: Trace) -> list[int]:
    return [report.pk for report in naming(Report.objects.all(), columns_of(Report), trace)]


def _forget_reports(account: Account | None, keys: Sequence[int], trace: Trace) -> None:
    """What was reported is still to be judged, without who said it."""
    take_out(list(Report.objects.filter(pk__in=keys)), columns_of(Report), trace.sought)


def _tell_reports(keys: Sequence[int], trace: Trace) -> list[dict[str, Any]]:
    found = Report.objects.filter(pk__in=keys)
    return [{"at": one.created_at.isoformat(), "email": one.email, "note": one.note} for one in found]


TRAILS = (
    Trail(noun="mailed link", models=[GuestLink], find=_links, erase=_forget_links),
    # to the operator, and not to the owner whose page was reported
    Trail(
        noun="report",
        models=[Report],
        find=_reports,
        erase=_forget_reports,
        tell=_tell_reports,
        of_account=False,
        of_installation=True,
    ),
)
