"""The tool that lists the apps of the account family, including this one."""

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
from workspace.lib.text import escape_markdown, format_count
from workspace.linked_apps import health
from workspace.linked_apps.caller_apps import AppState, grants_for, list_app_states, page_url
from workspace.tools.answer import Answer

OWN_NAME = "workspace"


class AppData(TypedDict):
    name: Annotated[str, Field(description="Name of the app. Its tools are called NAME_tool.")]
    title: str
    url: str
    used: Annotated[bool, Field(description="Whether the app is connected.")]
    plan: Annotated[str | None, Field(description="Your plan in the app, if known.")]
    state: Literal["connected", "not_connected", "ended", "down"]
    connect_url: Annotated[str, Field(description="URL to connect or disconnect the app.")]
    tools: Annotated[int, Field(description="Number of its tools that you can use.")]
    tools_at: Annotated[str | None, Field(description="Time when this list of tools was fetched.")]
    last_used_at: str | None
    down_since: str | None
    problem: str


class AppList(TypedDict):
    apps: list[AppData]


@box.tool(
    "svc_my_apps",
    title="List linked apps",
    about="List the other apps that can be linked to this account. Returns the connection status, your plan and the "
    "availability of each app.",
    short="List linked apps with connection status and plan.",
    synonyms="connected applications, integrations, third party, sister apps, verbundene apps, anwendungen, "
    "aplicaciones conectadas",
    reads=True,
    area=SHARED,
    columns="title state plan used url",
)
def my_apps(caller: Caller) -> Answer[AppList]:
    account = caller.account
    own: AppData = {
        "name": OWN_NAME,
        "title": "Workspace Tools",
        "url": settings.BASE_URL,
        "used": True,
        "plan": "paid" if account.is_paying else plans.FREE,
        "state": "connected",
        "connect_url": "",
        "tools": 0,
        "tools_at": None,
        "last_used_at": None,
        "down_since": None,
        "problem": "",
    }
    found = list_app_states(grants_for(caller))
    lines = [
        f"- {own['title']} ({OWN_NAME}): connected, at {own['url']}; plan: {own['plan']}",
        *map(_format_app, found),
    ]
    return Answer({"apps": [own, *map(_app_data, found)]}, "\n".join(["Your apps:", "", *lines]))


def _app_data(app_state: AppState) -> AppData:
    grant, down = app_state.grant, app_state.condition
    holds = grant is not None and not grant.last_error
    return {
        "name": app_state.app.name,
        "title": app_state.app.title,
        "url": app_state.app.url,
        "used": holds,
        "plan": grant.plan or None if grant is not None and holds else None,
        "state": app_state.state,  # type: ignore[typeddict-item]
        "connect_url": page_url(app_state.app.name),
        "tools": len(grant.tools) if grant is not None and holds else 0,
        "tools_at": grant.tools_at.isoformat() if grant is not None and holds and grant.tools_at else None,
        "last_used_at": grant.used_at.isoformat() if grant is not None and grant.used_at else None,
        "down_since": down.down_since.isoformat() if down is not None and down.down_since else None,
        "problem": grant.last_error if grant is not None and grant.last_error else down.last_error if down else "",
    }


def _format_app(app_state: AppState) -> str:
    app, grant = app_state.app, app_state.grant
    head = f"- {escape_markdown(app.title)} ({app.name})"
    if grant is None:
        down = f" {health.describe_outage(app.title, app_state.condition)}" if app_state.condition else ""
        return f"{head}: not connected, at {app.url}. Connect it at {page_url(app.name)}.{down}"
    if grant.last_error:
        return f"{head}: disconnected, at {app.url}. {grant.last_error}. Reconnect it at {page_url(app.name)}."
    texts = [f"connected, at {app.url}"]
    if grant.plan:
        texts.append(f"plan: {grant.plan}")
    if grant.remote_name:
        texts.append(f"signed in as {escape_markdown(grant.remote_name)}")
    texts.append(f"{format_count(len(grant.tools), 'tool')} that start with {app.name}_")
    if grant.tools_at:
        texts.append(f"as of {clock.to_iso(grant.tools_at)}")
    if grant.used_at:
        texts.append(f"last used {clock.to_iso(grant.used_at)}")
    texts.append(f"disconnect it at {page_url(app.name)}")
    down = f". {health.describe_outage(app.title, app_state.condition)}" if app_state.condition else ""
    return f"{head}: {'; '.join(texts)}{down}"
