"""Several codes in one step."""

from __future__ import annotations

import pytest

from workspace.accounts.models import Upload
from workspace.delivery.jobs.worker import JobWorker
from workspace.products.qr.tests.guests import scan
from workspace.products.qr.tests.images import logo
from workspace.testing.api import Api, make_account, make_api

pytestmark = pytest.mark.django_db


def build_items(count: int) -> list[dict]:
    return [{"name": f"Table {n}", "target_url": f"example.com/?table={n}", "folder": "Tables"} for n in range(count)]


def test_each_entry_becomes_a_separate_code(api: Api) -> None:
    made = api.run("svc_qr_save", items=build_items(12))
    assert (made["created"], made["did_not_fit"]) == (12, 0)
    assert {row["name"] for row in made["items"]} == {f"Table {n}" for n in range(12)}
    assert len({row["slug"] for row in made["items"]}) == 12


def test_one_invalid_entry_refuses_the_whole_list_with_its_path(api: Api) -> None:
    wrong = build_items(3)
    wrong[1]["target_url"] = "javascript:x"
    del wrong[2]["name"]
    body = api.refuse("svc_qr_save", items=wrong)
    assert [(issue["path"], issue["message"]) for issue in body["issues"]] == [
        ("items.1.target_url", "Only http and https URLs are supported"),
        ("items.2.name", "Required"),
    ]
    assert not api.account.codes.exists()


def test_a_malformed_slug_is_reported_together_with_all_other_errors(api: Api) -> None:
    wrong = build_items(3)
    wrong[0]["target_url"] = "javascript:x"
    wrong[2]["slug"] = "a--b"
    body = api.refuse("svc_qr_save", items=wrong)
    assert [issue["path"] for issue in body["issues"]] == ["items.0.target_url", "items.2.slug"]


def test_a_slug_that_is_taken_or_repeated_is_reported_at_its_path(api: Api, stranger: Api) -> None:
    stranger.run("svc_qr_save", items=[build_items(1)[0] | {"slug": "taken"}])
    requested = [
        row | {"slug": slug} for row, slug in zip(build_items(4), ["Taken", "mine", "MINE", "fine"], strict=True)
    ]
    body = api.refuse("svc_qr_save", items=requested)
    assert [issue["path"] for issue in body["issues"]] == ["items.0.slug", "items.2.slug"]
    assert not api.account.codes.exists()


def test_codes_beyond_the_plans_limit_are_reported(db: None) -> None:
    api = make_api(make_account(qr="free"))
    made = api.run("svc_qr_save", items=build_items(13))
    assert (made["created"], made["did_not_fit"]) == (10, 3)
    assert {row["name"] for row in made["items"]} == {f"Table {n}" for n in range(10)}
    assert api.refuse("svc_qr_save", items=build_items(1))["error"] == "tool_error"


@pytest.mark.parametrize(
    "items", [[], build_items(1001), "x", {}, [1], [{}], [{"name": "a", "target_url": "a.de", "color": "1"}]]
)
def test_an_invalid_list_is_refused(items: object, api: Api) -> None:
    body = api.refuse("svc_qr_save", items=items)
    assert body["error"] == "invalid_input" and body["issues"][0]["path"].startswith("items")


def test_up_to_a_thousand_codes_can_be_created_by_a_job(api: Api) -> None:
    started = api.run("svc_qr_save", items=build_items(201))
    assert (started["created"], started["items"]) == (0, [])
    assert api.run("svc_jobs_get", job_id=started["job_id"])["total"] == 201
    assert api.refuse("svc_qr_save", items=build_items(1001))["error"] == "invalid_input"


def test_a_dry_run_of_a_long_list_starts_no_job(api: Api) -> None:
    api.run("svc_qr_save", items=build_items(201), dry_run=True)
    assert not api.account.jobs.exists()


def test_two_hundred_codes_are_created_in_one_step(api: Api) -> None:
    assert api.run("svc_qr_save", items=build_items(200))["created"] == 200


def test_one_list_creates_changes_and_deletes_codes(api: Api, code: dict) -> None:
    other = api.run("svc_qr_create", name="Other", target_url="example.org")
    items = [{"id": code["id"], "target_url": "example.com/new"}, {"name": "New", "target_url": "example.net"}]
    saved = api.run("svc_qr_save", items=items, remove=[other["id"]])
    assert (saved["created"], saved["changed"], saved["removed"]) == (1, 1, 1)
    assert [row["name"] for row in saved["items"]] == ["Menu", "New"]
    assert {row["target_url"] for row in api.run("svc_qr_list")["items"]} == {
        "https://example.com/new",
        "https://example.net",
    }


