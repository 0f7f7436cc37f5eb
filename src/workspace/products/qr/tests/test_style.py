"""The style editor: the preview equals the saved style, and unsafe styles are refused."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import unquote

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from workspace.accounts.models import Upload
from workspace.products.qr.tests.images import logo_bytes
from workspace.qr_symbols.png import render_png
from workspace.qr_symbols.style import PRESETS, Style
from workspace.testing.api import Api
from workspace.testing.code_readers import read_with_zxing, to_gray_pixels

pytestmark = pytest.mark.django_db


def fields(style: Style, **more: str) -> dict[str, str]:
    return {f"style.{name}": str(value) for name, value in style.model_dump().items()} | more


def drawing(page: str) -> str:
    [picture] = re.findall(r'<img class="qr-picture[^>]*src="data:image/svg\+xml,([^"]+)"', page)
    return unquote(unescape(picture))


def url(code: dict, tail: str = "") -> str:
    return f"/app/qr/{code['id']}/look{tail}"


@pytest.mark.parametrize("name", ["ocean", "bistro", "blocks"])
def test_the_preview_equals_the_published_picture_after_saving(
    name: str, browser: Client, api: Api, code: dict
) -> None:
    preview = drawing(browser.post(url(code, "/preview"), fields(PRESETS[name])).content.decode())
    assert read_with_zxing(to_gray_pixels(render_png(preview, 600))) == [code["printed_url"]]
    assert api.run("svc_qr_get", id=code["id"])["style"] == code["style"]
    assert browser.post(url(code), fields(PRESETS[name])).status_code == 303
    assert Client().get(f"/q/{code['slug']}.svg").content.decode() == preview


def test_a_ticked_box_beside_a_color_overrides_it(browser: Client, api: Api, code: dict) -> None:
    form = fields(PRESETS["blocks"])
    form["style.eye_frame_color"] = ["#9f1239", ""]  # the color, then the ticked box
    form["style.background"] = ["#ffffff", "transparent"]
    browser.post(url(code), form)
    style = api.run("svc_qr_get", id=code["id"])["style"]
    assert (style["eye_frame_color"], style["background"], style["eye_ball_color"]) == ("", "transparent", "#9f1239")


def test_an_unsafe_style_is_refused_with_advice(browser: Client, api: Api, code: dict) -> None:
    form = fields(Style(foreground="#ffe4e6"))
    verdict = browser.post(url(code, "/verdict"), form).content.decode()
    assert "Doesn’t scan" in verdict and "darker" in verdict
    response = browser.post(url(code), form)
    assert response.status_code == 422 and "darker" in response.content.decode()
    assert 'value="#ffe4e6"' in response.content.decode()
    assert api.run("svc_qr_get", id=code["id"])["style"] == code["style"]


def test_a_good_style_gets_a_good_verdict(browser: Client, code: dict) -> None:
    verdict = browser.post(url(code, "/verdict"), fields(Style())).content.decode()
    assert "Scans well" in verdict and "ZXing" in verdict and "OpenCV" in verdict


@pytest.mark.parametrize(
    "wrong",
    [{"style.foreground": "red"}, {"style.caption": "x" * 31}, {"style.modules": "hearts"}, {"style.logo_share": "9"}],
)
def test_an_invalid_style_is_reported_everywhere(wrong: dict, browser: Client, api: Api, code: dict) -> None:
    form = fields(Style()) | wrong
    for tail in ("/preview", "/verdict"):
        response = browser.post(url(code, tail), form)
        assert response.status_code == 200 and 'data-kind="bad"' in response.content.decode()
    assert browser.post(url(code), form).status_code == 422
    assert api.run("svc_qr_get", id=code["id"])["style"] == code["style"]


def test_the_two_readers_run_once_per_style(browser: Client, code: dict, monkeypatch: pytest.MonkeyPatch) -> None:
    from workspace.qr_symbols import scan_test

    asked = []
    check = scan_test.check_scannability
    monkeypatch.setattr(scan_test, "check_scannability", lambda *args, **more: asked.append(1) or check(*args, **more))
    form = fields(Style(foreground="#123456"))
    pages = [browser.post(url(code, "/verdict"), form).content for _ in range(3)]
    assert asked == [1] and len(set(pages)) == 1


def test_a_preset_fills_the_form_and_saves_nothing(browser: Client, api: Api, code: dict) -> None:
    page = browser.get(url(code) + "?preset=bistro").content.decode()
    assert "See our menu" in page and 'value="#5b1a18"' in page
    assert api.run("svc_qr_get", id=code["id"])["style"] == code["style"]
    picture = browser.get(url(code, "/bistro.svg"))
    assert read_with_zxing(to_gray_pixels(render_png(picture.content.decode(), 600))) == [code["printed_url"]]


def test_a_custom_caption_is_preserved_under_a_preset(browser: Client, code: dict) -> None:
    page = browser.get(url(code), {"preset": "bistro", "style.caption": "Nur heute"}).content.decode()
    assert "Nur heute" in page and "See our menu" not in page


def test_a_logo_is_uploaded_reencoded_and_used(browser: Client, api: Api, code: dict) -> None:
    file = SimpleUploadedFile("logo.png", logo_bytes() + b"<script>", "text/html")
    browser.post(url(code), {**fields(Style()), "logo": file})
    result = api.run("svc_qr_get", id=code["id"])
    upload = Upload.objects.get(pk=result["logo_id"])
    assert upload.use_count == 1 and b"<script>" not in upload.content
    svg = Client().get(f"/q/{code['slug']}.svg").content
    assert b"<image" in svg and read_with_zxing(to_gray_pixels(render_png(svg.decode(), 600))) == [code["printed_url"]]
    browser.post(url(code), {**fields(Style()), "logo_id": [result["logo_id"], ""]})  # the box that removes the logo
    assert api.run("svc_qr_get", id=code["id"])["logo_id"] is None


def test_a_logo_appears_in_the_preview_before_it_is_saved(browser: Client, api: Api, code: dict) -> None:
    slot = browser.post(url(code, "/logo"), {"logo": SimpleUploadedFile("a.png", logo_bytes())})
    assert slot["HX-Trigger-After-Swap"] == "look-changed"
    [upload] = re.findall(r'name="logo_id" value="(upl_[^"]+)"', slot.content.decode())
    preview = browser.post(url(code, "/preview"), fields(Style(), logo_id=upload)).content.decode()
    assert "<image" in drawing(preview)
    assert api.run("svc_qr_get", id=code["id"])["logo_id"] is None


@pytest.mark.parametrize(
    "content", [b"", b"nothing", b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"\x89PNG\r\n\x1a\nxx"]
)
def test_a_file_that_is_not_a_picture_is_refused_as_a_logo(
    content: bytes, browser: Client, api: Api, code: dict
) -> None:
    response = browser.post(url(code, "/logo"), {"logo": SimpleUploadedFile("a.png", content)})
    assert response.status_code == 200 and not Upload.objects.exists()
    file = SimpleUploadedFile("a.png", content or b"x")
    assert browser.post(url(code), {**fields(Style()), "logo": file}).status_code == 422


@pytest.mark.parametrize("id", ["\x00", "upl_none", "ä", "x" * 300])
def test_an_unknown_logo_is_ignored_in_the_preview_and_refused_on_saving(id: str, browser: Client, code: dict) -> None:
    preview = browser.post(url(code, "/preview"), fields(Style(), logo_id=id)).content.decode()
    assert "<image" not in drawing(preview)
    assert browser.post(url(code), fields(Style(), logo_id=id)).status_code == 422


def test_another_accounts_logo_is_not_shown(browser: Client, stranger: Api, code: dict) -> None:
    from workspace.products.qr.tests.images import logo

    theirs = stranger.run("svc_upload_file", content=logo())["upload_id"]
    preview = browser.post(url(code, "/preview"), fields(Style(), logo_id=theirs)).content.decode()
    assert "<image" not in drawing(preview)
    assert browser.post(url(code), fields(Style(), logo_id=theirs)).status_code == 422
