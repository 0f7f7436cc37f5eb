"""Printing codes from the dashboard."""

from __future__ import annotations

import io
import re

import pytest
from django.test import Client
from PIL import Image
from pypdf import PdfReader

from workspace.testing.api import Api
from workspace.testing.code_readers import read_with_zxing

pytestmark = pytest.mark.django_db


def read_urls(pdf: bytes) -> set[str]:
    """Return the URLs below the codes of a PDF. Tests of the pictures prove that they decode."""
    pages = PdfReader(io.BytesIO(pdf)).pages
    return set(re.findall(r"127\.0\.0\.1:8000/q/[a-z0-9-]+", "\n".join(page.extract_text() for page in pages)))


def printed_url(code: dict) -> str:
    return code["public_url"].partition("://")[2]


@pytest.fixture
def codes(api: Api) -> list[dict]:
    rows = [
        {"name": f"Table {n}", "target_url": f"example.com/{n}", "folder": "Tables" if n % 2 else ""} for n in range(14)
    ]
    return api.run("svc_qr_save", items=rows)["items"]


def test_a_sheet_contains_every_chosen_code(browser: Client, codes: list[dict]) -> None:
    chosen = codes[:13]
    response = browser.get(
        "/app/qr/sheet.pdf", {"id": [code["id"] for code in chosen], "paper": "letter", "columns": "3"}
    )
    assert response["Content-Type"] == "application/pdf"
    assert read_urls(response.content) == {printed_url(code) for code in chosen}


def test_a_whole_folder_can_be_printed(browser: Client, codes: list[dict]) -> None:
    response = browser.get("/app/qr/sheet.pdf", {"whole": "Tables", "id": codes[0]["id"]})
    assert read_urls(response.content) == {printed_url(code) for code in codes if code["folder"]}


def test_printing_without_a_choice_redirects_with_a_message(browser: Client, codes: list[dict]) -> None:
    back = browser.get("/app/qr/sheet.pdf")
    assert back.status_code == 303
    assert "Select at least one QR code" in browser.get(back["Location"]).content.decode()


def test_another_accounts_codes_are_left_out(browser: Client, stranger: Api, codes: list[dict]) -> None:
    theirs = stranger.run("svc_qr_create", name="Theirs", target_url="example.org")
    response = browser.get("/app/qr/sheet.pdf", {"id": [codes[0]["id"], theirs["id"]]})
    assert read_urls(response.content) == {printed_url(codes[0])}
    assert browser.get("/app/qr/sheet.pdf", {"id": theirs["id"]}).status_code == 303


@pytest.mark.parametrize("odd", [{"paper": "x", "columns": "0"}, {"columns": "99"}, {"columns": "x", "paper": ""}])
def test_unusual_options_still_print(odd: dict, browser: Client, codes: list[dict]) -> None:
    assert browser.get("/app/qr/sheet.pdf", {"id": codes[0]["id"], **odd}).content.startswith(b"%PDF")


@pytest.mark.parametrize(
    "wishes",
    [{}, {"size": "a6", "kind": "tent"}, {"size": "letter", "call_to_action": "#eval(1) Käse $x$", "design": ""}],
)
def test_a_poster_contains_the_code(wishes: dict, browser: Client, code: dict) -> None:
    way = browser.get(f"/app/qr/{code['id']}/paper", {"kind": "poster", "call_to_action": "", **wishes})
    assert read_urls(browser.get(way["Location"]).content) == {printed_url(code)}


def extract_text(pdf: bytes) -> str:
    """Return all text of a PDF: pages, metadata and every object."""
    reader = PdfReader(io.BytesIO(pdf))
    parts = [page.extract_text() for page in reader.pages]
    parts += [str(reader.metadata), str(reader.xmp_metadata.dc_title if reader.xmp_metadata else "")]
    for number in range(1, len(reader.xref[0]) + len(reader.xref_objStm) + 1):
        pdf_object = reader.get_object(number)
        parts.append(str(pdf_object))
        if hasattr(pdf_object, "get_data"):
            parts.append(pdf_object.get_data().decode("latin-1"))
    return "\n".join(parts)


