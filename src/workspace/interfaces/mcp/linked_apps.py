"""Other applications in the connector: their tools listed beside ours, each call handed on with the caller's own grant
there. One that is slow or down costs the list two seconds at most, and a call to it one sentence."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import mcp_types as types
from django.conf import settings
from mcp.shared.exceptions import MCPError
from starlette.types import Receive, Scope

from workspace.accounts import change_log
from workspace.accounts.dispatch import Caller, closing_words, take_call
from workspace.interfaces.mcp.request_scope import CALLER, RECEIVE, SELECTION, Runs
from workspace.interfaces.mcp.tool_list import Selection
from workspace.interfaces.mcp.tool_list_cache import STAMP
from workspace.lib.errors import Busy, Conflict, Forbidden, ToolError, Unavailable
from workspace.linked_apps import caller_apps, health, tokens, tool_cache
from workspace.linked_apps.config import Application
from workspace.linked_apps.http_json import HEADER, Trouble, Unreachable, application
from workspace.linked_apps.models import Grant
from workspace.linked_apps.tool_sanitizer import clean
from workspace.storage.database.errors import refusing
from workspace.storage.database.transactions import writing

log = logging.getLogger("workspace.mcp")
OFFERED = "workspace.linked_apps"
PATIENCE = 2.0  # seconds for which a list waits for others' lists
AT_ONCE, EACH = 12, 4  # calls under way at one application, and of one grant there
MOST_BLOCKS = 50  # of an answer
LONGEST_TEXT = 1_000_000
_HEADER = HEADER.lower().encode()
_under_way: Counter[str] = Counter()


@dataclass(frozen=True, slots=True)
class Errand:
    grant: str
    tool: str
    reads: bool
    era: str
    token: str  # empty where it has to be renewed first


def named(scope: Scope, name: str) -> Application | None:
    """The application whose tool this is by its name. Another one of our kind gets nothing handed on: two that know
    each other would list each other without end."""
    if not settings.FAMILY or _is_family(scope):
        return None
    return application(name.partition("_")[0])


def offered(scope: Scope) -> list[dict[str, Any]]:
    """What `with_offers` found, as MCP lists it."""
    found: list[dict[str, Any]] = scope.get(OFFERED, [])
    return found


async def with_offers(scope: Scope, pool: Runs) -> Scope:
    """The scope with the tools that other applications offer to its caller; those whose copy is old are asked again,
    and waited for a moment."""
    if _is_family(scope):
        return scope
    caller, selection = scope[CALLER], scope[SELECTION]
    due = await pool.run(_due, caller)
    if due:
        looks = [asyncio.wrap_future(one) for one in tool_cache.look_soon(due)]
        done, _ = await asyncio.wait(looks, timeout=PATIENCE)
        for one in done:
            if (problem := one.exception()) is not None:
                log.error("an application's list was not read", exc_info=problem)
    tools, stamp = await pool.run(_offers, caller, selection)
    return {**scope, OFFERED: tools, STAMP: stamp}


async def call(
    app: Application, name: str, arguments: dict[str, Any] | None, scope: Scope, pool: Runs
) -> types.CallToolResult:
    """What the application answers. Raises a Refusal, and MCPError for a tool that there is not."""
    caller: Caller = scope[CALLER]
    errand = await pool.run(_errand, app, name, caller)
    with _one_of_few(app, errand):
        try:
            result = await _unless_gone(scope[RECEIVE], _handed_on(app, errand, arguments))
        except tokens.Ended:
            why = f"{app.title} has ended your access there: connect it again at {caller_apps.page(app.name)}"
            raise ToolError(why) from None
        except Unreachable as problem:
            await pool.run(_failed, app, problem)
            raise Unavailable(f"{app.title} did not answer: {problem}. All else works", 5) from None
        except Trouble as problem:
            await pool.run(health.works, app.name)
            raise ToolError(f"{app.title}: {clean(str(problem), 500)}") from None
    await pool.run(_went_well, app, errand, None if errand.reads or result.is_error else caller, name)
    return _passed_on(app, result)


async def _unless_gone(receive: Receive, work: Coroutine[Any, Any, Any]) -> Any:
    """What it answers, as long as somebody waits for that: else the other is told, and stops too."""

    async def watch() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    working, watching = asyncio.ensure_future(work), asyncio.ensure_future(watch())
    try:
        await asyncio.wait((working, watching), return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        raise ToolError("Nobody waits for the answer any more")
    finally:
        for one in (working, watching):
            one.cancel()
        await asyncio.gather(working, watching, return_exceptions=True)


async def _handed_on(app: Application, errand: Errand, arguments: dict[str, Any] | None) -> Any:
    """Raises Ended, Trouble, Forbidden."""
    from workspace.linked_apps import mcp_client  # noqa: PLC0415 - only for connected applications

    async def ask(token: str) -> Any:
        try:
            return await mcp_client.call(
                app, token, errand.tool, arguments, errand.era, seconds=mcp_client.CALL_SECONDS
            )
        except mcp_client.Odd as odd:
            raise Trouble(str(odd)) from None

    token = errand.token or await _renewed(errand)
    try:
        return await ask(token)
    except mcp_client.Denied as denied:
        if denied.more:
            raise _too_little(app) from None
    token = await _renewed(errand, spent=token)
    try:
        return await ask(token)
    except mcp_client.Denied as denied:
        if denied.more:
            raise _too_little(app) from None
    why = f"{app.title} does not take the access any more"
    await asyncio.wrap_future(tool_cache.in_a_thread(lambda: tokens.end(errand.grant, token, why)))
    raise tokens.Ended


def _too_little(app: Application) -> Forbidden:
    return Forbidden(f"{app.title} wants more than you allowed there: connect it again at {caller_apps.page(app.name)}")


async def _renewed(errand: Errand, spent: str = "") -> str:
    return await asyncio.wrap_future(tool_cache.in_a_thread(lambda: tokens.fresh(errand.grant, spent=spent)))


@contextmanager
def _one_of_few(app: Application, errand: Errand) -> Iterator[None]:
    """On the event loop alone, so nothing is locked."""
    most = {app.name: AT_ONCE, errand.grant: EACH}
    if any(_under_way[name] >= number for name, number in most.items()):
        raise Busy(2)
    _under_way.update(most.keys())
    try:
        yield
    finally:
        _under_way.subtract(most.keys())
        for name in most:
            if _under_way[name] <= 0:
                del _under_way[name]


# --- in a thread of the pool ------------------------------------------------------------------------------------------


def _due(caller: Caller) -> list[str]:
    with refusing():
        return tool_cache.due(caller_apps.grants_of(caller))


def _offers(caller: Caller, selection: Selection) -> tuple[list[dict[str, Any]], tuple[Any, ...]]:
    tools: list[dict[str, Any]] = []
    stamp: list[Any] = []
    with refusing():
        for row in caller_apps.grants_of(caller):
            app = application(row.application)
            if app is None or row.trouble:
                continue
            stamp.append((row.pk, row.tools_at))
            tools += [
                one["told"]
                for one in row.tools
                if not caller_apps.kept_from(caller, app, one, everything=selection.all)
            ]
    return tools, tuple(stamp)


def _errand(app: Application, name: str, caller: Caller) -> Errand:
    take_call(caller)
    with refusing():
        row = next((one for one in caller_apps.grants_of(caller) if one.application == app.name), None)
        if row is None or row.trouble:
            again = f"{row.trouble}: connect it again" if row else "is not connected: you connect it"
            raise ToolError(f"{'' if row else f'{app.title} '}{again} at {caller_apps.page(app.name)}")
        tool = next((one for one in row.tools if one["name"] == name), None)
        if tool is None:
            message = f"{app.title} offers no tool {name[:80]}; tools/list names those there are"
            raise MCPError(code=types.INVALID_PARAMS, message=message)
        caller_apps.allowed(caller, app, tool)
        if caller.account.closes_at is not None and not tool["reads"]:
            raise Conflict(closing_words(caller.account))
        if down := health.may_try(app.name):
            raise Unavailable(health.said(app.title, down), 5)
        return Errand(row.pk, tool["theirs"], tool["reads"], row.era, row.access_token if row.is_fresh else "")


def _failed(app: Application, problem: Unreachable) -> None:
    from workspace.linked_apps.mcp_client import Slow  # noqa: PLC0415 - only for connected applications

    health.failed(app.name, str(problem), slow=isinstance(problem, Slow))


def _went_well(app: Application, errand: Errand, by: Caller | None, name: str) -> None:
    """`by` whom something may have been changed there, for the list of what was done."""
    health.works(app.name)
    if by is not None:
        text, final = f"{app.title}: called {errand.tool}"[:200], f"It was done at {app.title}, and is changed there"
        with writing():
            change_log.note(by.account, by, name, text, final)
    Grant.note_use(errand.grant)


# --- what comes back --------------------------------------------------------------------------------------------------


def _passed_on(app: Application, result: types.CallToolResult) -> types.CallToolResult:
    """Its answer, with its texts plain and its errors told as its own."""
    content: list[types.ContentBlock] = []
    for block in result.content[:MOST_BLOCKS]:
        if isinstance(block, types.TextContent):
            content.append(types.TextContent(type="text", text=clean(block.text, LONGEST_TEXT, lines=True)))
        else:
            content.append(block)
    if result.is_error:
        told = " ".join(block.text for block in content if isinstance(block, types.TextContent)) or "no reason given"
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=f"{app.title} says: {told}")], is_error=True
        )
    data = result.structured_content if isinstance(result.structured_content, dict) else None
    return types.CallToolResult(content=content, structured_content=data)


def _is_family(scope: Scope) -> bool:
    return any(name == _HEADER for name, _ in scope["headers"])
