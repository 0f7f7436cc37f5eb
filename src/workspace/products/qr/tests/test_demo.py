"""The demo data of QR codes."""

from __future__ import annotations

import pytest
from django.test import Client

from workspace.products.qr.hooks.demo import SAMPLES, fill_account
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db


def test_demo_data_fills_an_account(api: Api, browser: Client) -> None:
    fill_account(api.account)
    result = api.run("svc_qr_list")["items"]
    assert [row["name"] for row in result] == [sample.name for sample in SAMPLES]
    assert {row["state"] for row in result} == {"live", "paused", "static"}
    assert len({row["folder"] for row in result}) >= 3
    stats = api.run("svc_qr_stats", id=result[0]["id"])
    assert stats["total"] > 500 and stats["bots"] and sum(bool(day["views"]) for day in stats["by_day"]) >= 28
    assert len(stats["by_city"]) > 5 and stats["unique_per_day"] < stats["total_in_days"]
    assert browser.get(f"/app/qr/{result[0]['id']}/results").status_code == 200
    for row in result:
        # the addresses are random, and one in a few hundred fails with one of the two readers
        report = api.run("svc_qr_get", id=row["id"], check=True)["scans_well"]
        assert report["verdict"] == "good" and all(
            test["passed"] for test in report["tests"] if test["reader"] == "zxing"
        )
