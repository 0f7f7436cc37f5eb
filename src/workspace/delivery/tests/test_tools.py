from __future__ import annotations

import pytest
from django.test import Client

from workspace.delivery import jobs
from workspace.delivery.jobs.tools import MAX_FAULTS
from workspace.delivery.jobs.worker import JobWorker
from workspace.delivery.models.job import MAX_ACTIVE_JOBS
from workspace.testing.api import Api
from workspace.testing.sample_jobs import letters

pytestmark = pytest.mark.django_db


def _work_off() -> None:
    lane = JobWorker()
    while lane.run_once():
        pass


def _get_job(api: Api, job: jobs.Job) -> tuple[dict, str]:
    status, body = api.get("jobs/get", job_id=job.pk)
    assert status == 200, body
    return body["data"], body["text"]


def test_an_active_job_reports_its_progress_and_the_next_step(api: Api) -> None:
    job = jobs.start(api.account, "tests.letters", letters(12))
    assert _get_job(api, job)[0]["state"] == "waiting"
    JobWorker().run_once()
    data, text = _get_job(api, job)
    assert (data["state"], data["done"], data["total"], data["faults"]) == ("working", 5, 12, [])
    assert "file" not in data and "ended_at" not in data
    assert "5 of 12 letters" in text and "Check again" in text and job.pk in text and data["url"] in text


def test_the_text_of_a_finished_job_contains_all_of_its_data(api: Api) -> None:
    items = letters(4)
    items[2] |= {"refused": True, "name": "Ana *the* [Great]"}
    job = jobs.start(api.account, "tests.letters", items)
    _work_off()
    data, text = _get_job(api, job)
    assert data["faults"] == [{"number": 3, "name": "Ana *the* [Great]", "message": "Nobody lives there"}]
    assert data["file"]["url"] in text and data["file"]["name"] in text and str(data["file"]["size"]) in text
    for value in (data["started_at"], data["ended_at"], data["file"]["expires_at"], data["title"], data["state"]):
        assert value in text
    assert r"3. Ana \*the\* \[Great\]: Nobody lives there" in text
    assert "send only those again" in text


def test_many_errors_are_listed_in_part_and_counted_in_full(api: Api) -> None:
    job = jobs.start(api.account, "tests.letters", letters(MAX_FAULTS + 3, refused=True))
    _work_off()
    data, text = _get_job(api, job)
    assert (data["faulty"], len(data["faults"])) == (MAX_FAULTS + 3, MAX_FAULTS)
    assert "and 3 more" in text


def test_stopping_returns_what_was_done_and_a_second_stop_is_rejected(api: Api) -> None:
    job = jobs.start(api.account, "tests.letters", letters(12))
    JobWorker().run_once()
    stopped = api.run("svc_jobs_stop", job_id=job.pk)
    assert (stopped["state"], stopped["done"]) == ("stopped", 5)
    assert "already ended" in api.refuse("svc_jobs_stop", job_id=job.pk)["message"]


def test_undoing_a_stop_continues_the_job_where_it_stopped(api: Api) -> None:
    job = jobs.start(api.account, "tests.letters", letters(12))
    JobWorker().run_once()
    stop = api.run("svc_jobs_stop", job_id=job.pk)["change"]["id"]
    again = api.run("svc_undo", change_id=stop)["change"]["id"]
    assert _get_job(api, job)[0]["state"] == "working"
    api.run("svc_undo", change_id=again)
    assert _get_job(api, job)[0]["state"] == "stopped"
    api.run("svc_undo", change_id=stop)
    _work_off()
    data = _get_job(api, job)[0]
    assert (data["state"], data["done"], data["faulty"]) == ("done", 12, 0)
    written = b"".join(f"guest{number},sent, drawing of guest{number}\n".encode() for number in range(12))
    assert api.client.get(f"/files/{job.pk}").getvalue() == written


def test_undoing_a_stop_respects_the_limit_of_active_jobs(api: Api) -> None:
    job = jobs.start(api.account, "tests.letters", letters(1))
    api.run("svc_jobs_stop", job_id=job.pk)
    for _ in range(MAX_ACTIVE_JOBS):
        jobs.start(api.account, "tests.letters", letters(1))
    assert "Wait until one" in api.refuse("svc_undo")["message"]
    assert _get_job(api, job)[0]["state"] == "stopped"


def test_the_file_is_downloaded_with_the_accounts_key_and_no_other(api: Api, stranger: Api) -> None:
    job = jobs.start(api.account, "tests.letters", letters(2))
    path = f"/files/{job.pk}"
    assert api.client.get(path).status_code == 404, "there is no file yet"
    _work_off()
    response = api.client.get(path)
    assert response.getvalue() == b"guest0,sent, drawing of guest0\nguest1,sent, drawing of guest1\n"
    assert response["Content-Disposition"] == 'attachment; filename="Letters.csv"'
    assert response["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in response["Content-Security-Policy"] and "no-store" in response["Cache-Control"]
    assert stranger.client.get(path).status_code == 404
    assert Client().get(path).headers["Location"].startswith("/sign-in/")
    assert Client(headers={"authorization": "Bearer nonsense"}).get(path).status_code == 401
    assert api.client.post(path).status_code == 405
    assert api.client.get("/files/job_%00").status_code == 404


def test_the_file_is_downloaded_by_a_signed_in_member(api: Api, stranger: Api) -> None:
    job = jobs.start(api.account, "tests.letters", letters(2))
    _work_off()
    owner, other = Client(), Client()
    owner.force_login(api.account.owner)
    other.force_login(stranger.account.owner)
    assert owner.get(f"/files/{job.pk}").getvalue().startswith(b"guest0")
    assert other.get(f"/files/{job.pk}").status_code == 404
