"""The owner's pages: the form with lines, packages and totals, sending, the timeline, and the library."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from workspace.products.bid.tests.test_client_page import Fields
from workspace.testing.api import Api
from workspace.testing.samples.bid import make_bid, make_item, make_sent

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(api: Api) -> Client:
    client = Client()
    client.force_login(api.account.owner)
    return client


def form(**more: str) -> dict[str, str]:
    """Return the fields that a browser submits for a line and a package."""
    return {
        "title": "Garden party",
        "_has": "line_items",
        "line_items.0.name": "Buffet",
        "line_items.0.quantity": "2,5",
        "line_items.0.unit_price": "1.234,50",
        "line_items.0.taxable": "true",
        "line_items.1.name": "Cake",
        "line_items.1.unit_price": "0.035",
        "line_items.1.optional": "true",
        "line_items.1.taxable": "false",
        "line_items.2.name": "",
        "line_items.2.taxable": "true",
        "packages.0.name": "All day",
        "packages.0.price": "99",
        "packages.0.features": "Coffee\n\n Lunch ",
        "packages.0.taxable": "true",
        "discount.value": "",
        "discount.type": "percent",
        "deposit.value": "30",
        "deposit.type": "percent",
        "tax_rate": "8,5",
        **more,
    }


def test_the_form_accepts_numbers_as_people_write_them(api: Api, owner: Client) -> None:
    bid = make_bid(api, discount={}, deposit={})
    page = f"/app/bid/{bid['id']}"
    html = owner.get(page).content.decode()
    assert len(re.findall(r'<option value="percent"\s+selected', html)) == 2, "30 is a percentage unless it is said"
    assert owner.post(page, form()).status_code == 303
    result = api.run("svc_bid_get", id=bid["id"])
    lines = [(line["name"], line["quantity"], line["unit_price"], line["optional"]) for line in result["line_items"]]
    assert lines == [("Buffet", 2.5, 1234.5, False), ("Cake", 1, 0.035, True)]
    assert [line["taxable"] for line in result["line_items"]] == [True, False]
    assert result["packages"][0]["features"] == ["Coffee", "Lunch"]
    assert (result["discount"], result["deposit"]["value"], result["tax_rate"]) == (None, 30, 8.5)


def test_saving_an_unchanged_form_changes_nothing(api: Api, owner: Client) -> None:
    """The lines of packages, which the form does not show, remain as well."""
    bid = make_sent(api)
    before = api.run("svc_bid_get", id=bid["id"])
    html = owner.get(f"/app/bid/{bid['id']}").content.decode()
    fields = Fields(html, f"/app/bid/{bid['id']}").sent
    sent: dict[str, Any] = {**fields, **{name: before[name] for name in ("intro", "notes")}}
    sent |= {"discount.type": "percent", "deposit.type": "amount", "currency": before["currency"]}
    for n, line in enumerate(before["line_items"]):
        sent[f"line_items.{n}.description"] = line["description"]
    for n, package in enumerate(before["packages"]):
        sent[f"packages.{n}.features"] = "\n".join(package["features"])
    assert owner.post(f"/app/bid/{bid['id']}", sent).status_code == 303
    after = api.run("svc_bid_get", id=bid["id"])
    assert (after["revision"], after["line_items"], after["packages"]) == (1, before["line_items"], before["packages"])


def test_errors_are_shown_at_their_line(api: Api, owner: Client) -> None:
    bid = make_bid(api)
    refused = owner.post(
        f"/app/bid/{bid['id']}",
        form(**{"line_items.1.unit_price": "abc", "packages.0.name": "", "valid_until": "soon"}),
    )
    html = refused.content.decode()
    assert refused.status_code == 422
    links = [part.partition('"')[0] for part in html.split('href="#')[1:]]
    assert links.index("f-line_items-1-unit_price") < links.index("f-packages-0-name") < links.index("f-valid_until")
    assert 'id="f-line_items-1-unit_price"' in html and 'id="f-packages-0-name"' in html
    assert 'value="abc"' in html and 'value="Buffet"' in html
    assert api.run("svc_bid_get", id=bid["id"])["title"] == bid["title"]


def test_the_preview_shows_the_typed_values(api: Api, owner: Client) -> None:
    bid = make_bid(api)
    seen = owner.post(f"/app/bid/{bid['id']}/preview", form(title="Another party"))
    html = seen.content.decode()
    assert "Another party" in html and "€" not in html and "$3,086.25" in html
    assert api.run("svc_bid_get", id=bid["id"])["title"] == bid["title"]


def test_the_amounts_of_typed_values_are_computed_before_they_are_saved(api: Api, owner: Client) -> None:
    bid = make_bid(api, discount={}, deposit={})
    seen = owner.post(f"/app/bid/{bid['id']}/amounts", form(**{"line_items.3.name": "No price yet"})).json()
    assert seen["lines"] == ["$3,086.25", "$0.04", ""], "each line that was begun has an amount, in its order"
    assert (seen["packages"], seen["total"]) == (["$99.00"], "$3,456.00")
    assert (seen["values"]["tax"], seen["values"]["deposit"], seen["values"]["discount"]) == (
        "8.5\u00a0%",
        "30\u00a0%",
        "None",
    )
    assert "$1,036.80" in seen["figures"]
    assert api.run("svc_bid_get", id=bid["id"])["totals"] == bid["totals"]
    owner.post(f"/app/bid/{bid['id']}", form())
    saved = api.run("svc_bid_get", id=bid["id"])["totals"]
    assert (saved["total"], saved["deposit"]) == (3456, 1036.8), "saving gives the same"
    html = owner.get(f"/app/bid/{bid['id']}").content.decode()
    assert "$3,086.25" in html and "$3,456.00" in html


def test_amounts_are_computed_although_some_values_are_wrong(api: Api, owner: Client) -> None:
    page = f"/app/bid/{make_bid(api)['id']}/amounts"
    wrong = {"line_items.1.unit_price": "abc", "packages.0.price": "", "tax_rate": "much", "discount.value": "x"}
    seen = owner.post(page, form(**wrong)).json()
    assert (seen["lines"], seen["packages"], seen["total"]) == (["$3,086.25", ""], [""], "$3,086.25")


def test_the_page_shows_headings_once_and_amounts_of_every_line(api: Api, owner: Client) -> None:
    lines = [{"name": "A", "unit_price": 10, "section": "Food"}, {"name": "B", "unit_price": 5, "section": "Food"}]
    bid = make_bid(api, line_items=lines, packages=[], discount={}, deposit={}, tax_rate=0)
    html = owner.get(f"/app/bid/{bid['id']}").content.decode()
    assert re.findall(r'class="pl-line( is-same)?" data-line', html)[:2] == ["", " is-same"]
    assert re.findall(r"data-amount>([^<]*)<", html)[:3] == ["$10.00", "$5.00", ""]


def test_a_draft_is_saved_and_then_sent(api: Api, owner: Client) -> None:
    page = f"/app/bid/{make_bid(api)['id']}"
    assert owner.post(page, form(_send="yes"))["Location"] == f"{page}/send"
    assert owner.post(page, form())["Location"] == page


def test_the_title_is_one_line_although_its_field_wraps(api: Api, owner: Client) -> None:
    bid = make_bid(api)
    owner.post(f"/app/bid/{bid['id']}", form(title="Garden\r\n party "))
    assert api.run("svc_bid_get", id=bid["id"])["title"] == "Garden party"


def test_the_picture_and_the_video_are_edited_on_the_page(api: Api, owner: Client) -> None:
    bid = make_bid(api)
    page = f"/app/bid/{bid['id']}"
    content = BytesIO()
    Image.new("RGB", (1000, 500), "teal").save(content, "PNG")
    picture = SimpleUploadedFile("work.png", content.getvalue(), "image/png")
    owner.post(page, {**form(), "image": picture, "video_url": "example.com/film"})
    saved = api.run("svc_bid_get", id=bid["id"])
    assert saved["image_id"] and saved["video_url"] == "https://example.com/film"
    assert f"/pictures/{saved['image_id']}/768" in owner.get(page).content.decode()
    owner.post(page, {**form(), "image_id": [saved["image_id"], ""]})
    assert api.run("svc_bid_get", id=bid["id"])["image_id"] is None


def test_several_hundred_lines_can_be_edited_on_a_page_without_scripts(api: Api, owner: Client) -> None:
    lines = [{"name": f"<Line {n}>", "unit_price": n, "optional": n % 2 == 0, "taxable": n % 3 > 0} for n in range(300)]
    bid = make_bid(api, line_items=lines, discount={}, deposit={})
    page = f"/app/bid/{bid['id']}"
    sent = Fields(owner.get(page).content.decode(), page).sent
    assert sent["line_items.299.name"] == ["<Line 299>"] and "line_items.301.name" in sent
    sent |= {"line_items.7.name": ["Another"], "line_items.300.name": ["More"], "line_items.300.unit_price": ["5"]}
    answer = owner.post(page, {**sent, "_more": "10"})
    assert answer["Location"] == f"{page}?more=10#lines"
    result = api.run("svc_bid_get", id=bid["id"])["line_items"]
    told = [(item["name"], item["unit_price"], item["optional"], item["taxable"]) for item in result]
    assert told[:7] == [(line["name"], line["unit_price"], line["optional"], line["taxable"]) for line in lines[:7]]
    assert (told[7][0], told[300], len(told)) == ("Another", ("More", 5, False, True), 301)
    assert "line_items.312.name" in Fields(owner.get(answer["Location"]).content.decode(), page).sent


SHEET = "Item\tQty\tPrice\nBuffet\t60\t€28,50\nEspresso; bar\t1\t1.250,00\n\nSetup\t\t120\nTotal"


def test_pasted_spreadsheet_rows_become_lines(api: Api, owner: Client) -> None:
    bid = make_bid(api, line_items=[])
    pasted = owner.post(f"/app/bid/{bid['id']}/paste", {"text": SHEET})
    assert pasted.status_code == 303
    lines = api.run("svc_bid_get", id=bid["id"])["line_items"]
    assert [(line["name"], line["quantity"], line["unit_price"]) for line in lines] == [
        ("Buffet", 60, 28.5),
        ("Espresso; bar", 1, 1250),
        ("Setup", 1, 120),
    ]
    owner.post(f"/app/bid/{bid['id']}/paste", {"text": "nothing here"})
    text = owner.get(f"/app/bid/{bid['id']}").content.decode()
    assert "No row has a name and a price" in text


def test_a_new_proposal_is_blank_or_copied_from_a_proposal_or_a_template(api: Api, owner: Client) -> None:
    before = make_bid(api)
    assert "Earlier proposals" in owner.get("/app/bid/new").content.decode()
    owner.post("/app/bid/new", {"title": "Blank", "client_name": "Ben"})
    owner.post("/app/bid/new", {"title": "", "client_name": "Cleo", "_source": before["id"]})
    owner.post(f"/app/bid/{before['id']}/keep")
    [template] = api.run("svc_bid_library", kind="templates")["items"]
    owner.post("/app/bid/new", {"title": "Of a template", "_source": template["id"]})
    made = {item["title"]: item for item in api.run("svc_bid_list")["items"][:3]}
    assert set(made) == {"Blank", before["title"], "Of a template"}
    assert (made["Blank"]["total"], made[before["title"]]["client_name"]) == (0, "Cleo")
    assert made["Of a template"]["total"] == made[before["title"]]["total"] == before["totals"]["total"]


def test_the_pages_send_and_decide_a_proposal(api: Api, owner: Client) -> None:
    bid = make_bid(api)
    at = f"/app/bid/{bid['id']}"
    assert "ada@example.com" in owner.get(f"{at}/send").content.decode()
    owner.post(f"{at}/send", {"message": "As we said.", "_kind": "proposal"})
    owner.post(f"{at}/decide", {"decision": "approved", "package": "p1", "option": "l4", "note": "By phone"})
    result = api.run("svc_bid_get", id=bid["id"])
    assert (result["status"], result["decisions"][0]["selection"]) == ("approved", {"package": "p1", "options": ["l4"]})
    owner.post(f"{at}/decide", {"decision": "approved", "deposit": "yes"})
    html = owner.get(f"{at}/timeline").content.decode()
    shown = (
        "Approved: ",
        "Morning, Cake",
        "Intact",
        "You, on behalf of your client",
        "Emailed to the client",
        "Paid on ",
    )
    for words in shown:
        assert words in html, words
    assert "Create new version" in owner.get(at).content.decode()
    owner.post(f"{at}/decide", {"decision": "reopened"})
    assert api.run("svc_bid_get", id=bid["id"])["status"] == "sent"
    assert [item["title"] for item in api.run("svc_bid_list", status="sent")["items"]] == [bid["title"]]
    listed = owner.get("/app/bid?status=sent").content.decode()
    assert bid["title"] in listed and "expires in" in listed
    assert bid["title"] not in owner.get("/app/bid?status=declined").content.decode()


def test_the_list_shows_the_totals_of_open_and_agreed_proposals(api: Api, owner: Client, time_machine: Any) -> None:
    assert api.run("svc_overview")["worth"] == []
    item = {"line_items": [{"name": "Work", "unit_price": 100}], "packages": [], "discount": {}, "tax_rate": 0}
    option = [{"name": "Work", "unit_price": 100}, {"name": "More", "unit_price": 20.5, "optional": True}]
    early, agreed = make_sent(api, 1, **item), make_sent(api, 2, **{**item, "line_items": option})
    api.run("svc_bid_decide", id=early["id"], decision="declined")
    time_machine.move_to(datetime.now(UTC) + timedelta(days=40))
    make_bid(api, 3, **item)
    yen = make_bid(api, 4, **item)
    api.run("svc_bid_edit", id=yen["id"], currency="JPY")
    for bid in (yen, make_bid(api, 5, **item)):
        api.run("svc_bid_share_link", id=bid["id"], mark_sent=True)
    make_sent(api, 6, **{**item, "valid_until": "2020-01-31"})
    chosen = {"options": ["l2"]}
    api.run("svc_bid_decide", id=agreed["id"], decision="approved", selection=chosen)
    rows = [tuple(row.values()) for row in api.run("svc_overview", days=30)["worth"]]
    assert [row[:-2] for row in rows] == [
        ("draft", "USD", 1, 100.0, 1, 100.0),
        ("sent", "JPY", 1, 100.0, 1, 100.0),
        ("sent", "USD", 1, 100.0, 1, 100.0),
        ("expired", "USD", 1, 100.0, 1, 100.0),
        ("approved", "USD", 1, 120.5, 1, 120.5),
        ("declined", "USD", 1, 100.0, 0, 0.0),
    ]
    owner.force_login(api.account.owner)  # the session has expired by then
    html = owner.get("/app/bid").content.decode()
    assert "¥100 + $100" in html and "$120.50" in html and "without a decision" in html
    assert "Sent <span>3</span>" in html and "Opened" not in html.partition("</nav>")[0][-900:]


def test_the_library_is_edited_on_a_page(api: Api, owner: Client) -> None:
    item = make_item(api)
    sent = {"items.0.id": item, "items.0.name": "Hour", "items.0.unit_price": "75,50", "items.1.name": "Travel"}
    assert owner.post("/app/bid/library", sent).status_code == 303
    rows = api.run("svc_bid_library")["items"]
    assert [(row["name"], row["unit_price"]) for row in rows] == [("Hour", 75.5), ("Travel", None)]
    assert owner.get("/app/bid/suggested?q=hou").json()["items"][0]["unit_price"] == 75.5
    owner.post("/app/bid/library", {"remove": [item]})
    assert [row["name"] for row in api.run("svc_bid_library")["items"]] == ["Travel"]


def test_the_list_is_exported_as_a_table(api: Api, owner: Client) -> None:
    assert "/files/bid/export" not in owner.get("/app/bid").content.decode(), "nothing is there to save"
    make_bid(api)
    links = re.findall(r'href="(/files/bid/export[^"]*)"', owner.get("/app/bid").content.decode())
    kinds = [owner.get(link.replace("&amp;", "&"))["Content-Type"] for link in links]
    assert [kind.partition(";")[0].rpartition(".")[2] for kind in kinds] == ["text/csv", "sheet"]


def test_a_draft_is_not_ready_to_share_and_a_proposal_has_no_posters(api: Api, owner: Client) -> None:
    draft, sent = make_bid(api)["id"], make_sent(api)["id"]
    html = owner.get(f"/app/bid/{draft}?made").content.decode()
    assert "Ready to share" not in html and "Only you can see this until you send it." in html
    html = owner.get(f"/app/bid/{sent}?made").content.decode()
    assert "Only you can see this until you send it." not in html
    for page in (html, owner.get(f"/app/bid/{sent}/share").content.decode()):
        assert "WhatsApp" in page and "#paper" not in page and 'id="paper"' not in page
