"""Rows created in bulk are stored as Django stores single ones."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from workspace.delivery.models import Job, JobItem
from workspace.storage.database import bulk_insert
from workspace.testing.api import make_account

pytestmark = pytest.mark.django_db


def test_bulk_rows_read_back_as_given_and_are_marked_as_saved() -> None:
    job = Job(account=make_account(), kind="a", title="\u00c5 'title'", noun="things", total=900)
    bulk_insert.create_rows([])
    bulk_insert.create_rows([job])
    bodies = [{"n": n, "text": "%s \\ \u00e9"} if n % 2 else [n, None, 1.5] for n in range(900)]
    bulk_insert.create_rows([JobItem(job=job, position=n, name=f"{n} %", body=body) for n, body in enumerate(bodies)])
    assert Job.objects.get(pk=job.pk).created_at == job.created_at
    found = job.items.order_by("position")
    assert [one.body for one in found] == bodies
    assert {(one.result, one.error) for one in found} == {(None, "")}
    job.total = 901
    job.save()  # updates the row and creates no other
    assert Job.objects.get().total == 901


def test_a_duplicate_position_rolls_back_all_rows() -> None:
    job = Job.objects.create(account=make_account(), kind="a", title="A", noun="things", total=2)
    with pytest.raises(IntegrityError), transaction.atomic():
        bulk_insert.create_rows([JobItem(job=job, position=place, name="", body={}) for place in (0, 1, 1)])
    assert not job.items.exists()
