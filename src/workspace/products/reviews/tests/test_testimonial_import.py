from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from workspace.accounts.models import Account
from workspace.products.reviews import models
from workspace.testing.api import Api
from workspace.testing.reviews_guest import open_page, read_page, send

pytestmark = pytest.mark.django_db
FILE = """Reviewer;Comment;Stars;Date;Tags;Platform
Ida;"Good; really
good";5;2024-03-05;Cake,coffee;Google
Otto;Fine;;;;
"""


def add(api: Api, page: models.ReviewPage, **item: object) -> Any:
    """Save a testimonial and return its data."""
    [saved] = api.run("svc_reviews_save_items", page_id=page.pk, items=[item])["items"]
    return saved


def test_an_added_testimonial_is_pending_and_shown_with_its_source_and_date(account: Account, api: Api) -> None:
    page = open_page(account)
    added = add(api, page, name="Eva", text="Superb", written_on="2023-05-06", consented=True)
    assert (added["status"], added["source"], added["consented"]) == ("pending", "manual", True)
    api.run("svc_reviews_approve", page_id=page.pk, item_id=added["id"])
    assert "6 May 2023 · Added by Corner Café" in read_page(f"/r/{page.slug}/wall").text


def test_an_addition_without_consent_is_private_until_the_owner_confirms_consent(account: Account, api: Api) -> None:
    page = open_page(account)
    added = add(api, page, name="Eva", text="Superb")
    refused = api.refuse("svc_reviews_approve", page_id=page.pk, item_id=added["id"])
    assert (refused["error"], "consented=true" in refused["message"]) == ("tool_error", True)
    saved = add(api, page, id=added["id"], consented=True, action="approve")
    assert (saved["consented"], saved["status"]) == (True, "approved")


def test_imported_testimonials_get_consent_and_approval_in_one_step(account: Account, api: Api) -> None:
    page = open_page(account)
    added = api.run("svc_reviews_save_items", page_id=page.pk, csv=FILE, consented=False)["added"]
    items = [{"id": id, "action": "approve"} for id in added]
    left = api.run("svc_reviews_save_items", page_id=page.pk, items=items)
    assert (left["items"], [item["id"] for item in left["skipped"]]) == ([], added)
    done = api.run("svc_reviews_save_items", page_id=page.pk, items=items, consented=True)
    assert [item["status"] for item in done["items"]] == ["approved"] * 2


def test_a_file_requires_a_statement_about_consent(account: Account, api: Api) -> None:
    page = open_page(account)
    body = api.refuse("svc_reviews_save_items", page_id=page.pk, csv=FILE)
    assert [issue["path"] for issue in body["issues"]] == ["consented"]
    added = {"name": "Eva", "text": "Superb", "action": "approve"}
    body = api.refuse("svc_reviews_save_items", page_id=page.pk, items=[added])
    assert [issue["path"] for issue in body["issues"]] == ["items.0.consented"]
    assert not models.Testimonial.objects.exists()


def test_an_added_testimonial_can_be_corrected_and_is_found_by_its_new_text(account: Account, api: Api) -> None:
    page = open_page(account)
    added = add(api, page, name="Eva", text="Superb", rating=4, excerpt="Superb")
    result = add(api, page, id=added["id"], text="Superb café", rating=5, name="Eva Stern")
    assert (result["text"], result["rating"], result["name"], result["excerpt"]) == (
        "Superb café",
        5,
        "Eva Stern",
        "Superb",
    )
    assert api.run("svc_reviews_search", q="CAFE")["total"] == 1
    body = api.refuse("svc_reviews_save_items", page_id=page.pk, items=[{"id": added["id"], "text": "Fine"}])
    assert [issue["path"] for issue in body["issues"]] == ["items.0.excerpt"]


def test_a_file_is_imported_as_testimonials_with_their_source(account: Account, api: Api) -> None:
    page = open_page(account)
    done = api.run("svc_reviews_save_items", page_id=page.pk, csv=FILE, consented=True, source_name="Old site")
    assert (len(done["added"]), done["skipped"]) == (2, [])
    otto, ida = api.run("svc_reviews_list", page_id=page.pk)["items"]
    if otto["name"] != "Otto":
        otto, ida = ida, otto
    assert (ida["text"], ida["rating"], ida["tags"]) == ("Good; really\ngood", 5, ["cake", "coffee"])
    assert (ida["source"], ida["source_name"], ida["written_at"][:10]) == ("import", "Google", "2024-03-05")
    assert (otto["rating"], otto["source_name"], otto["status"], otto["consented"]) == (
        None,
        "Old site",
        "pending",
        True,
    )


