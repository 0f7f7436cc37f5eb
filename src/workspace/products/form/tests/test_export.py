"""Responses as files, read back by other programs, and the form templates."""

from __future__ import annotations

import csv
import io
import re
from datetime import date, datetime, time, timedelta
from typing import Any
from urllib.parse import urlsplit
from zipfile import ZipFile

import pytest
from django.conf import settings
from django.test import Client
from python_calamine import CalamineWorkbook

from workspace.delivery import jobs
from workspace.delivery.jobs import get_job
from workspace.delivery.jobs.worker import JobWorker
from workspace.lib import clock
from workspace.lib.languages import GUEST_LANGUAGES
from workspace.products.form.domain import downloads, response_export, template_gallery
from workspace.products.form.models import PARTIAL, Form, GuestFile, Response
from workspace.storage.files import store
from workspace.testing.api import Api
from workspace.testing.samples.form import make_form, submit_response


def export_file(api: Api, form: str, **more: Any) -> bytes:
    job = api.run("svc_form_export", id=form, **more)
    lane = JobWorker()
    while lane.run_once():
        pass
    assert api.run("svc_jobs_get", job_id=job["job_id"])["state"] == "done"
    return b"".join(jobs.open_file(get_job(api.account, job["job_id"])).content)


def test_an_export_contains_all_answers_even_of_older_versions_and_runs_no_formulas(api: Api, monkeypatch: Any) -> None:
    monkeypatch.setattr(response_export, "BATCH_SIZE", 2)
    fields = [
        {"label": "Name", "key": "name"},
        {"label": "Day", "key": "day", "type": "date"},
        {"label": "Count", "key": "count", "type": "number"},
        {"label": "Old", "key": "old"},
        {"label": "Email", "key": "mail", "type": "email"},
        {"label": "Hour", "key": "hour", "type": "time"},
    ]
    form = make_form(api, fields=fields)["id"]
    data = {"name": "=1+1", "day": "2026-12-24", "count": "2.50", "old": "kept", "email": None}
    data |= {"mail": "ada@example.com", "hour": "18:30"}
    for number in range(5):
        submit_response(form, number, **data)
    api.run("svc_form_save_fields", id=form, remove=["old"], items=[{"label": "New", "key": "new"}])
    text = export_file(api, form).decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    labels = ["Name", "Day", "Count", "Email", "Hour", "New", "Old (no longer asked)"]
    assert rows[0] == ["submitted", "reference", "status", *labels, "version", "id"] and len(rows) == 6
    assert rows[1][3:-2] == ["'=1+1", "2026-12-24", "2.5", "ada@example.com", "18:30", "", "kept"]
    monkeypatch.setattr(
        response_export, "MAX_PART_LENGTH", 10
    )  # parts that are too large to store in the job are read again
    book = io.BytesIO(export_file(api, form, format="xlsx"))
    result = CalamineWorkbook.from_filelike(book).get_sheet_by_index(0).to_python()
    expected = ["=1+1", date(2026, 12, 24), 2.5, "ada@example.com", time(18, 30), "", "kept"]
    assert len(result) == 6 and result[0] == rows[0] and result[1][3:-2] == expected
    assert result[1][0] == datetime.fromisoformat(rows[1][0]), "when it came, as a date and a time"
    with ZipFile(book) as pack:
        sheet, styles = (pack.read(f"xl/{name}.xml").decode() for name in ("worksheets/sheet1", "styles"))
    assert 'topLeftCell="A2" activePane="bottomLeft" state="frozen"' in sheet and "<b/>" in styles
    assert {"yyyy-mm-dd hh:mm", "yyyy-mm-dd", "hh:mm"} <= set(re.findall('formatCode="([^"]+)"', styles))
    widths = {
        item: float(width) for item, width in re.findall('<col min="([0-9]+)" max="[0-9]+" width="([^"]+)"', sheet)
    }
    assert widths["1"] > 16 and widths["7"] > 28 and max(widths.values()) < 60, "what stands in a column is seen"
    assert export_file(api, form, status="spam", format="csv").decode("utf-8-sig").count("\n") == 1
    submit_response(form, 9, name="Left", mail=None)
    Response.objects.filter(answers__name="Left").update(folder=PARTIAL, email="grace@example.com")
    started = list(csv.DictReader(io.StringIO(export_file(api, form, status="partial").decode("utf-8-sig"))))
    assert [(item["contact email"], item["Email"]) for item in started] == [("grace@example.com", "")]


