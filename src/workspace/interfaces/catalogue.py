"""The tools of this installation: the account's own, then each product's, as its manifest lists them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from workspace.accounts import activity_tools, tools, upload_tools
from workspace.accounts.door import Caller
from workspace.accounts.roles import SHARED
from workspace.accounts.tools import box
from workspace.billing import invite_tools
from workspace.delivery import account_tools, job_tools
from workspace.family import tools as family_tools
from workspace.interfaces import finding
from workspace.interfaces.finding import Found
from workspace.payments import tools as payment_tools
from workspace.products import manifests
from workspace.publishing import (
    address_book_tools,
    brand_tools,
    calendar_tools,
    carrying_tools,
    contact_tools,
    overview_tools,
    search_tools,
    verify_tools,
    webhook_tools,
)
from workspace.support import tools as support_tools
from workspace.toolkit.answer import Answer
from workspace.toolkit.catalogue import Catalogue
from workspace.toolkit.lazily import once
from workspace.toolkit.tool import tools_in
from workspace.toolkit.types import Line

Want = Annotated[str, Line(300), Field(description="What is to be done, in English: raise all prices by 5 percent")]


@box.tool("svc_find_tools", title="Find tools", reads=True, whose=SHARED, columns="title name product connected")
def find_tools(caller: Caller, want: Want) -> Answer[Found]:
    """Which tools of all products do what you want: names, arguments, whether this connection has them, and where the
    owner adds others."""
    return finding.answer(_index().find(want), caller)


@once
def _index() -> finding.Index:
    return finding.Index(CATALOGUE)


_OWN = (tools, family_tools, account_tools, activity_tools, upload_tools, job_tools, invite_tools)
_ABOVE = (search_tools, overview_tools, contact_tools, brand_tools, verify_tools, support_tools, carrying_tools)
_FILES = (*_OWN, *_ABOVE)
ACCOUNT = [*tools_in(*_FILES), find_tools]
_ALONG = [tools_in(one) for one in (payment_tools, webhook_tools, calendar_tools, address_book_tools)]
CATALOGUE = Catalogue([ACCOUNT, *_ALONG, *(product.tools for product in manifests())])
