"""Summaries of writes to many items for an AI assistant, and their time zone."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from workspace.accounts.models import Account
from workspace.interfaces.mcp import tool_results
from workspace.interfaces.mcp.bulk_write_summaries import summarize_data, summarize_text
from workspace.interfaces.mcp.local_times import localize_json, localize_text
from workspace.interfaces.mcp.raw_json import RawJson
from workspace.lib import strict_json
from workspace.testing.api import Api, make_account, make_api
from workspace.tools.answer import Answer

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.fixture
def shop(db: None) -> Account:
    return make_account(time_zone="Europe/Berlin")


@pytest.fixture
def chart(shop: Account) -> tuple[Api, str]:
    api = make_api(shop)
    return api, str(api.run("svc_seat_create", title="Wedding")["chart"]["id"])


def sent(api: Api, name: str, **arguments: object) -> tuple[str, dict[str, object]]:
    """Return the text and the data that an AI assistant gets from a call."""
    status, body = api.post("call", {"name": name, "arguments": arguments})
    assert status == 200, body
    own = RawJson()
    result = tool_results.success_result(Answer(body["data"], body["text"]), own, zone=api.account.zone, is_write=True)
    data = strict_json.parse(own.content)
    assert isinstance(data, dict)
    return result.content[0].text, data  # type: ignore[union-attr]


def test_90_new_guests_are_counted_and_the_first_are_shown(chart: tuple[Api, str]) -> None:
    api, id = chart
    guests = [{"name": f"Guest {number}"} for number in range(90)]
    text, data = sent(api, "svc_seat_save_guests", event_id=id, items=guests)
    assert "is new" not in text and "90 new items" in text
    assert "- and 70 more" in text and text.count("`gst_") == 20
    assert len(data["items"]) == 20 and data["added"] == 90  # type: ignore[arg-type]
    assert data["left_out"] == {"items": 70, "change.before": 90}
    undone, back = sent(api, "svc_undo")
    assert len(undone) < 10_000 and back["left_out"] == {"change.before": 90}


def test_rest_returns_all_of_them(chart: tuple[Api, str]) -> None:
    api, id = chart
    guests = [{"name": f"Guest {number}"} for number in range(30)]
    found = api.run("svc_seat_save_guests", event_id=id, items=guests)
    assert len(found["items"]) == 30 == len(found["change"]["before"]) and "left_out" not in found


def test_a_small_write_is_sent_in_full(chart: tuple[Api, str]) -> None:
    api, id = chart
    text, data = sent(api, "svc_seat_save_guests", event_id=id, items=[{"name": "Ada"}, {"name": "Ben"}])
    assert text.count("is new") == 2 and "left_out" not in data
    assert len(data["change"]["before"]) == 2  # type: ignore[index]


def test_a_list_in_a_text_is_shortened_with_its_parts_and_earlier_counts() -> None:
    entries = [f"- table {number}\n  - guest" for number in range(25)]
    assert summarize_text("\n".join(["Head", "", *entries, "", "Tail"])) == "\n".join(
        ["Head", "", *entries[:20], "- and 5 more", "", "Tail"]
    )
    assert summarize_text("\n".join([*["- one"] * 20, "- and 71 more"])).endswith("- one\n- and 71 more")
    assert summarize_text("\n".join(["- one"] * 20)) == "\n".join(["- one"] * 20)


def test_data_without_long_lists_is_unchanged() -> None:
    data = {"items": [1] * 20, "change": None}
    assert summarize_data(data) is data


def test_times_have_the_offset_of_the_accounts_zone() -> None:
    said = "Made 2027-06-11T22:00:00Z, in winter 2027-01-01T12:00:00+00:00."
    assert localize_text(said, BERLIN) == "Made 2027-06-12T00:00:00+02:00, in winter 2027-01-01T13:00:00+01:00."
    assert localize_text(said, ZoneInfo("UTC")) == said
    assert localize_text("2027-06-11T22:00Z: new", BERLIN) == "2027-06-12T00:00:00+02:00: new"
    written = '{"at":"2027-06-11T22:00:00Z","note":"from 2027-06-11T22:00:00Z on","day":"2027-06-11"}'
    told = '{"at":"2027-06-12T00:00:00+02:00","note":"from 2027-06-11T22:00:00Z on","day":"2027-06-11"}'
    assert localize_json(written, BERLIN) == told
    for odd in ("2027-13-45T99:00:00Z", "0001-01-01T00:00:00Z"):
        assert localize_text(odd, ZoneInfo("America/New_York")) == odd


def test_a_result_with_times_names_the_zone(chart: tuple[Api, str]) -> None:
    api, id = chart
    text, data = sent(api, "svc_seat_edit", event_id=id, find_from="2027-06-12")
    assert "2027-06-12T00:00:00+02:00" in text and text.endswith("Times are in Europe/Berlin.")
    assert data["chart"]["find_from"] == "2027-06-12T00:00:00+02:00"  # type: ignore[index]


def test_a_dry_run_of_an_irreversible_write_names_no_change(shop: Account) -> None:
    api = make_api(shop)
    ticket = api.run("svc_support_open", subject="Printing", message="How?")["id"]
    arguments = {"ticket_id": ticket, "close": True, "dry_run": True}
    _, body = api.post("call", {"name": "svc_support_reply", "arguments": arguments})
    assert "The real change can’t be undone." in body["text"]
    assert "chg_" not in body["text"] and "This can’t be undone" not in body["text"]
