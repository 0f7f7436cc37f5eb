"""The tools that these pages call."""

from __future__ import annotations

from workspace.dashboard.forms import tool_named
from workspace.dashboard.tool_pages import pages
from workspace.products.qr import bulk_tools, scan_tools  # noqa: F401 - they fill the box
from workspace.products.qr.tools import tools

LIST = tool_named(tools, "svc_qr_list")
CREATE = tool_named(tools, "svc_qr_create")
GET = tool_named(tools, "svc_qr_get")
EDIT = tool_named(tools, "svc_qr_edit")
RETARGET = tool_named(tools, "svc_qr_update_target")
UNDO = tool_named(tools, "svc_qr_undo")
PAUSE = tool_named(tools, "svc_qr_pause")
RESUME = tool_named(tools, "svc_qr_resume")
DELETE = tool_named(tools, "svc_qr_delete")
STATS = tool_named(tools, "svc_qr_stats")
EXPORT = tool_named(tools, "svc_qr_export_scans")
CHECK = tool_named(tools, "svc_qr_check")
BULK = tool_named(tools, "svc_qr_bulk_create")

HOME = "/app/qr"
page = pages(home=HOME)
