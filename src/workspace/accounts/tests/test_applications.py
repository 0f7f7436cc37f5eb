"""The applications of the account's family: this one with the plan, the others by their names and addresses."""

from __future__ import annotations

import json

import pytest
from pytest_django.fixtures import Settings

from workspace.accounts import plans
from workspace.testing import make_account, make_api

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("chosen", "plan"), [("free", "free"), ("pro", "paid")])
def test_this_one_is_in_use_and_tells_whether_anything_is_paid_for(chosen: str, plan: str) -> None:
    api = make_api(make_account(**dict.fromkeys(plans.PRODUCTS, plans.FREE) | {"menu": chosen}))
    status, answer = api.get("my/apps")
    [row] = answer["data"]["apps"]
    assert (status, row["name"], row["used"], row["plan"]) == (200, "workspace", True, plan)
    assert answer["text"].endswith(f"(workspace): in use, at {row['url']}; plan: {plan}")


def test_of_the_others_neither_use_nor_plan_is_claimed(settings: Settings) -> None:
    other = {"name": "bookings", "title": "Bookings", "url": "https://bookings.example"}
    settings.FAMILY = json.dumps([{**other, "mcp_url": "https://bookings.example/mcp"}])
    _, answer = make_api().get("my/apps")
    assert answer["data"]["apps"][1] == {**other, "used": False, "plan": None}
    assert answer["text"].splitlines()[-1] == "- Bookings (bookings): not used yet, at https://bookings.example"
