"""A person who appears in all tables of forms, for the test of erasing them."""

from __future__ import annotations

from django.test import Client

from workspace.delivery.jobs.worker import JobWorker
from workspace.delivery.models import Job
from workspace.products.form.models import PARTIAL, Form, GuestFile
from workspace.testing.api import Api
from workspace.testing.samples.form import submit_response


def submit_person_responses(api: Api, name: str, email: str, text: str, at_home: str) -> None:
    """Submit responses by the person: identified by email, by phone only, unfinished, or named by someone else."""
    fields = [
        {"label": "Name", "key": "name"},
        {"label": "E-mail", "key": "email", "type": "email"},
        {"label": "Phone", "key": "phone", "type": "phone"},
        {"label": "Plan", "key": "plan", "type": "file"},
        {"label": "Note", "key": "note", "type": "long_text"},
    ]
    made = api.run("svc_form_create", title="Ask us", fields=fields)
    form = Form.objects.get(pk=made["id"])
    given = [
        {"name": name, "email": email.title(), "phone": text},
        {"name": name, "phone": at_home},
        {"name": "Bea", "email": "bea@example.com", "note": f"Tell {email} too"},
    ]
    for number, answers in enumerate(given):
        file = GuestFile.store_file(form, "plan", f"{number}.txt", "text/plain", f"Ring {text}".encode())
        submit_response(form, number, **{"email": None, **answers, "plan": [file.pk]})
    page = Client().get(f"/f/{form.slug}").content.decode()
    stamp = page.split('name="stamp" value="')[1].split('"')[0]
    answers = {"f-name": name, "page": "page_1", "version": "1", "stamp": stamp, "go": "later", "later": email}
    sent = Client().post(f"/f/{form.slug}", answers)
    assert sent.status_code == 200
    assert form.responses.filter(folder=PARTIAL).exists()
    api.run("svc_form_export", id=form.pk, format="xlsx")
    while JobWorker().run_once():
        pass
    assert Job.objects.exclude(file_name="").exists()
