"""QR codes of any published item as pictures and in print."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pypdf import PdfReader

from workspace.products.qr.tests.images import logo
from workspace.testing.api import Api
from workspace.testing.code_readers import read_with_zxing, to_gray_pixels

pytestmark = pytest.mark.django_db


def print_(api: Api, item: str, **wishes: Any) -> Any:
    return api.run("svc_qr_print", thing=item, **wishes)


def file(api: Api, printed: dict) -> Any:
    """Return the response at the file's URL, opened with the API key."""
    return api.client.get(printed["file_url"])


def text_of(pdf: bytes) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages)


@pytest.fixture
def menu(api: Api) -> Any:
    return api.run("svc_card_create", full_name="Ana Silva")


def test_a_picture_decodes_to_the_printed_address_in_the_answer(api: Api, code: dict) -> None:
    api.run("svc_qr_edit", id=code["id"], preset="ocean")
    printed = print_(api, code["id"], size="512")
    [row] = printed["printed"]
    assert (row["id"], row["printed_url"]) == (code["id"], code["printed_url"])
    response = file(api, printed)
    assert (response["Content-Type"], len(response.content)) == ("image/png", printed["size"])
    assert to_gray_pixels(response.content).shape[1] == 512
    assert read_with_zxing(to_gray_pixels(response.content)) == [code["printed_url"]]


@pytest.mark.parametrize("kind", ["poster", "tent", "sheet"])
def test_a_print_file_contains_the_code_the_business_and_the_call_but_no_name(kind: str, api: Api, code: dict) -> None:
    printed = print_(api, code["id"], kind=kind, call_to_action="Zur Karte")
    response = file(api, printed)
    assert response["Content-Type"] == "application/pdf"
    text = text_of(response.content)
    assert "Zur Karte" in text and "Corner Café" in text and code["public_url"].partition("://")[2] in text
    assert "Menu" not in text


def test_every_published_item_can_be_printed_by_id_slug_or_url(api: Api, menu: dict) -> None:
    for name in (menu["id"], menu["slug"], menu["public_url"]):
        printed = print_(api, name, design="bistro")
        assert printed["printed"][0]["noun"] == "business card"
        assert read_with_zxing(to_gray_pixels(file(api, printed).content)) == [menu["public_url"].upper()]


def test_a_sheet_contains_items_of_several_kinds_once_each_and_a_folder(api: Api, code: dict, menu: dict) -> None:
    other = api.run("svc_qr_create", name="Door", target_url="example.org", folder="Tables")
    printed = print_(api, menu["id"], kind="sheet", more_items=[code["id"], menu["id"]], folder="Tables", names=True)
    assert [row["id"] for row in printed["printed"]] == [menu["id"], code["id"], other["id"]]
    text = text_of(file(api, printed).content)
    assert "Ana Silva" in text and "Door" in text


def test_a_sheet_takes_the_same_queries_for_two_and_for_twenty_codes(api: Api) -> None:
    rows = [{"name": f"Table {n}", "target_url": "example.com"} for n in range(20)]
    ids = [row["id"] for row in api.run("svc_qr_save", items=rows)["items"]]
    counts = []
    for some in (ids[:2], ids[:2], ids):
        with CaptureQueriesContext(connection) as context:
            print_(api, some[0], kind="sheet", more_items=some[1:])
        counts.append(len(context))
    assert counts[1] == counts[2]


def test_only_the_owner_can_open_the_file(api: Api, stranger: Api, code: dict, browser: Client) -> None:
    address = print_(api, code["id"], kind="poster")["file_url"]
    assert Client().get(address).status_code == 302
    assert stranger.client.get(address).status_code == 404
    assert browser.get(address).status_code == 200


def test_a_logo_is_printed_and_a_preset_leaves_it_out(api: Api, code: dict) -> None:
    upload = api.run("svc_upload_file", content=logo())["upload_id"]
    api.run("svc_qr_edit", id=code["id"], logo_id=upload)
    assert b"<image" in file(api, print_(api, code["id"], format="svg")).content
    assert b"<image" not in file(api, print_(api, code["id"], format="svg", design="soft")).content


@pytest.mark.parametrize(
    ("wishes", "path"),
    [
        ({"size": "x"}, "size"),
        ({"size": "5000"}, "size"),
        ({"size": "a5"}, "size"),
        ({"format": "svg", "size": "512"}, "size"),
        ({"call_to_action": "Scan"}, "call_to_action"),
        ({"more_items": []}, "more_items"),
        ({"kind": "poster", "columns": 2}, "columns"),
        ({"kind": "poster", "format": "svg"}, "format"),
        ({"kind": "poster", "size": "512"}, "size"),
        ({"kind": "sheet", "size": "a6"}, "size"),
        ({"kind": "sheet", "columns": 9}, "columns"),
        ({"kind": "sign"}, "kind"),
        ({"design": "neon"}, "design"),
    ],
)
def test_arguments_that_cannot_be_combined_are_refused_at_their_path(
    wishes: dict, path: str, api: Api, code: dict
) -> None:
    body = api.refuse("svc_qr_print", thing=code["id"], **wishes)
    assert [issue["path"] for issue in body["issues"]] == [path], json.dumps(body)


def test_deleted_and_foreign_items_cannot_be_printed(api: Api, stranger: Api, code: dict) -> None:
    api.run("svc_qr_delete", ids=[code["id"]])
    theirs = stranger.run("svc_qr_create", name="Theirs", target_url="example.org")
    for item in (code["id"], theirs["id"], theirs["slug"], "nothing-here"):
        assert api.refuse("svc_qr_print", thing=item)["error"] == "not_found"
        assert api.refuse("svc_qr_print", thing=item, kind="sheet")["error"] == "not_found"
