"""Tools that list and undo an account's changes."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, time, timedelta
from functools import cache, partial
from typing import Annotated, Any, Literal, NotRequired
from urllib.parse import urlencode

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Q, QuerySet
from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts import change_log, messages, permissions, plans, product_scope
from workspace.accounts.account_tools import box
from workspace.accounts.dispatch import Caller
from workspace.accounts.models import Change
from workspace.accounts.permissions import SHARED
from workspace.lib import clock
from workspace.lib.errors import ForbiddenError
from workspace.lib.tabular import csv_table, workbook_writer
from workspace.lib.text import escape_markdown, format_count
from workspace.storage.database.compiled_query import MOMENT_PARAMETER, CompiledQuery, parameter
from workspace.tools.answer import Answer, File, Page, listing_answer
from workspace.tools.argument_types import AnyItem, Day, Id, Limit, Line, Offset

MAX_FILE_ROWS = 10_000
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
COLUMNS = (
    ("when", 19.0),
    ("who", 30.0),
    ("through", 12.0),
    ("what", 60.0),
    ("product", 12.0),
    ("tool", 24.0),
    ("thing", 30.0),
    ("before", 60.0),
    ("undone by", 30.0),
    ("id", 30.0),
)
MAX_BEFORE_LINES = 5  # maximum number of lines of previous values for each change in a list
MAX_BRIEF_LENGTH = 20_000  # characters of data and text up to which an assistant gets the complete answer
MAX_BRIEF_CHANGES = 20  # maximum number of changes in a longer answer
MAX_BRIEF_BEFORE_LENGTH = 3_000  # characters of previous values that these changes share
LEFT_OUT_DESCRIPTION = "Number of entries of before that are left out. Use limit=1 and the change's offset to see them."
Days = Annotated[int, Field(ge=1, le=400, description="Number of days to go back. Defaults to 30.")]
ThingId = Annotated[AnyItem, Field(description="Only changes to this item: ID, slug or public URL.")]
ActorName = Annotated[str, Line(200)]
Area = Annotated[str, Line(12)]
ToolName = Annotated[str, Line(64)]
Channel = Annotated[str, Line(10)]
Format = Literal["csv", "xlsx"]
ChangeId = Annotated[
    Id,
    Field(description="Change ID, from svc_activity or a write. Defaults to your latest change."),
]


class ChangeData(TypedDict):
    id: str
    at: str
    actor: str
    channel: str
    product: str
    tool: str
    text: str
    thing_id: str
    before: dict[str, Any]
    can_be_undone: bool
    why_not: str
    undone_by: str | None
    left_out: NotRequired[Annotated[dict[str, int], Field(description=LEFT_OUT_DESCRIPTION)]]


class Changes(Page):
    items: list[ChangeData]
    url: NotRequired[Annotated[str, Field(description="URL of the file with all changes, if format was given.")]]


@box.tool(
    "svc_activity",
    title="List activity (audit log)",
    about="List the account's audit log, newest first, with the person, time, client and previous values of each "
    "change. Filter by person, product, item or date. Pass format to export a CSV or Excel file. To revert a "
    "change or restore something deleted in the last 30 days, use svc_undo.",
    short="List who changed what and when. To revert a change, use svc_undo.",
    synonyms="history, audit trail, change log, who deleted, what happened, recent changes, trash, "
    "änderungsprotokoll, verlauf, wer hat geändert, papierkorb, registro de actividad, historial, quién "
    "cambió, who did, who edited, who changed the price, last week, changes by a member, wer hat "
    "gelöscht, quién borró",
    reads=True,
    area=SHARED,
    columns="at actor text id",
)
def list_changes(
    caller: Caller,
    days: Days = 30,
    thing: ThingId | None = None,
    actor: Annotated[ActorName, Field(description="Only changes made by this person, key or app.")] | None = None,
    product: Annotated[Area, Field(description="Only changes made in this product, such as menu.")] | None = None,
    tool: Annotated[ToolName, Field(description="Only changes made with this tool, such as svc_menu_edit.")]
    | None = None,
    channel: Annotated[Channel, Field(description="Only changes made on this channel.")] | None = None,
    day: Annotated[Day, Field(description="Only changes made on this day, in your time zone.")] | None = None,
    format: Annotated[Format, Field(description="File format of the export. Omit it to get no file.")] | None = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Answer[Changes]:
    given = {"actor_name": actor, "area": product, "tool": tool, "channel": channel, "item_id": thing}
    filters = {name: text for name, text in given.items() if text is not None}
    since = clock.now() - timedelta(days=days)
    kept = visible_changes(caller).filter(created_at__gte=since, **filters)
    if day is not None:
        begins = datetime.combine(day, time(), caller.account.zone)
        kept = kept.filter(
            created_at__gte=begins,
            created_at__lt=datetime.combine(day + timedelta(days=1), time(), caller.account.zone),
        )
    if not filters and day is None and caller.permission_scope.role == permissions.OWNER:  # the most common call
        found, total = _newest_changes().fetch_page(limit=limit, offset=offset, account=caller.account.pk, moment=since)
    else:
        found, total = list(kept[offset : offset + limit]), kept.count()
    answer = _list_answer([_change_data(change) for change in found], total, offset)
    brief = partial(_shorten_answer, answer)
    if format is None:
        return replace(answer, brief=brief)
    data: Changes = {**answer.data}
    query = {"days": days, "day": day, "format": format} | dict(zip(_FILTER_ARGUMENTS, given.values(), strict=True))
    asked_again = urlencode({name: value for name, value in query.items() if value is not None})
    data["url"] = f"{settings.BASE_URL}/files/activity?{asked_again}"
    text = f"{format_count(min(total, MAX_FILE_ROWS), 'change')} as a file: {data['url']}"
    own = {"url": data["url"]}
    return Answer(
        data, text, file=_build_file(caller, kept, format), brief=lambda: Answer({**brief().data, **own}, text)
    )


def _list_answer(rows: list[ChangeData], total: int, offset: int) -> Answer[Changes]:
    answer = listing_answer(rows, total=total, offset=offset, noun="changes", line=_format_change)
    return Answer({**answer.data}, answer.text_source)


def _shorten_answer(answer: Answer[Changes]) -> Answer[Changes]:
    """Shorten a long answer: fewer changes, and fewer previous values for each."""
    data = answer.data
    if len(json.dumps(data, cls=DjangoJSONEncoder, ensure_ascii=False)) + len(answer.text) <= MAX_BRIEF_LENGTH:
        return answer
    rows = data["items"][:MAX_BRIEF_CHANGES]
    rows = [_shorten_change(row, MAX_BRIEF_BEFORE_LENGTH // len(rows)) for row in rows]
    return _list_answer(rows, data["total"], data["offset"])


def _shorten_change(row: ChangeData, max_length: int) -> ChangeData:
    before: dict[str, Any] = {}
    size = 0
    for id, values in row["before"].items():
        size += len(json.dumps({id: values}, cls=DjangoJSONEncoder, ensure_ascii=False))
        if size > max_length:
            return {**row, "before": before, "left_out": {"before": len(row["before"]) - len(before)}}
        before[id] = values
    return row


_FILTER_ARGUMENTS = ("actor", "product", "tool", "channel", "thing")


def visible_changes(caller: Caller) -> QuerySet[Change]:
    """Return the changes that the caller may see: those in their permission scope, and their own."""
    found = caller.account.changes.all()
    if caller.permission_scope.role == permissions.OWNER:
        return found
    own = Q(actor_key=caller.actor_key)
    if caller.person is not None and caller.unlimited_scope is None:
        own |= Q(actor_key=change_log.sign_in_actor(caller.person))
    if caller.permission_scope.has_all_products:
        return found.filter(~Q(area=permissions.SIGN_INS) | own)
    reached = [
        area
        for area in (*plans.PRODUCTS, *product_scope.MULTI_PRODUCT_AREAS)
        if caller.permission_scope.can_access(area)
    ]
    return found.filter(Q(area__in=reached) | own)


@cache
def _newest_changes() -> CompiledQuery[Change]:
    return CompiledQuery(
        lambda: Change.objects.filter(account_id=parameter("account"), created_at__gte=MOMENT_PARAMETER)
    )


def _build_file(caller: Caller, changes: QuerySet[Change], format: str) -> File:
    zone = caller.account.zone
    rows = (
        (
            f"{change.created_at.astimezone(zone):%Y-%m-%d %H:%M:%S}",
            change.actor_name,
            change.channel,
            change.summary,
            change.area,
            change.tool,
            change.item_id,
            "\n".join(change_log.format_previous_values(change.previous)),
            change.undone_by_id or "",
            change.pk,
        )
        for change in changes[:MAX_FILE_ROWS].iterator(chunk_size=500)
    )
    if format == "csv":
        text = "\ufeff" + csv_table.write([name for name, _ in COLUMNS], rows)  # spreadsheets need it to detect UTF-8
        return File("activity.csv", "text/csv; charset=utf-8", text.encode())
    return File("activity.xlsx", XLSX, workbook_writer.build_workbook("Activity", COLUMNS, rows))


class UndoResult(TypedDict):
    id: str
    text: str
    tool: str
    passed_over: NotRequired[Annotated[list[str], Field(description="Later changes that cannot be undone.")]]


@box.tool(
    "svc_undo",
    title="Undo a change",
    about="Undo (revert) a change, or restore something deleted in the last 30 days. Omit change_id to undo your most "
    "recent change, and call again to go further back. If the item has changed again since then, the call fails and "
    "names the change to undo first.",
    short="Undo a change or restore something deleted in the last 30 days.",
    synonyms="revert, roll back, rollback, recover, undelete, restore deleted, bring back, oops, mistake, "
    "rückgängig, rückgängig machen, wiederherstellen, zurücksetzen, deshacer, revertir, restaurar, "
    "recuperar, restore form, restore menu, restore deleted item, deleted by accident, gelöschtes "
    "wiederherstellen, restaurar eliminado, borré por error",
    area=SHARED,
)
def undo(caller: Caller, change_id: ChangeId | None = None) -> Answer[UndoResult]:
    change = change_log.get_change(caller.account, change_id, caller.actor_key)
    kind = plans.PRODUCTS.get(change.area)
    if kind is not None and (why := caller.product_denial_reason(kind.key, kind.title)):
        raise ForbiddenError(messages.UNDO_NOT_ALLOWED(client=caller.client or "This connection", reason=why))
    if not caller.permission_scope.can_access(change.area, writes=True):
        raise ForbiddenError(
            permissions.denial_reason(caller.permission_scope, change.area, kind.title if kind else "this")
        )
    passed = [] if change_id else change_log.list_skipped(change, caller.actor_key)
    change_log.revert_change(change)
    text = f"Undone: {escape_markdown(change.summary)} ({change.tool}, {change.pk})"
    data: UndoResult = {"id": change.pk, "text": change.summary, "tool": change.tool}
    if passed:
        data["passed_over"] = [one.pk for one in passed]
        lines = [f"- {escape_markdown(one.summary)} ({one.pk}): {one.final_note}" for one in passed]
        text = "\n".join([text, "Later changes that can’t be undone:", *lines])
    return Answer(data, text)


def _change_data(change: Change) -> ChangeData:
    return {
        "id": change.pk,
        "at": change.created_at.isoformat(),
        "actor": change.actor_name,
        "channel": change.channel,
        "product": change.area,
        "tool": change.tool,
        "text": change.summary,
        "thing_id": change.item_id,
        "before": change.previous,
        "can_be_undone": change.can_be_undone,
        "why_not": change.final_note,
        "undone_by": change.undone_by_id,
    }


def _format_change(row: ChangeData) -> str:
    end = f"undone by {row['undone_by']}" if row["undone_by"] else row["why_not"] or "can be undone"
    about = f" of {row['thing_id']}" if row["thing_id"] else ""
    how = f"{escape_markdown(row['actor'])} by {row['channel']}, {row['product']}, {row['tool']}{about}, {row['id']}"
    before = change_log.format_previous_values(row["before"])
    lines = [f"  - before: {line}" for line in before[:MAX_BEFORE_LINES]]
    lines += [f"  - and {len(before) - MAX_BEFORE_LINES} more in the data"] if len(before) > MAX_BEFORE_LINES else []
    if left := row.get("left_out"):
        lines.append(f"  - before: {format_count(left['before'], 'entry', 'entries')} left out")
    return "\n".join([f"{row['at'][:16]}Z {escape_markdown(row['text'])} ({how}): {end}", *lines])
