"""The tool that lists apps: this one with its plan, and the others with their connections."""

from __future__ import annotations

import pytest
from pytest_django.fixtures import Settings

from workspace.accounts import plans
from workspace.lib import clock
from workspace.linked_apps.config import Application
from workspace.linked_apps.models import AppHealth
from workspace.testing.api import make_account, make_api

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("chosen", "plan"), [("free", "free"), ("pro", "paid")])
def test_this_app_is_listed_as_in_use_with_its_plan(chosen: str, plan: str) -> None:
    api = make_api(make_account(**dict.fromkeys(plans.PRODUCTS, plans.FREE) | {"menu": chosen}))
    status, answer = api.get("my/apps")
    [row] = answer["data"]["apps"]
    assert (status, row["name"], row["used"], row["plan"]) == (200, "workspace", True, plan)
    assert answer["text"].endswith(f"(workspace): connected, at {row['url']}; plan: {plan}")


def test_an_app_without_a_connection_is_listed_without_use_or_plan(settings: Settings) -> None:
    settings.FAMILY = (Application("till", "Till", "https://till.example", "https://till.example/mcp"),)
    api = make_api()
    _, answer = api.get("my/apps")
    row = answer["data"]["apps"][1]
    assert (row["name"], row["title"], row["url"]) == ("till", "Till", "https://till.example")
    assert (row["used"], row["plan"], row["state"], row["tools"]) == (False, None, "not_connected", 0)
    page = f"{settings.BASE_URL}/app/linked-apps/till"
    told = f"- Till (till): not connected, at https://till.example. Connect it at {page}."
    assert answer["text"].splitlines()[-1] == told
    AppHealth.objects.create(
        application="till", failures=3, down_since=clock.now(), last_error="it failed with status 500"
    )
    _, answer = api.get("my/apps")
    assert answer["data"]["apps"][1]["problem"] == "it failed with status 500"
    assert "Till has been unavailable since " in answer["text"].splitlines()[-1]
