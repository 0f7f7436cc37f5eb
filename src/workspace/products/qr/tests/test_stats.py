"""Statistics of scans."""

from __future__ import annotations

import csv
import io
from datetime import datetime, timedelta

import pytest

from workspace.analytics.ingest import IncomingVisit, write_visits
from workspace.lib import clock
from workspace.products.qr.models import SCAN_EVENT, Code
from workspace.products.qr.tests.guests import scan
from workspace.testing.api import Api, make_account, make_api
from workspace.testing.publications import ANDROID, WINDOWS, build_guest

pytestmark = pytest.mark.django_db
GOOGLE = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"


def visit(code: dict, at: datetime, name: str = "Ann", **facts: object) -> None:
    publication = Code.objects.get(pk=code["id"]).publication_id
    write_visits([IncomingVisit(publication, SCAN_EVENT, "", at, build_guest(name, **facts))])


def stats(api: Api, code: dict, **more: object) -> dict:
    return api.run("svc_qr_stats", id=code["id"], **more)


def test_repeated_scans_count_but_are_not_unique(api: Api, code: dict) -> None:
    scan(code)
    scan(code)
    scan(code, user_agent=ANDROID)
    result = stats(api, code)
    assert (result["total"], result["total_in_days"], result["unique_per_day"], result["last_7_days"]) == (3, 3, 2, 3)
    assert result["by_device"] == [{"name": "phone", "views": 3}]
    assert api.run("svc_qr_get", id=code["id"])["total_scans"] == 3


def test_bots_are_counted_separately(api: Api, code: dict) -> None:
    assert scan(code, user_agent=GOOGLE).status_code == 302
    assert scan(code, user_agent="WhatsApp/2.23").status_code == 302
    result = stats(api, code)
    assert (result["bots"], result["total"], result["by_device"]) == (2, 0, [])


def test_head_requests_are_answered_and_not_counted(api: Api, code: dict) -> None:
    response = scan(code, method="head")
    assert (response.status_code, response["Location"]) == (302, "https://example.com/menu")
    result = stats(api, code)
    assert (result["total"], result["bots"]) == (0, 0)


def test_pictures_and_the_inspect_page_are_not_counted_as_scans(api: Api, code: dict) -> None:
    for tail in ("+", ".svg", ".png"):
        assert scan(code["slug"] + tail).status_code == 200
    assert stats(api, code)["total"] == 0


def test_every_day_of_the_window_is_listed_in_the_accounts_time_zone(db: None) -> None:
    api = make_api(make_account(time_zone="Pacific/Auckland"))
    code = api.run("svc_qr_create", name="Menu", target_url="example.com")
    visit(code, clock.now())
    result = stats(api, code, days=3)
    today = clock.today("Pacific/Auckland")
    assert [day["date"] for day in result["by_day"]] == [(today - timedelta(days=n)).isoformat() for n in (2, 1, 0)]
    assert [day["views"] for day in result["by_day"]] == [0, 0, 1]
    assert result["time_zone"] == "Pacific/Auckland"


def test_the_plan_limits_the_window_and_no_data_is_lost(db: None) -> None:
    account = make_account(qr="free")
    api = make_api(account)
    code = api.run("svc_qr_create", name="Menu", target_url="example.com")
    visit(code, clock.now() - timedelta(days=60))
    visit(code, clock.now() - timedelta(days=2), city="Vienna")
    result = stats(api, code, days=365)
    assert (result["days"], result["total"], result["total_in_days"]) == (30, 2, 1)
    account.chosen_plans = {"qr": "pro"}
    account.save()
    assert stats(api, code, days=365)["total_in_days"] == 2


def test_shares_are_sorted_by_scans(api: Api, code: dict) -> None:
    now = clock.now()
    for number, city in enumerate(["Graz", "Vienna", "Vienna"]):
        visit(code, now, f"Guest {number}", city=city, referrer_host="instagram.com" if number else "")
    result = stats(api, code)
    assert result["by_city"] == [{"name": "Vienna", "views": 2}, {"name": "Graz", "views": 1}]
    assert result["by_country"] == [{"name": "Austria", "views": 3}]
    assert result["by_referrer"] == [{"name": "instagram.com", "views": 2}, {"name": "Direct", "views": 1}]


@pytest.mark.parametrize("days", [0, -1, "x", 1.5, True])
def test_the_window_is_a_whole_number_of_days(days: object, api: Api, code: dict) -> None:
    assert api.refuse("svc_qr_stats", id=code["id"], days=days)["issues"][0]["path"] == "days"


def test_the_export_has_a_row_per_scan_newest_first(api: Api, code: dict) -> None:
    now = clock.now()
    visit(code, now - timedelta(hours=2), "Ann", city="=cmd()", referrer_host="instagram.com")
    visit(code, now - timedelta(hours=1), "Bot", bot=True, device="other")
    scan(code, user_agent=WINDOWS)
    result = api.run("svc_qr_export", kind="scans", id=code["id"])
    lines = list(csv.DictReader(io.StringIO(result["content"])))
    assert (result["rows"], result["file_name"]) == (3, f"scans-{code['slug']}.csv")
    assert [(line["device"], line["bot"]) for line in lines] == [("desktop", "no"), ("other", "yes"), ("phone", "no")]
    assert lines[2]["city"] == "'=cmd()"  # a spreadsheet shows it as text and does not run it
    assert datetime.fromisoformat(lines[2]["time"]).utcoffset() is not None


def test_another_account_cannot_read_the_statistics(stranger: Api, code: dict) -> None:
    for tool, more in (("svc_qr_stats", {}), ("svc_qr_export", {"kind": "scans"}), ("svc_qr_get", {"check": True})):
        assert stranger.refuse(tool, id=code["id"], **more)["error"] == "not_found"
