"""Codes without a style use the brand's, on screens and in print, and so do the codes of other items."""

from __future__ import annotations

import base64
import io
from typing import Any

import pytest
from django.test import Client
from PIL import Image

from workspace.testing.api import Api

pytestmark = pytest.mark.django_db


@pytest.fixture
def code(api: Api) -> dict[str, Any]:
    made: dict[str, Any] = api.run("svc_qr_create", name="Door", target_url="https://example.com")
    return made


def _svg(path: str, **headers: str) -> Any:
    return Client().get(path, headers=headers)


def test_codes_use_the_brand_color_darkened_for_readers(api: Api, code: dict[str, Any]) -> None:
    card = api.run("svc_card_create", full_name="Olive Owner")
    paths = [f"/q/{code['slug']}.svg", f"/c/{card['slug']}.svg"]
    tags = [_svg(path)["ETag"] for path in paths]
    api.run("svc_brand_edit", colors=["#8a1538"])
    for path, tag in zip(paths, tags, strict=True):
        answer = _svg(path, **{"if-none-match": tag})
        assert answer.status_code == 200 and "#8a1538" in answer.content.decode()
    api.run("svc_brand_edit", colors=["#ffee00"])
    assert "#ffee00" not in _svg(paths[0]).content.decode()
    assert api.run("svc_qr_get", id=code["id"], check=True)["scans_well"]["verdict"] == "good"


def test_a_chosen_style_is_preserved_even_if_it_is_black_on_white(api: Api, code: dict[str, Any]) -> None:
    api.run("svc_qr_edit", id=code["id"], preset="classic")
    api.run("svc_brand_edit", colors=["#8a1538"])
    path = f"/q/{code['slug']}.svg"
    assert "#8a1538" not in _svg(path).content.decode()
    api.run("svc_qr_edit", id=code["id"], preset="brand")
    assert "#8a1538" in _svg(path).content.decode()
    assert api.run("svc_qr_get", id=code["id"])["style"]["foreground"] == "#8a1538"


def test_all_codes_use_the_style_of_the_brands_model_code(api: Api, code: dict[str, Any]) -> None:
    model = api.run("svc_qr_create", name="Model", target_url="https://example.com")
    api.run("svc_qr_edit", id=model["id"], preset="forest")
    api.run("svc_brand_edit", colors=["#8a1538"], qr_style_from=model["id"])
    path = f"/q/{code['slug']}.svg"
    assert "#14532d" in _svg(path).content.decode()
    api.run("svc_qr_delete", ids=[model["id"]])
    assert "#8a1538" in _svg(path).content.decode()


@pytest.mark.parametrize("kind", ["poster", "tent"])
def test_print_files_show_the_logo_and_the_color(api: Api, code: dict[str, Any], kind: str) -> None:
    out = io.BytesIO()
    Image.new("RGB", (300, 100), "#00b7ff").save(out, "PNG")
    logo = api.run("svc_upload_file", content=base64.b64encode(out.getvalue()).decode())["upload_id"]
    api.run("svc_brand_edit", colors=["#8a1538"], logo_id=logo)
    page = api.client.get("/files/qr/print", {"thing": code["id"], "kind": kind, "format": "png"})
    picture = Image.open(io.BytesIO(page.content)).convert("RGB")
    results = {color for _, color in picture.getcolors(2**24)}
    assert (0x8A, 0x15, 0x38) in results, "the words"
    # it was stored as JPEG, which changes colors slightly
    assert any(max(abs(a - b) for a, b in zip(item, (0x00, 0xB7, 0xFF), strict=True)) < 4 for item in results), (
        "the logo"
    )
