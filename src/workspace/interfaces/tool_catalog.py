"""The tools of this installation: the account's own, then each product's, as its manifest lists them."""

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
from workspace.interfaces.tool_search import Found
from workspace.lib.lazy import once
from workspace.linked_apps import tools as family_tools
from workspace.payments import tools as payment_tools
from workspace.products import manifests
from workspace.publishing import brand_tools
from workspace.publishing.account_lifecycle import takeout_tools
from workspace.support import tools as support_tools
from workspace.tools.answer import Answer
from workspace.tools.argument_types import Line
from workspace.tools.catalog import Catalogue
from workspace.tools.tool import tools_in

Want = Annotated[str, Line(300), Field(description="What is to be done, in English: raise all prices by 5 percent")]


@box.tool("svc_find_tools", title="Find tools", reads=True, whose=SHARED, columns="title name product connected")
def find_tools(caller: Caller, want: Want) -> Answer[Found]:
    """Which tools of all products do what you want: names, arguments, whether this connection has them, and where the
    owner adds others."""
    return tool_search.answer(_index().find(want), caller)


@once
def _index() -> tool_search.Index:
    return tool_search.Index(CATALOGUE)


_OWN = (
    accounts_account_tools,
    family_tools,
    account_settings_tools,
    activity_tools,
    upload_tools,
    jobs_tools,
    invite_tools,
)
_ABOVE = (search_tools, overview_tools, contact_tools, brand_tools, verify_tools, support_tools, takeout_tools)
_FILES = (*_OWN, *_ABOVE)
ACCOUNT = [*tools_in(*_FILES), find_tools]
_ALONG = [tools_in(one) for one in (payment_tools, webhook_tools, calendar_tools, address_book_tools)]
CATALOGUE = Catalogue([ACCOUNT, *_ALONG, *(product.tools for product in manifests())])