def test_a_file_can_be_previewed_and_imported_twice(account: Account, api: Api) -> None:
    page = open_page(account)
    fields = {"page_id": page.pk, "consented": True}
    looked = api.run("svc_reviews_save_items", **fields, csv=FILE, dry_run=True)
    assert (len(looked["added"]), looked["dry_run"], models.Testimonial.objects.count()) == (2, True, 0)
    api.run("svc_reviews_save_items", **fields, csv=FILE)
    again = api.run("svc_reviews_save_items", **fields, csv=FILE + "Eva;New;5;;;\nEva;New;5;;;\n")
    assert (len(again["added"]), len(again["skipped"]), models.Testimonial.objects.count()) == (1, 3, 3)


@pytest.mark.parametrize("written", ["2024-03-05", "2024-03-05T23:30:00Z", "2024-03-05 08:00"])
def test_only_the_date_of_a_time_in_a_file_is_used(written: str, account: Account, api: Api) -> None:
    page = open_page(account)
    api.run("svc_reviews_save_items", page_id=page.pk, csv=f"Ida,Good,5,{written}", consented=True)
    [result] = api.run("svc_reviews_list", page_id=page.pk)["items"]
    assert result["written_at"][:10] == "2024-03-05"


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("Ida,,5", "csv.1.text"),
        (",Good,5", "csv.1.name"),
        ("Ida,Good,6", "csv.1.rating"),
        ("Ida,Good,five", "csv.1.rating"),
        ("Ida,Good,5,yesterday", "csv.1.written_on"),
        ("Ida,Good,5,2999-01-01", "csv.1.written_on"),
        ("Ida,Good,5,,nobody", "csv.1.email"),
        ("Ida,Good,5,,,,a|b", "csv.1.tags"),
        ("name,text,rating\nIda,Good,6", "csv.2.rating"),
        ("name,text\nIda,Good, even better", "csv.2"),
        ("Ida,Good,5,,,,a,Google,more", "csv.1"),
        ("name,text,color\nIda,Good,red", "csv"),
        ("name,text,review\nIda,Good,Bad", "csv"),
        (" ", "csv"),
        ("name,text,rating", "csv"),
        (f"Ida,{'x' * 3001},5", "csv.1.text"),
        (f"Ida,{'x' * 200_000},5", "csv.1"),
        ("\n".join(["Ida,Good,5"] * 501), "csv"),
    ],
)
def test_an_invalid_line_is_reported_and_nothing_is_imported(line: str, path: str, account: Account, api: Api) -> None:
    page = open_page(account)
    body = api.refuse("svc_reviews_save_items", page_id=page.pk, csv=line, consented=True)
    assert [issue["path"] for issue in body["issues"]] == [path]
    assert not models.Testimonial.objects.exists()


def test_an_export_contains_everything_and_no_formulas(account: Account, api: Api) -> None:
    page = open_page(account)
    send(page, text="=HYPERLINK(1)", name="＋Ida", email="ida@example.com")
    result = api.run("svc_reviews_export", page_id=page.pk)
    [line] = csv.DictReader(io.StringIO(result["content"]))
    assert (line["text"], line["name"], line["rating"]) == ("'=HYPERLINK(1)", "'＋Ida", "5")
    assert (line["email"], line["featured"], line["origin"]) == ("ida@example.com", "no", "page")
    assert line["consent_text"] and line["consented_at"]
    assert result["file_name"] == f"testimonials-{page.slug}.csv"


def test_exported_testimonials_are_pending_after_an_import(api: Api) -> None:
    page = api.run("svc_reviews_create", title="Here")["id"]
    words = {
        "name": "Ida",
        "text": "Good cake, kind people.",
        "rating": 5,
        "byline": "Linz",
        "tags": ["cake", "service"],
    }
    more = {
        "written_on": "2024-03-05",
        "source_name": "Google",
        "relationship": "gift",
        "reply": "Thanks!",
        "excerpt": "Good cake",
    }
    api.run("svc_reviews_save_items", page_id=page, items=[{**words, **more, "consented": True, "action": "approve"}])
    csv = api.run("svc_reviews_export", kind="items", page_id=page)["content"]
    other = api.run("svc_reviews_create", title="There")["id"]
    [made] = api.run("svc_reviews_save_items", page_id=other, csv=csv, consented=True)["items"]
    [existing] = api.run("svc_reviews_list", page_id=page)["items"]
    same = ("name", "text", "rating", "byline", "tags", "source_name", "relationship", "reply", "excerpt", "written_at")
    assert {name: made[name] for name in same} == {name: existing[name] for name in same}
    assert (made["status"], existing["status"]) == ("pending", "approved")
