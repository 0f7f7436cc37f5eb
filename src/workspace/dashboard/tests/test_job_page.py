"""The page of a job, and the part that reloads itself."""

from __future__ import annotations

import pytest
from django.test import Client

from workspace.accounts.models import Account
from workspace.delivery import jobs
from workspace.delivery.jobs.worker import JobWorker
from workspace.testing.api import Api
from workspace.testing.sample_jobs import letters

pytestmark = pytest.mark.django_db


def test_a_running_job_reloads_by_script_or_by_a_link(browser: Client, account: Account) -> None:
    job = jobs.start(account, "tests.letters", letters(12))
    JobWorker().run_once()
    page = browser.get(f"/app/jobs/{job.pk}").content.decode()
    assert '<progress max="12" value="5">' in page and "In progress" in page
    assert f'hx-get="/app/jobs/{job.pk}/progress" hx-trigger="every 2s"' in page
    assert f'href="/app/jobs/{job.pk}">Check again' in page
    part = browser.get(f"/app/jobs/{job.pk}/progress").content.decode()
    assert part.lstrip().startswith("<section") and "hx-trigger" in part


def test_a_finished_job_lists_errors_offers_its_file_and_does_not_reload(browser: Client, account: Account) -> None:
    items = letters(3)
    items[1] |= {"refused": True, "name": "<b>Ana</b>"}
    job = jobs.start(account, "tests.letters", items)
    JobWorker().run_once()
    JobWorker().run_once()
    part = browser.get(f"/app/jobs/{job.pk}/progress").content.decode()
    assert "hx-trigger" not in part and "Stop" not in part and "Check again" not in part
    assert "Partly done" in part and "&lt;b&gt;Ana&lt;/b&gt;" in part and "Nobody lives there" in part
    assert f'href="/files/{job.pk}"' in part and "Letters.csv" in part


def test_stopping_returns_to_the_page_with_a_message_even_if_the_job_is_over(browser: Client, account: Account) -> None:
    job = jobs.start(account, "tests.letters", letters(3))
    for words in ("Job stopped. Completed items are kept.", "already ended"):
        response = browser.post(f"/app/jobs/{job.pk}/stop")
        assert (response.status_code, response.headers["Location"]) == (303, f"/app/jobs/{job.pk}")
        assert words in browser.get(f"/app/jobs/{job.pk}").content.decode()


def test_another_account_s_job_is_not_found(stranger: Api, account: Account) -> None:
    job = jobs.start(account, "tests.letters", letters(3))
    client = Client()
    client.force_login(stranger.account.owner)
    for path in ("", "/progress"):
        assert client.get(f"/app/jobs/{job.pk}{path}").status_code == 404
    assert client.post(f"/app/jobs/{job.pk}/stop").status_code == 404
    assert client.get(f"/app/jobs/{'x' * 200}").status_code == 404
    job.refresh_from_db()
    assert job.state == "waiting"
