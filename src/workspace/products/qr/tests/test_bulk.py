"""Many codes in one step."""

from __future__ import annotations

import pytest

from workspace.testing import Api, make_account, make_api

pytestmark = pytest.mark.django_db


def rows(count: int) -> list[dict]:
    return [{"name": f"Table {n}", "target_url": f"example.com/?table={n}", "folder": "Tables"} for n in range(count)]


def test_every_entry_becomes_a_code_of_its_own(api: Api) -> None:
    made = api.run("svc_qr_bulk_create", codes=rows(12))
    assert (made["created"], made["did_not_fit"]) == (12, 0)
    assert {row["name"] for row in made["items"]} == {f"Table {n}" for n in range(12)}
    assert len({row["slug"] for row in made["items"]}) == 12


def test_one_wrong_entry_refuses_them_all_at_its_place(api: Api) -> None:
    wrong = rows(3)
    wrong[1]["target_url"] = "javascript:x"
    del wrong[2]["name"]
    body = api.refuse("svc_qr_bulk_create", codes=wrong)
    assert [(issue["path"], issue["message"]) for issue in body["issues"]] == [
        ("codes.1.target_url", "Only http and https addresses can be used"),
        ("codes.2.name", "Required"),
    ]
    assert not api.account.codes.exists()


def test_a_malformed_address_is_named_with_everything_else_that_is_wrong(api: Api) -> None:
    wrong = rows(3)
    wrong[0]["target_url"] = "javascript:x"
    wrong[2]["slug"] = "a--b"
    body = api.refuse("svc_qr_bulk_create", codes=wrong)
    assert [issue["path"] for issue in body["issues"]] == ["codes.0.target_url", "codes.2.slug"]


def test_an_address_that_is_taken_or_given_twice_is_named_at_its_place(api: Api, stranger: Api) -> None:
    stranger.run("svc_qr_bulk_create", codes=[rows(1)[0] | {"slug": "taken"}])
    wanted = [row | {"slug": slug} for row, slug in zip(rows(4), ["Taken", "mine", "MINE", "fine"], strict=True)]
    body = api.refuse("svc_qr_bulk_create", codes=wanted)
    assert [issue["path"] for issue in body["issues"]] == ["codes.0.slug", "codes.2.slug"]
    assert not api.account.codes.exists()


def test_what_does_not_fit_into_the_plan_is_reported(db: None) -> None:
    api = make_api(make_account(qr="free"))
    made = api.run("svc_qr_bulk_create", codes=rows(13))
    assert (made["created"], made["did_not_fit"]) == (10, 3)
    assert {row["name"] for row in made["items"]} == {f"Table {n}" for n in range(10)}
    assert api.refuse("svc_qr_bulk_create", codes=rows(1))["error"] == "tool_error"


@pytest.mark.parametrize("codes", [[], rows(501), "x", {}, [1], [{}], [{"name": "a", "target_url": "a.de", "id": "1"}]])
def test_a_list_that_is_none_is_refused(codes: object, api: Api) -> None:
    body = api.refuse("svc_qr_bulk_create", codes=codes)
    assert body["error"] == "invalid_input" and body["issues"][0]["path"].startswith("codes")


def test_a_thousand_are_a_job_and_no_more_than_that(api: Api) -> None:
    assert "background" in api.refuse("svc_qr_bulk_create", codes=rows(501))["message"]
    begun = api.run("svc_qr_bulk_create", codes=rows(501), background=True)
    assert (begun["created"], begun["items"]) == (0, [])
    assert api.run("svc_jobs_get", job_id=begun["job_id"])["total"] == 501
    assert api.refuse("svc_qr_bulk_create", codes=rows(1001), background=True)["error"] == "invalid_input"


def test_trying_a_list_in_the_background_begins_nothing(api: Api) -> None:
    api.run("svc_qr_bulk_create", codes=rows(3), background=True, dry_run=True)
    assert not api.account.jobs.exists()


def test_five_hundred_are_one_step(api: Api) -> None:
    assert api.run("svc_qr_bulk_create", codes=rows(500))["created"] == 500
