"""The published pictures: their content for readers, and their caching."""

from __future__ import annotations

import pytest
from django.test import Client

from workspace.accounts.models import Account
from workspace.products.qr.tests.images import logo
from workspace.qr_symbols.png import render_png
from workspace.qr_symbols.style import PRESETS
from workspace.testing.api import Api
from workspace.testing.code_readers import read_with_opencv, read_with_zxing, to_gray_pixels

pytestmark = pytest.mark.django_db


def fetch(code: dict, form: str, **more: str):
    return Client().get(f"/q/{code['slug']}.{form}", more)


@pytest.mark.parametrize("preset", list(PRESETS))
@pytest.mark.parametrize("with_logo", [False, True])
def test_svg_and_png_decode_to_the_printed_address(preset: str, with_logo: bool, api: Api, code: dict) -> None:
    upload = {"logo_id": api.run("svc_upload_file", content=logo())["upload_id"]} if with_logo else {}
    code = api.run("svc_qr_edit", id=code["id"], preset=preset, slug="k7m2pxa", **upload)
    pictures = [to_gray_pixels(fetch(code, "png").content)]
    pictures += [to_gray_pixels(render_png(fetch(code, "svg").content.decode(), width)) for width in (400, 600)]
    assert [read_with_zxing(picture) for picture in pictures] == [[code["printed_url"]]] * 3
    # this reader fails at some sizes that every phone reads
    assert [code["printed_url"]] in [read_with_opencv(picture) for picture in pictures]


def test_the_picture_follows_a_new_slug(api: Api, code: dict) -> None:
    result = api.run("svc_qr_edit", id=code["id"], slug="summer-menu")
    assert read_with_zxing(to_gray_pixels(fetch(code, "png").content)) == [result["printed_url"]]


@pytest.mark.parametrize(
    ("size", "width"), [("128", 128), ("2048", 2048), ("9999", 4096), ("5", 128), ("x", 1024), ("", 1024)]
)
def test_a_png_is_as_wide_as_requested(size: str, width: int, code: dict) -> None:
    assert to_gray_pixels(fetch(code, "png", size=size).content).shape[1] == width


@pytest.mark.parametrize("form", ["svg", "png"])
def test_an_etag_avoids_a_download_until_the_picture_changes(form: str, api: Api, code: dict) -> None:
    tag = fetch(code, form)["ETag"]

    def fetch_status() -> int:
        return Client().get(f"/q/{code['slug']}.{form}", headers={"if-none-match": tag}).status_code

    assert fetch_status() == 304
    api.run("svc_qr_edit", id=code["id"], preset="soft")
    assert fetch_status() == 200


def test_pictures_change_when_the_service_moves_to_another_host(code: dict, settings) -> None:
    tag = fetch(code, "svg")["ETag"]
    settings.BASE_URL = "http://192.168.0.9:8000"
    response = Client().get(f"/q/{code['slug']}.svg", headers={"if-none-match": tag})
    assert response.status_code == 200
    assert read_with_zxing(to_gray_pixels(render_png(response.content.decode(), 600))) == [
        f"HTTP://192.168.0.9:8000/Q/{code['slug'].upper()}"
    ]


def test_a_download_is_named_after_the_code(code: dict) -> None:
    assert fetch(code, "svg", download="1")["Content-Disposition"] == f'attachment; filename="{code["slug"]}.svg"'
    assert "Content-Disposition" not in fetch(code, "svg")


def test_an_svg_opened_directly_runs_no_scripts(code: dict) -> None:
    response = fetch(code, "svg")
    assert response["Content-Type"] == "image/svg+xml"
    assert (
        "default-src 'none'" in response["Content-Security-Policy"] and "sandbox" in response["Content-Security-Policy"]
    )
    assert b"<script" not in response.content


@pytest.mark.parametrize(
    ("name", "told"), [("Café: Tür № 4", "cafe-tur-no-4"), ("日本", ""), ('a "Tür" \\ 4', "a-tur-4")]
)
@pytest.mark.parametrize("form", ["png", "svg"])
def test_only_the_owners_file_is_named_after_the_code(
    browser: Client, account: Account, code: dict, form: str, name: str, told: str
) -> None:
    account.codes.update(name=name)
    mine = browser.get("/files/qr/print", {"thing": code["id"], "format": form})
    assert mine["Content-Disposition"] == f'attachment; filename="{told or code["slug"]}.{form}"'
    assert mine.content == fetch(code, form).content
    assert told not in fetch(code, form, download="1")["Content-Disposition"] or not told
