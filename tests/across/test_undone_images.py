"""Undo of a change of an image counts its uses again, so that no image in use expires."""

from __future__ import annotations

import pytest
from django.apps import apps

from workspace.accounts.models import Upload
from workspace.products.bid.models import Proposal
from workspace.publishing.models import PublishedItem
from workspace.storage.database.transactions import write_transaction
from workspace.storage.journal import record_journal
from workspace.storage.undo import undo_change
from workspace.testing.api import Api
from workspace.testing.pictures import picture

pytestmark = pytest.mark.django_db

PICTURES = [
    pytest.param(model, name, id=f"{model._meta.label} {name}")
    for model in apps.get_models()
    if issubclass(model, PublishedItem)
    for name in model.pictures
]


@pytest.mark.parametrize(("model", "name"), PICTURES)
def test_undo_counts_the_uses_of_images(
    model: type[PublishedItem], name: str, furnished: tuple[Api, dict[str, str]]
) -> None:
    api, _ = furnished
    first, second = (api.run("svc_upload_file", content=picture())["upload_id"] for _ in range(2))
    drafts = {"status": "draft"} if model is Proposal else {}  # a sent proposal changes only with a revision
    item = model._base_manager.filter(account=api.account, binned_at=None, **drafts).order_by("pk")[0]
    with write_transaction():
        item.attach_image(name, first)
    with write_transaction(), record_journal() as journal:
        item.attach_image(name, second)
    with write_transaction():
        undo_change("change", journal.entries)
    item.refresh_from_db()
    assert getattr(item, f"{name}_id") == first
    assert [Upload.objects.get(pk=id).use_count for id in (first, second)] == [1, 0]
