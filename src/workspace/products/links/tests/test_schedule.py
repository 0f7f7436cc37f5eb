"""Scheduled buttons: the cached page changes at the start and end of a schedule."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine

from workspace.products.links.tests.pages import save
from workspace.testing.api import make_account, make_api
from workspace.testing.links_guest import fetch_html, public_path, visit

pytestmark = pytest.mark.django_db
NINE = datetime(2027, 3, 1, 9, 0, tzinfo=UTC)


def scheduled(**times: str) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    api = make_api(make_account(time_zone="Europe/Vienna"))
    page = api.run("svc_links_create", title="Links")
    link = api.run("svc_links_add", page_id=page["id"], title="Brunch", url="example.com")
    changed = save(api, page["id"], id=link["id"], **times)
    return api, page, changed


def test_a_scheduled_button_appears_and_disappears_without_any_change() -> None:
    with time_machine.travel(NINE, tick=False) as clock:
        _api, page, link = scheduled(shows_from="2027-03-01T11:00", shows_until="2027-03-01T15:00")
        assert (link["shows_from"], link["shows_until"]) == ("2027-03-01T10:00:00Z", "2027-03-01T14:00:00Z")
        seen = []
        for hour, minute in ((9, 0), (9, 59), (10, 0), (13, 59), (14, 0)):
            clock.move_to(NINE.replace(hour=hour, minute=minute))
            seen.append("Brunch" in fetch_html(public_path(page)))
        assert seen == [False, False, True, True, False]


def test_the_etag_of_a_cached_page_changes_with_the_schedule() -> None:
    with time_machine.travel(NINE, tick=False) as clock:
        _api, page, _link = scheduled(shows_from="2027-03-01T10:00:00Z")
        first = visit(public_path(page))
        assert visit(public_path(page), **{"if-none-match": first["ETag"]}).status_code == 304
        clock.move_to(NINE.replace(hour=10))
        again = visit(public_path(page), **{"if-none-match": first["ETag"]})
        assert (again.status_code, b"Brunch" in again.content) == (200, True)


def test_a_button_outside_its_schedule_does_not_redirect() -> None:
    with time_machine.travel(NINE, tick=False):
        _api, page, link = scheduled(shows_until="2027-03-01T09:00:00Z")
        response = visit(f"{public_path(page)}/{link['id']}")
        assert (response.status_code, "available right now" in response.content.decode()) == (404, True)


def test_an_empty_text_removes_a_limit_of_the_schedule() -> None:
    with time_machine.travel(NINE, tick=False):
        api, page, link = scheduled(shows_from="2027-03-02T10:00", shows_until="2027-03-03T10:00")
        changed = save(api, page["id"], id=link["id"], shows_from="")
        assert (changed.get("shows_from"), changed["shows_until"]) == (None, "2027-03-03T09:00:00Z")
        assert changed["shows_now"] is True


@pytest.mark.parametrize(
    ("times", "path"),
    [
        ({"shows_from": "2027-03-02T10:00", "shows_until": "2027-03-02T10:00"}, "shows_until"),
        ({"shows_from": "2027-03-02T10:00", "shows_until": "2027-03-01T10:00"}, "shows_until"),
        ({"shows_from": "tomorrow"}, "shows_from"),
        ({"shows_until": "9999-01-01"}, "shows_until"),
        ({"shows_until": 5}, "shows_until"),
    ],
)
def test_an_invalid_schedule_is_refused(times: dict[str, Any], path: str) -> None:
    api = make_api()
    page = api.run("svc_links_create", title="Links")
    link = api.run("svc_links_add", page_id=page["id"], url="example.com")
    body = api.refuse("svc_links_save", page_id=page["id"], items=[{"id": link["id"], **times}])
    assert [issue["path"] for issue in body["issues"]] == [f"items.0.{path}"]
