"""A link page shows the next available time of a booking page, and a later one after it is taken."""

from __future__ import annotations

import pytest
from django.test import Client

from workspace.products.booking.tests.pages import tomorrow
from workspace.testing.api import Api

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def test_a_link_page_shows_the_next_available_time_until_it_is_taken(api: Api) -> None:
    day = tomorrow(days=2)
    weekday = [f"{day:%a}".lower()]
    page = api.run(
        "svc_booking_create", name="Ada", time_zone="UTC", services=[{"name": "Cut", "duration": 30}],
        hours=[{"days": weekday, "from": "09:00", "until": "17:00"}],
    )  # fmt: skip
    links = api.run("svc_links_create", title="Links")
    api.run("svc_links_save", page_id=links["id"], items=[{"kind": "live", "thing": page["id"]}])
    seen = [Client().get(f"/l/{links['slug']}").content.decode()]
    item = {"service_id": page["services"][0]["id"], "start": tomorrow("09:00", 2).isoformat(), "name": "Ben"}
    api.run("svc_booking_save_bookings", page_id=page["id"], items=[item])
    seen.append(Client().get(f"/l/{links['slug']}").content.decode())
    api.run("svc_booking_save_services", page_id=page["id"], remove=[page["services"][0]["id"]])
    seen.append(Client().get(f"/l/{links['slug']}").content.decode())
    assert ["09:00" in seen[0], "09:30" in seen[1], "Next available time" in seen[2]] == [True, True, False]
