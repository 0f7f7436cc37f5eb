"""Creating codes from a list, after a preview."""

from __future__ import annotations

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from workspace.delivery.jobs.worker import JobWorker
from workspace.products.qr.dashboard.bulk_views import SAMPLE_CSV
from workspace.testing.api import Api, make_account

pytestmark = pytest.mark.django_db


def post(browser: Client, text: str = "", step: str = "look", **more: object):
    return browser.post("/app/qr/bulk", {"csv": text, "step": step, **more})


def test_the_preview_creates_nothing(browser: Client, api: Api) -> None:
    page = post(browser, SAMPLE_CSV).content.decode()
    assert "3 rows" in page and "No problems found" in page and "Create 3 QR codes" in page
    assert api.run("svc_qr_list")["total"] == 0


def test_codes_are_created_once_after_the_preview(browser: Client, api: Api) -> None:
    [token] = re.findall(r'name="_once" value="([^"]+)"', post(browser, SAMPLE_CSV).content.decode())
    for _ in range(2):
        assert post(browser, SAMPLE_CSV, "save", _once=token)["Location"] == "/app/qr"
    result = api.run("svc_qr_list")
    assert {(row["name"], row["folder"]) for row in result["items"]} == {
        ("Table 1", "Tables"), ("Table 2", "Tables"), ("Summer flyer", "Flyers"),
    }  # fmt: skip
    assert result["total"] == 3 and "summer-flyer" in {row["slug"] for row in result["items"]}


def test_errors_are_shown_at_their_line(browser: Client, api: Api) -> None:
    text = "Good,example.com\nBad,javascript:x\n,example.org\n"
    for step in ("look", "save"):
        response = post(browser, text, step)
        page = response.content.decode()
        assert response.status_code == 422 and "2 cells to correct" in page and "Create 3 QR codes" not in page
        assert "Only http and https URLs are supported" in page and "Required" in page
    assert api.run("svc_qr_list")["total"] == 0


def test_a_taken_slug_is_shown_at_its_line(browser: Client, code: dict) -> None:
    for step in ("look", "save"):
        response = post(browser, f"name,target,code\nA,example.com,fine\nB,example.com,{code['slug']}", step)
        page = response.content.decode()
        assert response.status_code == 422 and "1 cell to correct" in page and "already in use" in page


def test_a_repeated_slug_is_shown_with_both_lines_before_anything_is_created(browser: Client, api: Api) -> None:
    text = "name,target,printed address\nA,example.com,same\n\nB,example.org,other\nC,example.net,SAME\n"
    for step in ("look", "save"):
        page = post(browser, text, step).content.decode()
        assert "“same” is used on lines 2 and 5" in page and "Create 3 QR codes" not in page
    assert api.run("svc_qr_list")["total"] == 0


def test_a_comma_in_a_link_never_splits_it(browser: Client, api: Api) -> None:
    for text, line in (
        ("CommaTest,https://example.com/?items=a,b,c", 1),
        ("name,target\nCommaTest,https://example.com/?items=a,b,c", 2),
    ):
        for step in ("look", "save"):
            response = post(browser, text, step)
            page = response.content.decode()
            assert response.status_code == 422 and f"Line {line} has 4 cells" in page
            assert "No problems found" not in page
    assert api.run("svc_qr_list")["total"] == 0
    post(browser, 'name,target\nCommaTest,"https://example.com/?items=a,b,c"', "save")
    assert api.run("svc_qr_list")["items"][0]["target_url"] == "https://example.com/?items=a,b,c"


def test_an_unknown_column_is_named(browser: Client, api: Api) -> None:
    text = "name,target,color\nA,example.com,red"
    page = post(browser, text, "save").content.decode()
    assert "Choose a field or “Don’t import” for these columns: “color”." in page and "Custom link" in page
    assert api.run("svc_qr_list")["total"] == 0
    looked = api.run("svc_qr_save", csv=text, dry_run=True)
    assert looked["warnings"] == ["Column “color” is not saved: 1 cell, such as “red”"] and looked["created"] == 1
    shown = {"columns-shown": "1", "column-2": "folder"}
    assert post(browser, text, "save", **shown)["Location"] == "/app/qr"
    assert api.run("svc_qr_list")["items"][0]["folder"] == "red"


def test_an_invalid_cell_is_named_by_its_line_and_field(api: Api) -> None:
    text = "Nombre;Enlace de destino\nGood;example.com\n\nBad;javascript:x\n;example.org\n"
    issues = api.refuse("svc_qr_save", csv=text)["issues"]
    assert [issue["path"] for issue in issues] == ["csv.4.target_url", "csv.5.name"]
    assert api.run("svc_qr_list")["total"] == 0


@pytest.mark.parametrize(
    "text",
    [
        "sep=;\nname;target;folder\nMenu;example.com/menu;Tables",
        "name;target;folder\nMenu;example.com/menu;Tables",
        "Name\tURL\tFolder\r\nMenu\texample.com/menu\tTables\r\n",
        "folder,link,label\nTables,example.com/menu,Menu",
        '\ufeffname,target,folder\n"Menu","example.com/menu","Tables"\n\n,,\n',
    ],
)
def test_lists_from_every_spreadsheet_are_parsed(text: str, browser: Client, api: Api) -> None:
    post(browser, text, "save")
    [row] = api.run("svc_qr_list")["items"]
    assert (row["name"], row["target_url"], row["folder"]) == ("Menu", "https://example.com/menu", "Tables")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le"])
