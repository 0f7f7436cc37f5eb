"""What was done in the account, by whom and how, and taking it back."""

from __future__ import annotations

from datetime import timedelta
from functools import cache
from typing import Annotated, Any, NotRequired

from django.db.models import QuerySet
from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts import changes, plans, roles
from workspace.accounts.door import Caller
from workspace.accounts.models import Account, Change
from workspace.accounts.roles import SHARED
from workspace.accounts.tools import box
from workspace.storage.statement import MOMENT, Statement, given
from workspace.toolkit import clock
from workspace.toolkit.answer import Answer, Listing, listing
from workspace.toolkit.errors import Forbidden
from workspace.toolkit.text import escape_markdown
from workspace.toolkit.types import AnyThing, Id, Limit, Offset

MOST_BEFORE = 5  # lines of what was before, of one change among many
Days = Annotated[int, Field(ge=1, le=400, description="How many days back")]
ThingId = Annotated[AnyThing, Field(description="Only what was done to this one: its id, slug or public address")]
ChangeId = Annotated[Id, Field(description="From svc_activity or the answer of a write; left out: your newest")]


class ChangeRow(TypedDict):
    id: str
    at: str
    who: str
    face: str
    tool: str
    text: str
    thing_id: str
    before: dict[str, Any]
    can_be_undone: bool
    why_not: str
    undone_by: str | None


@box.tool("svc_activity", title="What was done", reads=True, whose=SHARED)
def activity(
    account: Account, days: Days = 30, thing: ThingId | None = None, limit: Limit = 50, offset: Offset = 0
) -> Answer[Listing[ChangeRow]]:
    """What was changed in the account, newest first: when, by whom, through what, and what was before. What was deleted
    within 30 days is among it, and svc_undo brings it back."""
    asked = {"account": account.pk, "moment": clock.now() - timedelta(days=days), "thing": thing}
    found, total = _changes(thing is not None).page(limit=limit, offset=offset, **asked)
    return listing([_row(change) for change in found], total=total, offset=offset, noun="changes", line=_line)


@cache
def _changes(of_one: bool) -> Statement[Change]:
    def words() -> QuerySet[Change]:
        found = Change.objects.filter(account_id=given("account"), at__gte=MOMENT)
        return found.filter(thing_id=given("thing")) if of_one else found

    return Statement(words)


class Undone(TypedDict):
    id: str
    text: str
    tool: str
    passed_over: NotRequired[Annotated[list[str], Field(description="Later changes that cannot be taken back")]]


@box.tool("svc_undo", title="Take a change back", whose=SHARED)
def undo(caller: Caller, change_id: ChangeId | None = None) -> Answer[Undone]:
    """Take back a change: former values return, what was made goes, what was deleted is back with its id.
    Without change_id the newest of your own that can be taken back; called again, the one before. Refused where
    something was changed again since, naming what to take back first."""
    change = changes.find(caller.account, change_id, caller.actor)
    kind = plans.PRODUCTS.get(change.whose)
    if kind is not None and (why := caller.lacks(kind.key, kind.title)):
        raise Forbidden(f"{caller.client or 'This connection'} may not take this back: {why}")
    if not caller.reach.may(change.whose, writes=True):
        raise Forbidden(roles.refused(caller.reach, change.whose, kind.title if kind else "this"))
    passed = [] if change_id else changes.passed_over(change, caller.actor)
    changes.take_back(change)
    text = f"Taken back: {escape_markdown(change.text)} ({change.tool}, {change.pk})"
    data: Undone = {"id": change.pk, "text": change.text, "tool": change.tool}
    if passed:
        data["passed_over"] = [one.pk for one in passed]
        lines = [f"- {escape_markdown(one.text)} ({one.pk}): {one.final}" for one in passed]
        text = "\n".join([text, "Later, and cannot be taken back:", *lines])
    return Answer(data, text)


def _row(change: Change) -> ChangeRow:
    return {
        "id": change.pk,
        "at": change.at.isoformat(),
        "who": change.who,
        "face": change.face,
        "tool": change.tool,
        "text": change.text,
        "thing_id": change.thing_id,
        "before": change.before,
        "can_be_undone": change.may_be_undone,
        "why_not": change.final,
        "undone_by": change.undone_by_id,
    }


def _line(row: ChangeRow) -> str:
    end = f"taken back by {row['undone_by']}" if row["undone_by"] else row["why_not"] or "can be taken back"
    about = f" of {row['thing_id']}" if row["thing_id"] else ""
    how = f"{escape_markdown(row['who'])} by {row['face']}, {row['tool']}{about}, {row['id']}"
    before = changes.before_lines(row["before"])
    told = [f"  - before: {line}" for line in before[:MOST_BEFORE]]
    told += [f"  - and {len(before) - MOST_BEFORE} more, in the data"] if len(before) > MOST_BEFORE else []
    return "\n".join([f"{row['at'][:16]} {escape_markdown(row['text'])} ({how}): {end}", *told])
