"""The number of changes that an AI assistant gets in one answer."""

from __future__ import annotations

from typing import Any

import pytest

from workspace.accounts.activity_tools import list_changes
from workspace.accounts.dispatch import Caller, execute_tool
from workspace.accounts.models import Account
from workspace.interfaces.mcp import tool_results
from workspace.interfaces.mcp.raw_json import RawJson
from workspace.lib import strict_json
from workspace.testing.api import Api, make_account, make_api


@pytest.fixture
def shop(db: None) -> Account:
    return make_account(time_zone="Europe/Vienna")


@pytest.fixture
def wedding(shop: Account) -> Api:
    """Return an account in which dozens of guests were added, changed and removed."""
    api = make_api(shop)
    id = api.run("svc_seat_create", title="Wedding")["chart"]["id"]
    for number in range(12):
        items = [{"name": f"Guest {number}-{one}", "notes": "Sits near the band"} for one in range(15)]
        ids = [one["id"] for one in api.run("svc_seat_save_guests", event_id=id, items=items)["items"]]
        changed = [{"id": one, "notes": "Sits near the door"} for one in ids]
        api.run("svc_seat_save_guests", event_id=id, items=changed)
        api.run("svc_seat_save_guests", event_id=id, remove=ids)
    return api


def sent(account: Account, **arguments: Any) -> tuple[str, dict[str, Any]]:
    """Return the text and the data that an AI assistant gets."""
    own = RawJson()
    answer = execute_tool(list_changes, Caller(account), arguments)
    result = tool_results.success_result(answer, own, zone=account.zone, is_write=False)
    data = strict_json.parse(own.content)
    assert isinstance(data, dict)
    return result.content[0].text, data  # type: ignore[union-attr]


def test_a_page_of_many_large_changes_is_short_and_the_next_page_follows_it(wedding: Api, shop: Account) -> None:
    whole = wedding.run("svc_activity")
    assert whole["count"] == whole["total"] == 37 and len(strict_json.dumps(whole)) > 60_000
    text, data = sent(shop)
    assert len(text) + len(strict_json.dumps(data)) < 20_000
    assert (data["count"], data["total"], data["has_more"]) == (20, 37, True)
    assert "use offset=20" in text
    following = sent(shop, offset=20)[1]
    assert [one["id"] for one in data["items"] + following["items"]] == [one["id"] for one in whole["items"]]
    assert following["has_more"] is False


def test_a_shortened_change_reports_how_many_former_values_are_left_out(wedding: Api, shop: Account) -> None:
    whole = {one["id"]: one for one in wedding.run("svc_activity")["items"]}
    text, data = sent(shop)
    for one in data["items"]:
        former = whole[one["id"]]["before"]
        assert one["before"].items() <= former.items()
        assert len(one["before"]) + one["left_out"]["before"] == len(former) >= 15
    assert text.count("left out") == 20
    assert all("left_out" not in one for one in whole.values())


def test_a_single_change_is_sent_in_full(wedding: Api, shop: Account) -> None:
    expected = wedding.run("svc_activity", limit=1, offset=1)["items"][0]["before"]
    [one] = sent(shop, limit=1, offset=1)[1]["items"]
    assert one["before"] == expected and "left_out" not in one


def test_a_file_of_many_changes_is_linked_in_a_short_answer(wedding: Api, shop: Account) -> None:
    text, data = sent(shop, format="csv")
    assert data["url"] in text and "37 changes as a file" in text
    assert data["count"] == 20 and len(strict_json.dumps(data)) < 20_000