@pytest.mark.parametrize("language", GUEST_LANGUAGES)
def test_every_template_is_a_valid_form_in_each_language(api: Api, language: str) -> None:
    keys = {}
    for name in template_gallery.TEMPLATE_NAMES:
        made = api.run("svc_form_create", title="Begun", copy_of=f"{name}.{language}")
        keys[name] = [field["key"] for page in made["pages"] for field in page["fields"]]
        english = [
            field["key"] for page in template_gallery.load_template(name, "en")["pages"] for field in page["fields"]
        ]
        assert keys[name] == english
    assert len(keys) >= 13
    assert len({template_gallery.load_template("rsvp", code)["title"] for code in GUEST_LANGUAGES}) == len(
        GUEST_LANGUAGES
    )


def test_files_of_guests_are_downloaded_as_one_zip(api: Api, stranger: Api, monkeypatch: Any) -> None:
    monkeypatch.setattr(downloads, "BATCH_SIZE", 2)  # the files of a response span two batches
    made = make_form(api, fields=[{"label": "Plans", "key": "plans", "type": "file", "max_files": 3}])
    form = Form.objects.get(pk=made["id"])
    content = bytes(number % 251 for number in range(3000))
    sent = {}
    for number in range(3):
        names = ("plan.txt", "Plan.txt", "ends")
        files = [GuestFile.store_file(form, "plans", name, "text/plain", content) for name in names]
        sent[submit_response(form, number, plans=[file.pk for file in files])[-8:].upper()] = [
            file.pk for file in files
        ]
    GuestFile.store_file(form, "plans", "never sent.txt", "text/plain", b"waits")
    first, *others = sorted(sent)
    store.delete(sent[first][2])  # a file that is missing from a restored backup
    told = api.run("svc_form_export", id=form.pk, kind="files")
    assert (told["rows"], told["format"], told["size"]) == (9, "zip", 27_000)
    address = told["file_url"].removeprefix(settings.BASE_URL)
    answer = api.client.get(address)
    assert answer.headers["Content-Disposition"] == f'attachment; filename="files-{form.slug}.zip"'
    with ZipFile(io.BytesIO(answer.getvalue())) as pack:
        assert pack.testzip() is None
        names = ["plan.txt", "Plan (2).txt"]
        assert sorted(pack.namelist()) == sorted(
            [f"{first}/{name}" for name in names] + [f"{value}/{name}" for value in others for name in (*names, "ends")]
        )
        assert pack.read(f"{first}/Plan (2).txt") == content
        assert pack.getinfo(f"{first}/Plan (2).txt").compress_size > len(content), "packed, not pressed"
    assert api.client.get(f"/files/{form.pk}?from=2999-01-01").getvalue()[:4] == b"PK\5\6", "none yet"
    assert api.client.get(f"/files/{form.pk}?status=all").status_code == 400
    assert stranger.client.get(address).status_code == 404


def test_a_guest_submits_a_file_that_only_the_owner_can_download(api: Api, stranger: Api, time_machine: Any) -> None:
    fields = [
        {"label": "Email", "key": "email", "type": "email", "required": True},
        {"label": "Colors", "key": "colors", "type": "checkboxes", "options": ["Red", "Blue"], "other": True},
        {"label": "Plan", "key": "plan", "type": "file", "accept": ["txt"]},
    ]
    made = make_form(api, fields=fields, thank_you={"text": "See you!"})
    path = f"/f/{made['slug']}"
    page = Client().get(path).content.decode()
    stamp = page.split('name="stamp" value="')[1].split('"')[0]
    time_machine.move_to(clock.now() + timedelta(seconds=10))
    sent = {
        "stamp": stamp,
        "version": "1",
        "f-email": "ada@",
        "f-colors": ["Blue", "-other"],
        "f-colors-other": "Gold",
        "f-plan": io.BytesIO(b"Four tables"),
    }
    sent["f-plan"].name = "plan.txt"  # type: ignore[attr-defined]
    answer = Client().post(path, sent)
    assert answer.status_code == 400 and 'href="#f-email"' in answer.content.decode()
    assert not Response.objects.exists()
    sent["f-plan"].seek(0)  # type: ignore[attr-defined]
    answer = Client().post(path, {**sent, "f-email": "ada@example.com"})
    assert answer.status_code == 303 and "See you!" in Client().get(answer["Location"]).content.decode()
    [row] = api.run("svc_form_responses", id=made["id"])["items"]
    assert row["answers"]["colors"] == ["Blue", "Gold"]
    [file] = row["files"]
    assert (file["name"], file["size"]) == ("plan.txt", 11)
    assert Form.objects.get(pk=made["id"]).files.filter(response=row["id"]).count() == 1
    address = urlsplit(file["url"]).path
    assert api.client.get(address).getvalue() == b"Four tables"
    assert stranger.client.get(address).status_code == 404 and "/sign-in/" in Client().get(address)["Location"]
