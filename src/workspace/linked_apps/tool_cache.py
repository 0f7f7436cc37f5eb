"""The last good copy of what each application offers to each person, renewed behind what is answered from it."""

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
from workspace.lib.errors import Refusal
from workspace.linked_apps import health, tokens
from workspace.linked_apps.config import Application
from workspace.linked_apps.http_json import Trouble, Unreachable, application
from workspace.linked_apps.models import Grant
from workspace.linked_apps.tool_sanitizer import clean, cleaned
from workspace.storage.database.transactions import writing

logger = logging.getLogger(__name__)
T = TypeVar("T")

FRESH = timedelta(minutes=5)  # for which a copy is not looked at again
LOOKING = timedelta(seconds=20)  # for which nobody else looks
AT_ONCE = 4
OWN_KIND = "svc_me"  # by which another of our kind tells of itself


def look(grant_id: str) -> bool:
    """Ask what it offers, and keep that; whether it answered. Never within a transaction, nor in an event loop."""
    row = Grant.objects.filter(pk=grant_id, trouble="").first()
    app = application(row.application) if row else None
    if row is None or app is None:
        return False
    try:
        listed = with_token(app, row.pk, lambda token: _listed(app, token))
    except (Trouble, tokens.Ended, Refusal) as problem:
        logger.info("What %s offers was not read: %s", app.name, problem)
        return False
    kept, left = cleaned(app, listed.tools, more=listed.more)
    plan, known_as = _said_of_itself(app, row.pk, kept, listed.era)
    with writing():
        told = {"plan": plan, "known_as": known_as} if plan or known_as else {}
        fields: dict[str, Any] = {"tools": kept, "left_out": left, "era": listed.era, "tools_at": clock.now(), **told}
        Grant.objects.filter(pk=row.pk).update(**fields)
    return True


def with_token(app: Application, grant_id: str, ask: Callable[[str], T]) -> T:
    """What it answers to the person's own token, which is renewed where it does not hold any more; how the application
    does is noted. Raises Trouble, tokens.Ended, and CannotUnseal."""
    from workspace.linked_apps.mcp_client import Denied, Odd, Slow

    try:
        token = tokens.fresh(grant_id)
        connection.close()
        try:
            answer = ask(token)
        except Denied:
            token = tokens.fresh(grant_id, spent=token)
            connection.close()
            try:
                answer = ask(token)
            except Denied:
                tokens.end(grant_id, token, f"{app.title} does not take the access any more")
                raise tokens.Ended from None
    except Odd as odd:
        raise Trouble(str(odd)) from None
    except Unreachable as problem:
        health.failed(app.name, str(problem), slow=isinstance(problem, Slow))
        raise
    health.works(app.name)
    return answer


def _listed(app: Application, token: str) -> Any:
    from workspace.linked_apps import mcp_client

    return _run(lambda: mcp_client.tools_of(app, token))


def _run(work: Callable[[], Awaitable[T]]) -> T:
    async def alone() -> T:
        return await work()

    return asyncio.run(alone())


def _said_of_itself(app: Application, grant_id: str, tools: Sequence[dict[str, Any]], era: str) -> tuple[str, str]:
    """Plan and name at another of our kind; nothing at others, which have no word for it."""
    from workspace.linked_apps import mcp_client

    if not any(one["theirs"] == OWN_KIND and one["reads"] for one in tools):
        return "", ""
    try:
        me = with_token(
            app, grant_id, lambda token: _run(lambda: mcp_client.call(app, token, OWN_KIND, {}, era, seconds=8))
        )
    except (Trouble, tokens.Ended, Refusal):
        return "", ""
    told = me.structured_content if isinstance(me.structured_content, dict) else {}
    plans = told.get("plans")
    if me.is_error or not isinstance(plans, dict):
        return "", ""
    names = {one.get("plan") for one in plans.values() if isinstance(one, dict)}
    plan = ("free" if names == {"free"} else "paid") if names else ""
    return plan, clean(told.get("name"), 120)


# --- behind an answer -----------------------------------------------------------------------------------------------


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(AT_ONCE, thread_name_prefix="family")


def in_a_thread(work: Callable[[], T]) -> Future[T]:
    """Apart from those that answer requests: one that waits for another application must not hold up ours."""

    def worked() -> T:
        try:
            return work()
        finally:
            try:
                connections.close_all()
            except Error:
                logger.exception("A connection was not given back")

    return _threads().submit(worked)


def due(rows: Sequence[Grant]) -> list[str]:
    """Those of which to look again; each is somebody's for a while."""
    now, found = clock.now(), []
    for row in rows:
        is_old = row.tools_at is None or row.tools_at < now - FRESH
        is_asked = row.asked_at is not None and row.asked_at > now - LOOKING
        if row.trouble or not is_old or is_asked or health.may_try(row.application) is not None:
            continue
        with writing(relaxed=True):
            mine = Grant.objects.filter(pk=row.pk, asked_at=row.asked_at)
            if mine.update(asked_at=now):
                found.append(row.pk)
    return found


def look_soon(ids: Sequence[str]) -> list[Future[bool]]:
    return [in_a_thread(lambda id=id: look(id)) for id in ids]  # type: ignore[misc]