def test_a_style_with_its_logo_can_be_copied_from_another_code(api: Api, code: dict) -> None:
    upload = api.run("svc_upload_file", content=logo())["upload_id"]
    api.run("svc_qr_edit", id=code["id"], preset="ocean", logo_id=upload)
    items = [
        {**build_items(1)[0], "copy_of": code["slug"]},
        {**build_items(1)[0], "copy_of": code["id"], "preset": "soft"},
        {**build_items(1)[0], "copy_of": code["id"], "logo_id": ""},
        {**build_items(1)[0], "preset": "forest"},
    ]
    saved = api.run("svc_qr_save", items=items)
    assert [row["scans_well"] for row in saved["items"]] == ["good"] * 4
    looks = [api.run("svc_qr_get", id=row["id"]) for row in saved["items"]]
    assert [(look["style"]["modules"], look["logo_id"]) for look in looks] == [
        ("dots", upload),
        ("soft", upload),
        ("dots", None),
        ("classy", None),
    ]
    assert Upload.objects.get(pk=upload).use_count == 3


def test_too_many_distinct_styles_are_refused(api: Api) -> None:
    made = api.run("svc_qr_save", items=build_items(11))["items"]
    for number, row in enumerate(made):
        api.run("svc_qr_edit", id=row["id"], style={"foreground": f"#0000{number:02}"})
    body = api.refuse("svc_qr_save", items=[{**build_items(1)[0], "copy_of": row["id"]} for row in made])
    assert [issue["path"] for issue in body["issues"]] == ["items.10"]
    assert api.run("svc_qr_list")["total"] == 11


@pytest.mark.parametrize(
    ("entry", "path"),
    [
        ({"preset": "neon"}, "items.1.preset"),
        ({"logo_id": "upl_nothing"}, "items.1.logo_id"),
        ({"name": ""}, "items.1.name"),
        ({"style": {}}, "items.1.style"),
    ],
)
def test_an_error_in_an_entry_is_reported_at_its_path(entry: dict, path: str, api: Api) -> None:
    body = api.refuse("svc_qr_save", items=[build_items(1)[0], {**build_items(1)[0], **entry}])
    assert [issue["path"] for issue in body["issues"]] == [path]
    assert not api.account.codes.exists()


def test_a_code_named_twice_is_refused(api: Api, code: dict) -> None:
    twice = {"id": code["id"], "name": "A"}
    for items, remove in (([twice, twice], None), ([build_items(1)[0], twice], [code["id"]])):
        body = api.refuse("svc_qr_save", items=items, remove=remove)
        assert [issue["path"] for issue in body["issues"]] == ["items.1.id"]


def test_a_list_too_long_for_one_step_can_only_create_codes(api: Api, code: dict) -> None:
    long = build_items(200)
    assert api.refuse("svc_qr_save", items=[*long, {"id": code["id"], "name": "A"}])["error"] == "invalid_input"
    assert api.refuse("svc_qr_save", items=[*long, *build_items(1)], remove=[code["id"]])["error"] == "invalid_input"
    assert api.refuse("svc_qr_save")["issues"][0]["path"] == "items"


def test_a_code_with_a_new_slug_is_still_found_at_its_earlier_one(api: Api, code: dict) -> None:
    [moved] = api.run("svc_qr_save", items=[{"id": code["id"], "slug": "summer"}])["items"]
    assert moved["slug"] == "summer"
    assert scan(code["slug"]).status_code == scan("summer").status_code == 302
    again = api.run("svc_qr_save", items=[{"id": code["id"], "slug": code["slug"]}])
    assert again["items"][0]["slug"] == code["slug"], "one of its own is not taken"


def test_undoing_the_start_of_a_job_removes_the_codes_created_so_far(api: Api) -> None:
    change = api.run("svc_qr_save", items=build_items(201))["change"]["id"]
    lane = JobWorker()
    assert lane.run_once()
    some = api.run("svc_qr_list")["total"]
    assert 0 < some < 201
    api.run("svc_undo", change_id=change)
    assert api.run("svc_qr_list")["total"] == 0
    while lane.run_once():
        pass
    assert api.run("svc_qr_list")["total"] == 0, "it goes on no more"
