"""The main columns of lists: named in the catalog and contained in text answers."""

from __future__ import annotations

import html
from typing import Any

import pytest

from tests.across.samples import LISTS, SAMPLES
from workspace.interfaces.tool_catalog import CATALOG
from workspace.lib.text import escape_markdown
from workspace.testing.api import Api
from workspace.testing.oauth_client import sign_in_browser
from workspace.tools.tool import Tool


def row_schema(tool: Tool) -> dict[str, Any] | None:
    """Return the schema of a list's rows, or None if it is no list or has rows of several kinds."""
    schema = tool.output_schema
    properties = schema.get("properties", {})
    rows = properties.get("items") or (next(iter(properties.values())) if len(properties) == 1 else {})
    row = rows.get("items", {})
    row = schema["$defs"][row["$ref"].rsplit("/", 1)[1]] if "$ref" in row else row
    return row if "properties" in row else None


READ = [tool for tool in CATALOG if tool.reads and row_schema(tool)]
MADE = [tool.name for tool in CATALOG if tool.columns and tool.name in LISTS]


@pytest.mark.parametrize("tool", READ, ids=lambda tool: tool.name)
def test_every_list_names_four_to_six_of_its_columns(tool: Tool) -> None:
    row = row_schema(tool)
    assert row is not None and set(tool.columns) <= set(row["properties"])
    assert 4 <= len(tool.columns) <= 6


@pytest.mark.django_db
@pytest.mark.parametrize("name", MADE)
def test_the_text_of_a_list_contains_its_columns(name: str, furnished: tuple[Api, dict[str, str]]) -> None:
    api, made = furnished
    LISTS[name](api, 1)
    tool = CATALOG.by_name[name]
    arguments = {key: part for key, part in SAMPLES[name](made).items() if key in tool.input_schema.get("required", [])}
    _, body = api.post("call", {"name": name, "arguments": arguments})
    assert body["data"]["items"]
    told = [(column, row.get(column)) for row in body["data"]["items"] for column in tool.columns if column != "at"]
    texts = [(column, value) for column, value in told if isinstance(value, str)]
    assert not [one for one in texts if one[1] not in body["text"] and escape_markdown(one[1]) not in body["text"]]


PAGES = {
    "svc_qr_list": "/app/qr",
    "svc_card_list": "/app/card",
    "svc_card_leads": "/app/card/{card}/leads",
    "svc_bid_list": "/app/bid",
    "svc_booking_pages": "/app/booking",
    "svc_menu_list": "/app/menu",
    "svc_reviews_list": "/app/reviews/{review_page}/items",
    "svc_links_pages": "/app/links",
    "svc_certs_list": "/app/certs/{cert_template}/issued",
    "svc_event_list": "/app/event",
    "svc_seat_charts": "/app/seat",
    "svc_seat_guests": "/app/seat/{chart}/guests",
    "svc_forms_list": "/app/form",
    "svc_waivers_list": "/app/waiver",
    "svc_support_tickets": "/app/support",
}
OTHERWISE = ("id", "slug", "state", "status", "reply", "at", "date", "url", "zone", "when", "version")


@pytest.mark.django_db
@pytest.mark.parametrize("name", PAGES)
def test_the_dashboard_list_shows_the_texts_and_counts_of_its_columns(
    name: str, furnished: tuple[Api, dict[str, str]]
) -> None:
    """Times, states, links and amounts have other formats there."""
    api, made = furnished
    tool = CATALOG.by_name[name]
    arguments = {key: part for key, part in SAMPLES[name](made).items() if key in tool.input_schema.get("required", [])}
    row = api.run(name, **arguments)["items"][0]
    page = html.unescape(sign_in_browser(api.account.owner).get(PAGES[name].format(**made)).content.decode())
    columns = [column for column in tool.columns if column.rpartition("_")[2] not in OTHERWISE]
    shown = {column: row[column] for column in columns if not isinstance(row[column], bool | float)}
    assert shown and not {column: value for column, value in shown.items() if str(value) not in page}