def test_files_in_all_usual_encodings_are_read(encoding: str, browser: Client, api: Api) -> None:
    file = SimpleUploadedFile("codes.csv", "name,target\nCafé Käse,example.com\n".encode(encoding))
    page = post(browser, file=file).content.decode()
    assert "Café Käse" in page and "1 row" in page and "Create 1 QR code" in page


@pytest.mark.parametrize(
    "text", ["", "  \n ,, \n", "\x00", "name,target", '"' + "x" * 200_000, "x" * 1_000_001, "a\n" * 1001]
)
def test_an_invalid_list_shows_an_error(text: str, browser: Client, api: Api) -> None:
    response = post(browser, text, "save")
    assert response.status_code == 422 and api.run("svc_qr_list")["total"] == 0
    assert "form-errors" in response.content.decode() or "field-error" in response.content.decode()


def build_csv(count: int) -> str:
    return "name,target,folder\n" + "".join(f"Table {n},example.com/?table={n},Tables\n" for n in range(count))


def work_off() -> None:
    lane = JobWorker()
    while lane.run_once():
        pass


def test_a_thousand_lines_are_validated_at_once_and_created_by_a_job_with_progress(browser: Client, api: Api) -> None:
    page = post(browser, build_csv(1000)).content.decode()
    assert (
        "1,000 rows" in page
        and "No problems found" in page
        and "Create 1,000 QR codes" in page
        and "950 more rows without problems" in page
    )
    [token] = re.findall(r'name="_once" value="([^"]+)"', page)
    existing = {post(browser, build_csv(1000), "save", _once=token)["Location"] for _ in range(2)}
    assert len(existing) == 1, "a second click is the same job"
    [progress] = existing
    page = browser.get(progress).content.decode()
    assert progress.startswith("/app/jobs/") and "of 1,000 codes" in page and "Check again" in page
    assert api.run("svc_qr_list")["total"] == 0
    work_off()
    result = api.run("svc_qr_list", limit=200)
    assert result["total"] == 1000 and [row["name"] for row in result["items"][:2]] == ["Table 0", "Table 1"]
    assert "Done" in browser.get(progress).content.decode()


def test_one_invalid_line_of_a_thousand_is_shown_and_no_code_is_created(browser: Client, api: Api) -> None:
    wrong = build_csv(1000).replace("example.com/?table=998", "javascript:x")
    for step in ("look", "save"):
        response = post(browser, wrong, step)
        page = response.content.decode()
        assert (
            response.status_code == 422
            and "1,000 rows" in page
            and "1 cell to correct" in page
            and "javascript:x" in page
        )
    work_off()
    assert api.run("svc_qr_list")["total"] == 0


def test_a_slug_taken_since_the_preview_is_reported_by_the_job_and_the_others_are_created(
    browser: Client, api: Api, stranger: Api
) -> None:
    text = build_csv(210).replace("folder\n", "folder,slug\n").replace("Tables\n", "Tables,\n")
    text = text.replace("?table=7,Tables,", "?table=7,Tables,mine")
    progress = post(browser, text, "save")["Location"]
    stranger.run("svc_qr_save", items=[{"name": "A", "target_url": "a.example", "slug": "mine"}])
    work_off()
    page = browser.get(progress).content.decode()
    assert "1 failed" in page and "Table 7" in page and "already in use" in page
    assert api.run("svc_qr_list")["total"] == 209


def test_the_plans_remaining_codes_are_shown_before_the_creation(db: None) -> None:
    account, browser = make_account(qr="free"), Client()
    browser.force_login(account.owner)
    text = "\n".join(f"Table {n},example.com" for n in range(12))
    assert (
        "Your plan includes 10 QR codes. Only the first 10 in this list will be created."
        in post(browser, text).content.decode()
    )
    assert post(browser, text, "save").status_code == 303
    assert (
        "2 QR codes were skipped because you’ve reached your plan’s limit." in browser.get("/app/qr").content.decode()
    )
    assert account.codes.count() == 10


def test_exported_codes_can_be_imported_and_update_the_codes_that_they_name(browser: Client, api: Api) -> None:
    for number in (1, 2):
        api.run("svc_qr_create", name=f"=Table {number}", target_url=f"https://example.com/{number}", folder="Tables")
    wifi = {
        "name": "Guests",
        "static": {"kind": "wifi", "ssid": "Guests", "password": "knock-knock", "security": "WPA"},
    }
    api.run("svc_qr_save", items=[wifi])
    text = api.run("svc_qr_export", kind="codes")["content"]
    assert "3 QR codes in the list already exist and haven’t changed" in post(browser, text).content.decode()
    retargeted = text.replace("example.com/1", "example.org/1")
    page = post(browser, retargeted).content.decode()
    assert "1 QR code will be updated." in page
    post(browser, retargeted, "save")
    assert {row["target_url"] for row in api.run("svc_qr_list")["items"]} == {
        "",
        "https://example.org/1",
        "https://example.com/2",
    }
    other = Client()
    other.force_login(make_account(qr="pro").owner)
    page = post(other, text).content.decode()
    assert "Create 2 QR codes" in page and "This static QR code is skipped" in page
    assert post(other, text, "save")["Location"] == "/app/qr"
    again = [
        (row["name"], row["target_url"], row["folder"]) for row in api.run("svc_qr_list")["items"] if row["target_url"]
    ]
    page = other.get("/app/qr").content.decode()
    assert all(name in page for name, _, _ in again)
