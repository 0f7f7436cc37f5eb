"""Elements placed by hand are stored, rejected if invalid, and rendered at their positions."""

from __future__ import annotations

import io
from email import message_from_string, policy
from typing import Any, cast

import pytest
from django.test import Client
from PIL import Image, ImageChops, ImageStat
from pypdf import PdfReader

from workspace.products.certs.domain import pdf as certs_pdf
from workspace.products.certs.domain import previews, print_data
from workspace.products.certs.models import Certificate, Template
from workspace.products.certs.rules import layout_elements
from workspace.testing.api import Api, make_account, make_api

pytestmark = pytest.mark.django_db
NAME = {"part": "name", "x": 60, "y": 4, "width": 35.123, "height": 20, "color": "#FF0000", "bold": True}
CODE = {"part": "code", "x": 5, "y": 70, "width": 12, "height": 20}


@pytest.fixture
def api() -> Api:
    return make_api(make_account())


def save(api: Api, *elements: dict[str, Any], **more: Any) -> dict[str, Any]:
    return api.run("svc_certs_save_template", name="Sailing", layout={"elements": list(elements)}, **more)


def test_elements_are_rendered_at_their_positions(api: Api) -> None:
    text = {"part": "text", "x": 1, "y": 90, "width": 60, "height": 5, "text": "Under {course}", "size": 9}
    result = save(api, NAME, CODE, text)
    assert result["layout"]["elements"][0] == {**NAME, "width": 35.12, "color": "#ff0000"}
    template = Template.objects.get()
    image = Image.open(io.BytesIO(previews.render_image(template, width=800))).convert("RGB")
    red = [
        (x / image.width * 100, y / image.height * 100)
        for x in range(0, image.width, 2)
        for y in range(0, image.height, 2)
        for r, g, b in [image.getpixel((x, y))]
        if r > 180 and g < 90 and b < 90
    ]
    assert red and all(59.5 <= x <= 95.6 and 3.5 <= y <= 24.5 for x, y in red)
    # mirrored for readers of right-to-left scripts, like the design
    turned = certs_pdf.build_design(template, "ar").elements[0]
    assert turned["x"] == pytest.approx(4.88) and certs_pdf.build_design(template, "de").elements[0]["x"] == 60
    assert (
        api.run("svc_certs_save_template", template_id=result["id"], layout={"elements": []})["layout"]["elements"]
        == []
    )


@pytest.mark.parametrize(
    ("elements", "path", "words"),
    [
        ([{**NAME, "x": 70}, CODE], "0.width", "beyond the page"),
        ([NAME, CODE, CODE], "2.part", "listed twice"),
        ([NAME], "", "The code must be on the certificate"),
        ([NAME, {**CODE, "width": 3}], "1.width", "too small to scan"),
        ([NAME, CODE, {**CODE, "part": "text"}], "2.text", "Enter text"),
        ([{**NAME, "color": "red"}, CODE], "0", "#rrggbb"),
        ([NAME, CODE, {**CODE, "part": "text", "text": "in {corse}"}], "2", "{corse}"),
        ([NAME, CODE, {**CODE, "part": "text", "text": "Fro\u16a0do"}], "2", "runic"),
    ],
)
def test_an_invalid_element_is_reported_at_its_path(
    api: Api, elements: list[dict[str, Any]], path: str, words: str
) -> None:
    status, body = api.post("certs/save/template", {"name": "Sailing", "layout": {"elements": elements}})
    assert status == 400
    (issue,) = body["issues"]
    assert issue["path"] == f"layout.elements.{path}".rstrip(".") and words in issue["message"]


@pytest.mark.any_database
def test_the_default_positions_of_every_design_are_valid() -> None:
    for design in print_data.DESIGNS:
        for landscape in (True, False):
            usual = layout_elements.default_elements(design, landscape=landscape)
            assert (
                layout_elements.find_problems(usual)
                == layout_elements.find_problems(layout_elements.mirror_elements(usual))
                == []
            )


