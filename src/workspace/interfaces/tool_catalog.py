"""The tools of this instance: the account's own tools, then each product's, as listed in its manifest."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from workspace.accounts import account_tools as accounts_account_tools
from workspace.accounts import activity_tools, upload_tools
from workspace.accounts.account_tools import box
from workspace.accounts.dispatch import Caller
from workspace.accounts.permissions import SHARED
from workspace.billing import invite_tools
from workspace.delivery import account_settings_tools
from workspace.delivery.jobs import tools as jobs_tools
from workspace.insights import contact_tools, overview_tools, search_tools, verify_tools
from workspace.integrations import address_book_tools, calendar_tools, webhook_tools
from workspace.interfaces import tool_search
from workspace.interfaces.tool_search import ToolMatches
from workspace.lib.lazy import cache_first_result
from workspace.linked_apps import tools as family_tools
from workspace.payments import tools as payment_tools
from workspace.products import list_manifests
from workspace.publishing import brand_tools
from workspace.publishing.account_lifecycle import takeout_tools
from workspace.support import tools as support_tools
from workspace.tools.answer import Answer
from workspace.tools.argument_types import Line
from workspace.tools.catalog import Catalog
from workspace.tools.tool import tools_from_modules

Query = Annotated[
    str,
    Line(300),
    Field(
        description=(
            'Task in your own words. Example: "raise all prices by 5%". English works best; German and Spanish '
            "also work."
        )
    ),
]


@box.tool(
    "svc_find_tools",
    title="Find tools",
    about="Find tools for a task that you describe in plain words. Returns their names and arguments, "
    "whether this connection can use them, and where the owner can enable the rest.",
    short='Find the tools for a task, such as "raise all prices".',
    synonyms="which tool, how do i, what can you do, help, werkzeug finden, welches tool, qué herramienta, cómo puedo",
    reads=True,
    area=SHARED,
    columns="title name product connected",
)
def find_tools(caller: Caller, query: Query) -> Answer[ToolMatches]:
    return tool_search.search_answer(_build_index().search(query), caller)


@cache_first_result
def _build_index() -> tool_search.ToolIndex:
    return tool_search.ToolIndex(CATALOG)


_CORE_MODULES = (
    accounts_account_tools,
    family_tools,
    account_settings_tools,
    activity_tools,
    upload_tools,
    jobs_tools,
    invite_tools,
)
_FEATURE_MODULES = (
    search_tools,
    overview_tools,
    contact_tools,
    brand_tools,
    verify_tools,
    support_tools,
    takeout_tools,
)
_ACCOUNT_MODULES = (*_CORE_MODULES, *_FEATURE_MODULES)
ACCOUNT_TOOLS = [*tools_from_modules(*_ACCOUNT_MODULES), find_tools]
_SHARED_TOOLS = [tools_from_modules(one) for one in (payment_tools, webhook_tools, calendar_tools, address_book_tools)]
CATALOG = Catalog([ACCOUNT_TOOLS, *_SHARED_TOOLS, *(product.tools for product in list_manifests())])
