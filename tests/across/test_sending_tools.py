"""Tools that email people or call other services say so, to assistants and in the catalogue."""

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
def test_a_tool_that_leaves_something_to_send_is_marked(name: str, furnished: tuple[Api, dict[str, str]]) -> None:
    api, made = furnished
    Delivery.objects.all().delete()
    api.run(name, **SAMPLES[name](made))
    if Delivery.objects.filter(kind__in=[mail.KIND, webhooks.KIND]).exists():
        assert CATALOG.by_name[name].sends, name


def test_what_is_sent_is_neither_harmless_nor_within_the_account() -> None:
    sending = {tool.name for tool in CATALOG if tool.sends}
    assert sending >= {"svc_bid_send", "svc_waiver_invite", "svc_certs_issue", "svc_calendar_save", "svc_webhook_edit"}
    for tool in CATALOG:
        hints = describe_tool(tool, full=False).annotations
        assert hints is not None and hints.open_world_hint is tool.sends is tool.hints["open_world"]
        assert hints.destructive_hint is (tool.destructive or tool.sends)