def test_the_form_saves_placed_elements_and_drops_hidden_ones(api: Api) -> None:
    owner = Client()
    owner.force_login(api.account.owner)
    home = f"/app/certs/{api.run('svc_certs_save_template', name='Sailing')['id']}"
    shown = owner.get(home).content.decode()
    assert shown.count("data-place=") == 12 + 3 and ">Hidden<" in shown
    numbers = {f"{number}.{key}": str(value) for number, item in enumerate((NAME, CODE)) for key, value in item.items()}
    fields = {"name": "Sailing", "_colors": "brand", "_placed": "free", "_hidden": "2"}
    parts = {f"layout.elements.{path}": value for path, value in numbers.items()}
    off = {"layout.elements.2.part": "seal", "layout.elements.2.x": "5"}
    assert owner.post(home, {**fields, **parts, **off}).status_code == 303
    result = Template.objects.get().elements
    assert [(item["part"], item["x"]) for item in result] == [("name", 60), ("code", 5)]
    assert "color" not in result[0] and result[0]["bold"] is True, "a color counts where it is chosen"
    wrong = owner.post(home, {**fields, **parts, "layout.elements.0.x": "90"})
    assert wrong.status_code == 422 and "beyond the page" in wrong.content.decode()
    assert owner.post(home, {**fields, **parts, "_placed": "design"}).status_code == 303
    assert Template.objects.get().elements == []


def test_an_email_contains_the_owners_texts(api: Api) -> None:
    from workspace.delivery.jobs.worker import JobWorker
    from workspace.delivery.models import Delivery

    words = {"mail_subject": "Well done, {name}!", "mail_text": "Dear {name},\n{course} & <{hours}>"}
    id = api.run("svc_certs_save_template", name="Sailing", **words)["id"]
    owner = Client()
    owner.force_login(api.account.owner)
    seen = owner.post(f"/app/certs/{id}/letter/seen", {"mail_subject": "Bravo {name}", "mail_text": "Hi"})
    assert (
        "Bravo Ada Lovelace" in seen.content.decode() and Template.objects.get().mail_subject == words["mail_subject"]
    )
    api.run("svc_certs_issue", template_id=id, recipients=[{"name": "Ada", "email": "a@example.com", "hours": 3}])
    lane = JobWorker()
    while lane.run_once():
        pass
    payload: Any = Delivery.objects.get(pk=Certificate.objects.get().email_delivery_id).payload
    assert payload["subject"] == "Well done, Ada!"
    assert " & <3>" in payload["message"] and "&amp; &lt;3&gt;" in payload["message"]
    for field in ("mail_subject", "mail_text"):
        status, body = api.post("certs/save/template", {"template_id": id, field: "{corse}"})
        assert status == 400 and body["issues"][0]["path"] == field


def test_the_page_shows_the_certificate_as_issued(api: Api) -> None:
    from workspace.delivery.jobs.worker import JobWorker
    from workspace.storage.files import store

    id = api.run("svc_certs_save_template", name="Sailing", layout={"design": "modern"})["id"]
    code = api.run("svc_certs_issue", template_id=id, recipients=["Ada"])["items"][0]["code"]
    assert b".png" not in api.client.get(f"/v/{code}").content
    lane = JobWorker()
    while lane.run_once():
        pass
    assert f"/v/{code}.png" in api.client.get(f"/v/{code}").content.decode()
    certificate = Certificate.objects.get()
    assert certificate.template is not None
    drawn = previews.render_image(certificate.template, certificate, 1000)  # rendered from its template
    # later changes or deletion of the template do not change what was issued
    api.run("svc_certs_save_template", template_id=id, title="Another", layout={"design": "classic", "paper": "letter"})
    api.run("svc_certs_delete", ids=[id])
    answer = api.client.get(f"/v/{code}.png")
    before, after = (Image.open(io.BytesIO(png)).convert("L") for png in (drawn, answer.content))
    assert before.size == after.size and after.width == 1000
    assert ImageStat.Stat(ImageChops.difference(before, after)).mean[0] < 1
    store.put(certificate.pdf_key, b"%PDF-1.7 nothing that is drawn")
    previews._image_cache.clear()
    assert api.client.get(f"/v/{code}.png").status_code == 404


def test_a_sample_is_emailed_to_its_requester_as_recipients_get_it_and_issues_nothing(api: Api) -> None:
    from workspace.delivery.jobs.worker import JobWorker
    from workspace.delivery.models import Delivery

    id = api.run("svc_certs_save_template", name="Sailing", language="de", mail_subject="Gut, {name}!")["id"]
    result = api.run("svc_certs_sample", template_id=id)
    assert result["to"] == api.account.owner.email and "recalled" in result["change"]["cannot_be_undone"]
    lane = JobWorker()
    while lane.run_once():
        pass
    assert not Certificate.objects.exists()
    mail = Delivery.objects.get()
    letter: Any = message_from_string(cast("dict[str, str]", mail.payload)["message"], policy=policy.default)
    assert (letter["To"], letter["Subject"]) == (result["to"], "Muster: Gut, Ada Lovelace!")
    (pdf,) = letter.iter_attachments()
    text = PdfReader(io.BytesIO(pdf.get_content())).pages[0].extract_text()
    assert "MUSTER" in text and "Ada Lovelace" in text
