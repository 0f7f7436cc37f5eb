"""The tools that these pages call."""

from __future__ import annotations

from workspace.dashboard.forms import tool_named
from workspace.dashboard.tool_pages import pages
from workspace.products.links import element_tools, file_tools, stats_tools  # noqa: F401 - they fill the box
from workspace.products.links.tools import tools

PAGES = tool_named(tools, "svc_links_pages")
CREATE = tool_named(tools, "svc_links_create_page")
GET = tool_named(tools, "svc_links_get_page")
EDIT = tool_named(tools, "svc_links_edit_page")
PAUSE = tool_named(tools, "svc_links_pause_page")
RESUME = tool_named(tools, "svc_links_resume_page")
DELETE = tool_named(tools, "svc_links_delete_page")
ADD = tool_named(tools, "svc_links_add")
HEADING = tool_named(tools, "svc_links_insert_heading")
TEXT = tool_named(tools, "svc_links_insert_text")
LIVE = tool_named(tools, "svc_links_insert_live")
EDIT_LINK = tool_named(tools, "svc_links_edit_link")
REMOVE = tool_named(tools, "svc_links_remove_link")
REORDER = tool_named(tools, "svc_links_reorder")
STATS = tool_named(tools, "svc_links_stats")
EXPORT = tool_named(tools, "svc_links_export_page")
IMPORT = tool_named(tools, "svc_links_import_page")

HOME = "/app/links"
page = pages(home=HOME, ids=())
