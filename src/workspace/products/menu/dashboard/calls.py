"""The tools that these pages call."""

from __future__ import annotations

from workspace.dashboard.forms import tool_named
from workspace.dashboard.tool_pages import pages
from workspace.products.menu import item_tools, section_tools, stats_tools  # noqa: F401 - they fill the box
from workspace.products.menu.tools import tools

LIST = tool_named(tools, "svc_menu_list")
ITEMS = tool_named(tools, "svc_menu_items")
CREATE = tool_named(tools, "svc_menu_create")
EDIT = tool_named(tools, "svc_menu_edit_menu")
DELETE = tool_named(tools, "svc_menu_delete_menu")
STATS = tool_named(tools, "svc_menu_stats")
ADD_SECTION = tool_named(tools, "svc_menu_add_section")
EDIT_SECTION = tool_named(tools, "svc_menu_edit_section")
DELETE_SECTION = tool_named(tools, "svc_menu_delete_section")
ORDER_SECTIONS = tool_named(tools, "svc_menu_order_sections")
ADD_ITEM = tool_named(tools, "svc_menu_add_item")
UPDATE_ITEM = tool_named(tools, "svc_menu_update_item")
EDIT_ITEM = tool_named(tools, "svc_menu_edit_item")
DELETE_ITEM = tool_named(tools, "svc_menu_delete_item")
ORDER_ITEMS = tool_named(tools, "svc_menu_order_items")
MOVE_ITEM = tool_named(tools, "svc_menu_move_item")

HOME = "/app/menu"
page = pages(home=HOME, ids=("menu_id", "section_id", "item_id"))
