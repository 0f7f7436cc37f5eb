"""A cache of the tools that each app offers to each person. It is refreshed in the background."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta
from functools import cache
from typing import Any, TypeVar

from django.db import Error, connection, connections

from workspace.lib import clock
from workspace.lib.errors import ToolError
from workspace.linked_apps import health, messages, tokens
from workspace.linked_apps.config import Application
from workspace.linked_apps.http_json import AppUnreachableError, LinkedAppError, find_application
from workspace.linked_apps.models import LinkedApp
from workspace.linked_apps.tool_sanitizer import clean_text, sanitize_tools
from workspace.storage.database.transactions import write_transaction

logger = logging.getLogger(__name__)
T = TypeVar("T")

MAX_AGE = timedelta(minutes=5)  # age from which a list is refreshed
REFRESH_LEASE = timedelta(seconds=20)  # for which only one caller refreshes
MAX_THREADS = 4
PROFILE_TOOL = "svc_me"  # the tool with which an app of this kind describes its account


def refresh_tools(grant_id: str) -> bool:
    """Fetch and store the tools of a grant. Return whether the app responded.

    Call it outside of transactions and event loops.
    """
    row = LinkedApp.objects.filter(pk=grant_id, last_error="").first()
    app = find_application(row.application) if row else None
    if row is None or app is None:
        return False
    try:
        listed = call_with_token(app, row.pk, lambda token: _fetch_tools(app, token))
    except (LinkedAppError, tokens.GrantExpiredError, ToolError) as problem:
        logger.info("The tools of %s were not read: %s", app.name, problem)
        return False
    kept, left = sanitize_tools(app, listed.tools, has_more=listed.more)
    plan, known_as = _fetch_profile(app, row.pk, kept, listed.protocol_version)
    with write_transaction():
        profile = {"plan": plan, "remote_name": known_as} if plan or known_as else {}
        fields: dict[str, Any] = {
            "tools": kept,
            "rejected_tools": left,
            "protocol_version": listed.protocol_version,
            "tools_at": clock.now(),
            **profile,
        }
        LinkedApp.objects.filter(pk=row.pk).update(**fields)
    return True


def call_with_token(app: Application, grant_id: str, send: Callable[[str], T]) -> T:
    """Call `send(token)` and return its result. If the app rejects the token, renew it. Record the app's health.

    Raise LinkedAppError, GrantExpiredError or DecryptionError on failure.
    """
    from workspace.linked_apps.mcp_client import AppAccessDeniedError, AppTimeoutError, InvalidAppResponseError

    try:
        token = tokens.get_access_token(grant_id)
        connection.close()
        try:
            answer = send(token)
        except AppAccessDeniedError:
            token = tokens.get_access_token(grant_id, rejected_token=token)
            connection.close()
            try:
                answer = send(token)
            except AppAccessDeniedError:
                tokens.invalidate_grant(grant_id, token, str(messages.ACCESS_NOT_ACCEPTED(title=app.title)))
                raise tokens.GrantExpiredError from None
    except InvalidAppResponseError as odd:
        raise LinkedAppError(str(odd)) from None
    except AppUnreachableError as problem:
        health.record_failure(app.name, str(problem), slow=isinstance(problem, AppTimeoutError))
        raise
    health.record_success(app.name)
    return answer


def _fetch_tools(app: Application, token: str) -> Any:
    from workspace.linked_apps import mcp_client

    return _run_async(lambda: mcp_client.list_tools(app, token))


def _run_async(work: Callable[[], Awaitable[T]]) -> T:
    async def alone() -> T:
        return await work()

    return asyncio.run(alone())


def _fetch_profile(
    app: Application, grant_id: str, tools: Sequence[dict[str, Any]], protocol_version: str
) -> tuple[str, str]:
    """Return the plan and account name at an app of this kind, or empty strings for other apps."""
    from workspace.linked_apps import mcp_client

    if not any(one["theirs"] == PROFILE_TOOL and one["reads"] for one in tools):
        return "", ""
    try:
        me = call_with_token(
            app,
            grant_id,
            lambda token: _run_async(
                lambda: mcp_client.call_tool(app, token, PROFILE_TOOL, {}, protocol_version, seconds=8)
            ),
        )
    except (LinkedAppError, tokens.GrantExpiredError, ToolError):
        return "", ""
    content = me.structured_content if isinstance(me.structured_content, dict) else {}
    plans = content.get("plans")
    if me.is_error or not isinstance(plans, dict):
        return "", ""
    names = {one.get("plan") for one in plans.values() if isinstance(one, dict)}
    plan = ("free" if names == {"free"} else "paid") if names else ""
    return plan, clean_text(content.get("name"), 120)


# Background refresh.


@cache
def _thread_pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(MAX_THREADS, thread_name_prefix="linked apps")


def run_in_thread(work: Callable[[], T]) -> Future[T]:
    """Run work in a separate pool, so that waiting for apps does not block requests to this service."""

    def worked() -> T:
        try:
            return work()
        finally:
            try:
                connections.close_all()
            except Error:
                logger.exception("A database connection was not closed")

    return _thread_pool().submit(worked)


def claim_due_grants(rows: Sequence[LinkedApp]) -> list[str]:
    """Claim the grants whose tools are to be refreshed. Return their ids."""
    now, found = clock.now(), []
    for row in rows:
        is_old = row.tools_at is None or row.tools_at < now - MAX_AGE
        is_asked = row.checked_at is not None and row.checked_at > now - REFRESH_LEASE
        if row.last_error or not is_old or is_asked or health.find_outage(row.application) is not None:
            continue
        with write_transaction(relaxed=True):
            mine = LinkedApp.objects.filter(pk=row.pk, checked_at=row.checked_at)
            if mine.update(checked_at=now):
                found.append(row.pk)
    return found


def refresh_soon(ids: Sequence[str]) -> list[Future[bool]]:
    return [run_in_thread(lambda id=id: refresh_tools(id)) for id in ids]  # type: ignore[misc]
