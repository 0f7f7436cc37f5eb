"""The tools that these pages call."""

from __future__ import annotations

from workspace.dashboard.forms import tool_named
from workspace.dashboard.tool_pages import pages
from workspace.products.card import lead_tools  # noqa: F401 - it fills the box
from workspace.products.card.tools import tools

LIST = tool_named(tools, "svc_card_list")
CREATE = tool_named(tools, "svc_card_create")
GET = tool_named(tools, "svc_card_get")
EDIT = tool_named(tools, "svc_card_edit")
PAUSE = tool_named(tools, "svc_card_pause")
RESUME = tool_named(tools, "svc_card_resume")
DELETE = tool_named(tools, "svc_card_delete")
LEADS = tool_named(tools, "svc_card_leads")
EXPORT = tool_named(tools, "svc_card_export_leads")
REMOVE_LEAD = tool_named(tools, "svc_card_remove_lead")
STATS = tool_named(tools, "svc_card_stats")

HOME = "/app/card"
page = pages(home=HOME, ids=("id", "card_id", "lead_id"))
