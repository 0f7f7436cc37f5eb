"""Undo of changes to a page and its testimonials."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from workspace.accounts.models import Account, Upload
from workspace.delivery.models import Delivery
from workspace.lib import clock
from workspace.products.reviews import models
from workspace.products.reviews.models import ReviewPage
from workspace.publishing.models import SoftDeleted
from workspace.testing.api import Api
from workspace.testing.pictures import picture
from workspace.testing.reviews_guest import open_page, photo, read_page, send

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(account: Account) -> ReviewPage:
    return open_page(account, title="How was it?", intro="Tell us")


def save(api: Api, page: ReviewPage, *items: dict[str, Any], **more: Any) -> Any:
    return api.run("svc_reviews_save_items", page_id=page.pk, items=list(items), **more)


def now(api: Api, id: str) -> Any:
    return api.run("svc_reviews_get", item_id=id)["item"]


def test_undo_restores_the_texts_and_the_state_of_a_page(page: ReviewPage, api: Api) -> None:
    slug = page.slug
    edited = api.run("svc_reviews_edit", page_id=page.pk, intro="", hosts=["a.example"], live=False, slug="new-name")
    assert edited["change"]["before"][page.pk] == {"intro": "Tell us", "hosts": [], "slug": slug, "live": True}
    assert (edited["state"], edited["slug"]) == ("paused", "new-name")
    api.run("svc_undo")
    result = api.run("svc_reviews_get", page_id=page.pk)["page"]
    assert (result["intro"], result["hosts"], result["state"], result["slug"]) == ("Tell us", [], "live", slug)


def test_decisions_replies_and_tags_of_several_testimonials_are_undone_together(page: ReviewPage, api: Api) -> None:
    send(page, text="One.")
    send(page, text="Two.", after=0.5)  # suspicious
    before = {item.pk: now(api, item.pk) for item in models.Testimonial.objects.all()}
    items = [{"id": id, "action": "feature", "reply": "Thanks", "add_tags": ["food"]} for id in before]
    save(api, page, *items)
    wall = f"/r/{page.slug}/wall"
    assert "One." in read_page(wall).text and "Thanks" in read_page(wall).text
    api.run("svc_undo")
    assert {id: now(api, id) for id in before} == before
    assert "One." not in read_page(wall).text


def test_undo_removes_added_testimonials_and_restores_removed_ones_with_their_ids(page: ReviewPage, api: Api) -> None:
    send(page, text="Stay.", photo=photo())
    id = models.Testimonial.objects.get().pk
    before = now(api, id)
    added = save(api, page, {"name": "Eva", "text": "Superb"}, remove=[id])["added"]
    assert [item["id"] for item in api.run("svc_reviews_list")["items"]] == added
    undone = api.run("svc_undo")["change"]["id"]
    assert now(api, id) == before
    assert api.run("svc_reviews_list")["total"] == 1
    api.run("svc_undo", change_id=undone)
    assert [item["id"] for item in api.run("svc_reviews_list")["items"]] == added


def test_a_deleted_page_and_a_testimonial_deleted_before_are_restored(page: ReviewPage, api: Api) -> None:
    send(page, text="Good soup.", photo=photo())
    id = models.Testimonial.objects.get().pk
    single = api.run("svc_reviews_delete", ids=[id])["change"]["id"]
    assert api.refuse("svc_reviews_get", item_id=id)["error"] == "not_found"
    whole = api.run("svc_reviews_delete", ids=[page.pk])["change"]["id"]
    assert api.run("svc_reviews_get")["pages"]["total"] == 0
    api.run("svc_undo", change_id=whole)
    assert read_page(f"/r/{page.slug}").text
    assert api.run("svc_reviews_list")["total"] == 0, "what had been deleted before is still in the bin"
    api.run("svc_undo", change_id=single)
    assert now(api, id)["photo_url"]


def test_a_photo_in_the_bin_is_released_after_thirty_days(page: ReviewPage, api: Api) -> None:
    send(page, photo=photo())
    api.run("svc_reviews_delete", ids=[models.Testimonial.objects.get().pk])
    for days, uses in ((29, 1), (31, 0)):
        with time_machine.travel(clock.now() + timedelta(days=days)):
            SoftDeleted.purge_deleted()
        assert Upload.objects.get().use_count == uses
    assert not models.Testimonial._base_manager.exists()


def test_undo_restores_a_removed_photo(page: ReviewPage, api: Api) -> None:
    upload = api.run("svc_upload_file", content=picture())["upload_id"]
    [id] = save(api, page, {"name": "Eva", "text": "Superb", "photo_id": upload})["added"]
    save(api, page, {"id": id, "photo_id": ""})
    api.run("svc_undo")
    assert now(api, id)["photo_id"] == upload


def test_a_write_without_changes_says_so_and_leaves_the_cached_page(page: ReviewPage, api: Api) -> None:
    send(page)
    id = models.Testimonial.objects.get().pk
    version = ReviewPage.objects.get().publication.version
    for name, arguments in (
        ("svc_reviews_edit", {"page_id": page.pk, "title": "How was it?", "live": True, "slug": page.slug}),
        ("svc_reviews_approve", {"page_id": page.pk, "item_id": id, "action": "unfeature"}),
        ("svc_reviews_save_items", {"page_id": page.pk, "items": [{"id": id, "tags": []}]}),
    ):
        _, body = api.post("call", {"name": name, "arguments": arguments})
        assert body["data"]["change"] is None, name
        assert "o changes" in body["text"], name
    assert ReviewPage.objects.get().publication.version == version


def test_a_write_to_many_testimonials_takes_as_many_queries_as_to_a_few(page: ReviewPage, api: Api) -> None:
    counts = []
    for number in (3, 60):
        suspects = models.Testimonial.objects.bulk_create(
            models.Testimonial(
                account=page.account,
                page=page,
                name="Ida",
                text=f"Words {value}",
                email=f"g{number}-{value}@example.com",
                suspicion="many",
                consented_at=clock.now(),
            )
            for value in range(number)
        )
        ids = [suspect.pk for suspect in suspects]
        imported = [
            {"name": f"Guest {value}", "text": f"Words {number} {value}", "rating": 5} for value in range(number)
        ]
        items = [{"id": id, "action": "approve", "add_tags": ["new"], "reply": "Thanks"} for id in ids]
        mails = Delivery.objects.count()
        with CaptureQueriesContext(connection) as saving:
            save(api, page, *items, *imported)
        assert Delivery.objects.count() == mails + number, "each gets the link that confirms its address"
        with CaptureQueriesContext(connection) as undoing:
            api.run("svc_undo")
        with CaptureQueriesContext(connection) as deleting:
            api.run("svc_reviews_delete", ids=ids)
        counts.append((len(saving), len(undoing), len(deleting)))
    # SQLite limits the number of values in one statement
    assert all(many <= few + 3 for few, many in zip(*counts, strict=True)), counts
