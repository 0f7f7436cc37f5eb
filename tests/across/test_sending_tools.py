"""Tools that email people or call other services are marked, for assistants and in the catalog."""

from __future__ import annotations

import pytest

from tests.across.samples import SAMPLES
from workspace.delivery import mail, webhooks
from workspace.delivery.models import Delivery
from workspace.interfaces.mcp.tool_list import describe_tool
from workspace.interfaces.tool_catalog import CATALOG
from workspace.testing.api import Api

WRITES = sorted(tool.name for tool in CATALOG if not tool.reads)


@pytest.mark.django_db
@pytest.mark.parametrize("name", WRITES)
def test_a_tool_that_queues_a_delivery_is_marked(name: str, furnished: tuple[Api, dict[str, str]]) -> None:
    api, made = furnished
    Delivery.objects.all().delete()
    api.run(name, **SAMPLES[name](made))
    if Delivery.objects.filter(kind__in=[mail.KIND, webhooks.KIND]).exists():
        assert CATALOG.by_name[name].sends, name


def test_a_tool_that_sends_is_marked_as_open_world() -> None:
    sending = {tool.name for tool in CATALOG if tool.sends}
    assert sending >= {
        "svc_bid_send",
        "svc_waiver_invite",
        "svc_certs_issue",
        "svc_certs_import",
        "svc_calendars_save",
        "svc_webhooks_edit",
    }
    for tool in CATALOG:
        hints = describe_tool(tool, full=False).annotations
        assert hints is not None and hints.open_world_hint is tool.sends is tool.hints["open_world"]
        assert hints.destructive_hint is (tool.destructive or tool.sends)