def test_print_files_show_the_business_and_the_call_but_never_the_name_of_a_code(browser: Client, api: Api) -> None:
    code = api.run("svc_qr_create", name="Zwetschkenplan", target_url="example.com", folder="Geheimordner")
    for path in (
        f"/files/qr/print?thing={code['id']}&kind=poster",
        f"/files/qr/print?thing={code['id']}&kind=tent&size=a6&call_to_action=Book+a+table",
        f"/app/qr/sheet.pdf?id={code['id']}",
        "/app/qr/sheet.pdf?whole=Geheimordner",
    ):
        pdf = browser.get(path).content
        everything = extract_text(pdf)
        assert "Zwetschkenplan" not in everything and "Geheimordner" not in everything, path
        words = " ".join(PdfReader(io.BytesIO(pdf)).pages[0].extract_text().split())
        assert "Corner Café" in words and ("Book a table" if "Book" in path else "Scan me") in words
        assert PdfReader(io.BytesIO(pdf)).metadata.title == "Corner Café"


def test_a_sheet_shows_names_on_request(browser: Client, codes: list[dict]) -> None:
    page = browser.get("/app/qr/sheet").content.decode()
    assert re.search(r'type="checkbox" id="names" name="names" value="1" aria', page), "there, and off"
    pdf = browser.get("/app/qr/sheet.pdf", {"id": [code["id"] for code in codes[:3]], "names": "1"}).content
    words = PdfReader(io.BytesIO(pdf)).pages[0].extract_text()
    assert all(code["name"] in words for code in codes[:3]) and "Scan me" not in words


def test_a_call_in_the_codes_frame_is_not_repeated_below_it(browser: Client, api: Api) -> None:
    made = api.run("svc_qr_create", name="Door", target_url="example.com")
    code = api.run("svc_qr_edit", id=made["id"], preset="bistro")
    caption = code["style"]["caption"]
    pdf = browser.get("/app/qr/sheet.pdf", {"id": code["id"], "call_to_action": caption.upper()}).content
    assert caption.upper() not in PdfReader(io.BytesIO(pdf)).pages[0].extract_text()


def test_texts_cleared_by_the_owner_are_left_out(browser: Client, code: dict) -> None:
    pdf = browser.get(
        "/files/qr/print", {"thing": code["id"], "kind": "poster", "call_to_action": "", "business": ""}
    ).content
    assert PdfReader(io.BytesIO(pdf)).pages[0].extract_text().strip() == printed_url(code)


def test_codes_chosen_in_the_list_are_preselected_for_the_sheet(browser: Client, codes: list[dict]) -> None:
    page = browser.get("/app/qr/sheet", {"id": [code["id"] for code in codes[:2]]}).content.decode()
    assert page.count(" checked>") == 2
    assert browser.get("/app/qr/sheet").content.decode().count(" checked>") == 14


def test_the_frame_of_a_design_surrounds_the_page_and_contains_the_call(browser: Client, code: dict) -> None:
    asked = {"thing": code["id"], "kind": "poster", "design": "bistro", "call_to_action": "Book a table"}
    words = PdfReader(io.BytesIO(browser.get("/files/qr/print", asked).content)).pages[0].extract_text()
    assert "Book a table" in words
    picture = Image.open(io.BytesIO(browser.get("/files/qr/print", {**asked, "format": "png"}).content)).convert("RGB")
    assert picture.getpixel((4, 4)) == (0x5B, 0x1A, 0x18), "the call stands on a band in the design's color"
    assert picture.getpixel((4, picture.height - 4)) == (0xFD, 0xF6, 0xEC)
    assert read_with_zxing(picture) == [code["printed_url"]]
