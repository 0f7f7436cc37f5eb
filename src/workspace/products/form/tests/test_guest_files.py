"""Files of guests: size limits, and no metadata that reveals where a picture was taken."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from workspace.products.form.domain import submissions, uploads
from workspace.products.form.domain.submissions import AnswersInvalidError, FormSubmission, submit_answers
from workspace.products.form.models import Form, GuestFile, Response
from workspace.products.form.rules import answer_validation
from workspace.products.form.tests.guest import Guest
from workspace.storage.files import media_types
from workspace.testing.api import Api
from workspace.testing.samples.form import make_form

pytestmark = pytest.mark.django_db
FILES = [
    {"label": "Plans", "key": "plans", "type": "file", "max_files": 2},
    {"label": "Photo", "key": "photo", "type": "file"},
]
TEXT = b"Four tables. " * 50_000  # 650 kB


@pytest.fixture(autouse=True)
def _people_take_their_time(time_machine: Any) -> None:
    time_machine.move_to(datetime(2026, 4, 2, 12, tzinfo=UTC))
    Guest.clock = time_machine


def text(name: str = "plan.txt") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, TEXT)


@pytest.mark.parametrize("beginning", [b"\0\0\0\x18ftypheic", b"\0\0\0\x18ftypavif", b"II*\0", b"MM\0*"])
def test_a_picture_whose_location_cannot_be_removed_must_be_sent_in_another_format(api: Api, beginning: bytes) -> None:
    guest = Guest(f"/f/{make_form(api, fields=FILES)['slug']}")
    guest.send(photo=SimpleUploadedFile("IMG_1.HEIC", beginning + b"GPS" * 100, "image/heic"))
    assert guest.response.status_code == 400 and "Send this image as JPEG or PNG" in guest.sheet.text
    assert not GuestFile.objects.exists()


def test_all_files_of_a_response_have_a_common_limit(api: Api, monkeypatch: Any) -> None:
    for module in (answer_validation, uploads, submissions):
        monkeypatch.setattr(module, "MAX_TOTAL_MB", 1)
    made = make_form(api, fields=FILES)
    guest = Guest(f"/f/{made['slug']}")
    guest.send(plans=[text("one.txt"), text("two.txt")])
    assert guest.response.status_code == 400 and "too large in total (max. 1 MB)" in guest.sheet.text
    assert not GuestFile.objects.exists()
    guest.send(plans=text(), photo=text())
    assert guest.response.status_code == 400 and "too large in total" in guest.sheet.text
    [file] = GuestFile.objects.all()
    # files of two requests belong to the same response
    form = Form.objects.select_related("account", "publication").get(pk=made["id"])
    other = GuestFile.store_file(form, "photo", "plan.txt", "text/plain", TEXT)
    with pytest.raises(AnswersInvalidError) as wrong:
        submit_answers(form, FormSubmission(1, {"plans": [file.pk], "photo": [other.pk]}, "once"))
    assert wrong.value.errors == {"photo": answer_validation.TOO_HEAVY}
    guest.send()
    assert guest.response.status_code == 303 and Response.objects.get().answers == {"plans": [file.pk]}


def test_a_file_must_match_its_name_and_the_accepted_kinds_are_named(api: Api) -> None:
    plan = {"label": "Plan", "key": "plan", "type": "file", "accept": ["image", "pdf"]}
    guest = Guest(f"/f/{make_form(api, fields=[*FILES, plan])['slug']}")
    assert "One file, up to 10 MB: images, PDF" in guest.sheet.text
    guest.send(plan=text("plan.txt"))
    assert guest.response.status_code == 400
    assert guest.sheet.text.count("Choose a file of one of these types: images, PDF") == 2
    for name, content in (("vase.jpg", b"ten bytes."), ("plan.txt", b"%PDF-1.7 plan"), ("plan.pdf", b"GIF89a")):
        guest.send(photo=SimpleUploadedFile(name, content))
        assert guest.response.status_code == 400 and "content doesn’t match its type" in guest.sheet.text, name
    assert not GuestFile.objects.exists()


@pytest.mark.parametrize("name", ["logo.svg", "LOGO.SVG", "scan.bmp", "favicon.ico", "photo.png.svgz"])
def test_formats_that_phones_cannot_show_are_rejected_as_pictures(name: str) -> None:
    kind = media_types.detect_media_type(b"<svg xmlns='http://www.w3.org/2000/svg'/>", name)
    for requested in (["image"], ["image", "pdf"], ["image", "svg", "svgz", "bmp", "ico"]):
        assert not uploads.is_accepted_file({"accept": requested}, name, kind)
    assert uploads.is_accepted_file({"accept": ["image"]}, "photo.png", "image/png")
    assert uploads.is_accepted_file({}, name, kind), "a question for any file takes it"
