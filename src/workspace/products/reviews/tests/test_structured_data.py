"""The structured data is parsed by an HTML and a JSON parser and compared with the visible page."""

from __future__ import annotations

import json

import pytest

from workspace.accounts.models import Account
from workspace.products.reviews import models
from workspace.testing.api import Api
from workspace.testing.reviews_guest import open_page, read_page, send

pytestmark = pytest.mark.django_db
EVIL = "</script><!-- <script> ]]> & \u2028 “quotes” \"'\\ ünïcödé"


def test_structured_data_contains_only_what_the_page_shows(account: Account, api: Api) -> None:
    page = open_page(account)
    send(page, text=f"Lovely. {EVIL.replace(chr(0x2028), '')}", name="Zoë </script>", rating="5")
    send(page, text="Hidden and bad.", name="Otto", rating="2")
    send(page, text="Not shown.", name="Udo", rating="4")
    send(page, text="For you only.", name="Eva", consent=None, rating="4")
    shown = models.Testimonial.objects.get(rating=5)
    api.run("svc_reviews_approve", page_id=page.pk, item_id=shown.pk)
    reader = read_page(f"/r/{page.slug}/wall")
    [block] = reader.blocks
    data = json.loads(block)
    assert (data["@context"], data["@type"], data["name"]) == ("https://schema.org", "Organization", "Corner Café")
    [review] = data["review"]
    visible = reader.text
    assert " ".join(review["reviewBody"].split()) in visible
    assert review["author"] == {"@type": "Person", "name": "Zoë </script>"}
    assert review["author"]["name"] in visible
    assert review["reviewRating"]["ratingValue"] == 5
    assert "5 out of 5 stars" in reader.labels
    aggregate = data["aggregateRating"]
    assert f"{aggregate['ratingValue']} ★ out of 5 stars" in visible
    assert f"of {aggregate['ratingCount']} ratings" in visible
    assert (aggregate["ratingValue"], aggregate["ratingCount"]) == ("3.7", 3)
    for hidden in ("Hidden and bad", "Otto", "Not shown", "For you only", "Eva"):
        assert hidden not in block and hidden not in visible


def test_an_empty_page_has_no_structured_data(account: Account) -> None:
    assert read_page(f"/r/{open_page(account).slug}/wall").blocks == []


def test_the_widget_and_the_form_have_no_structured_data(account: Account) -> None:
    page = open_page(account)
    send(page)
    models.Testimonial.objects.update(status="approved")
    page.mark_changed()
    for path in ("", "/embed"):
        assert read_page(f"/r/{page.slug}{path}").blocks == []


def test_testimonials_added_by_the_owner_do_not_count_toward_the_average(account: Account, api: Api) -> None:
    page = open_page(account)
    added = {"name": "Eva", "text": "Superb", "rating": 5, "consented": True, "action": "approve"}
    api.run("svc_reviews_save_items", page_id=page.pk, items=[added])
    [block] = read_page(f"/r/{page.slug}/wall").blocks
    data = json.loads(block)
    assert "aggregateRating" not in data
    assert data["review"][0]["reviewBody"] == "Superb"
