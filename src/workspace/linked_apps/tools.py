"""The account's applications as a tool: this one, and the others of the family."""

from __future__ import annotations

from typing import Annotated, Literal

from django.conf import settings
from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts import plans
from workspace.accounts.account_tools import box
from workspace.accounts.dispatch import Caller
from workspace.accounts.permissions import SHARED
from workspace.lib import clock
from workspace.lib.text import counted, escape_markdown
from workspace.linked_apps import health
from workspace.linked_apps.caller_apps import Standing, grants_of, page, standings
from workspace.tools.answer import Answer

OWN_NAME = "workspace"


class AppRow(TypedDict):
    name: Annotated[str, Field(description="Also what its tools' names begin with, as NAME_tool")]
    title: str
    url: str
    used: Annotated[bool, Field(description="Whether you have connected it")]
    plan: Annotated[str | None, Field(description="Your plan there, where it tells")]
    state: Literal["connected", "not_connected", "ended", "down"]
    connect_url: Annotated[str, Field(description="Where you connect it, or let it go")]
    tools: Annotated[int, Field(description="How many of its tools you have")]
    tools_at: Annotated[str | None, Field(description="Of when this list of tools is")]
    last_used_at: str | None
    down_since: str | None
    problem: str


class Apps(TypedDict):
    apps: list[AppRow]


@box.tool("svc_my_apps", title="My applications", reads=True, whose=SHARED, columns="title state plan used url")
def my_apps(caller: Caller) -> Answer[Apps]:
    """The applications of the account family: which you have connected, your plan in each, and which is down."""
    account = caller.account
    own: AppRow = {
        "name": OWN_NAME,
        "title": "Workspace Tools",
        "url": settings.BASE_URL,
        "used": True,
        "plan": "paid" if account.pays else plans.FREE,
        "state": "connected",
        "connect_url": "",
        "tools": 0,
        "tools_at": None,
        "last_used_at": None,
        "down_since": None,
        "problem": "",
    }
    found = standings(grants_of(caller))
    lines = [f"- {own['title']} ({OWN_NAME}): in use, at {own['url']}; plan: {own['plan']}", *map(_line, found)]
    return Answer({"apps": [own, *map(_row, found)]}, "\n".join(["Your applications:", "", *lines]))


def _row(one: Standing) -> AppRow:
    grant, down = one.grant, one.condition
    holds = grant is not None and not grant.trouble
    return {
        "name": one.app.name,
        "title": one.app.title,
        "url": one.app.url,
        "used": holds,
        "plan": grant.plan or None if grant is not None and holds else None,
        "state": one.state,  # type: ignore[typeddict-item]
        "connect_url": page(one.app.name),
        "tools": len(grant.tools) if grant is not None and holds else 0,
        "tools_at": grant.tools_at.isoformat() if grant is not None and holds and grant.tools_at else None,
        "last_used_at": grant.used_at.isoformat() if grant is not None and grant.used_at else None,
        "down_since": down.down_since.isoformat() if down is not None and down.down_since else None,
        "problem": grant.trouble if grant is not None and grant.trouble else down.problem if down else "",
    }


def _line(one: Standing) -> str:
    app, grant = one.app, one.grant
    head = f"- {escape_markdown(app.title)} ({app.name})"
    if grant is None:
        down = f" {health.said(app.title, one.condition)}." if one.condition else ""
        return f"{head}: not used yet, at {app.url}. You connect it at {page(app.name)}.{down}"
    if grant.trouble:
        return f"{head}: not connected any more, at {app.url}. {grant.trouble}: connect it again at {page(app.name)}."
    told = [f"in use, at {app.url}"]
    if grant.plan:
        told.append(f"plan: {grant.plan}")
    if grant.known_as:
        told.append(f"there you are {escape_markdown(grant.known_as)}")
    told.append(f"{counted(len(grant.tools), 'tool')} as {app.name}_…")
    if grant.tools_at:
        told.append(f"as of {clock.iso(grant.tools_at)}")
    if grant.used_at:
        told.append(f"last used {clock.iso(grant.used_at)}")
    told.append(f"let it go at {page(app.name)}")
    down = f". {health.said(app.title, one.condition)}" if one.condition else ""
    return f"{head}: {'; '.join(told)}{down}"
