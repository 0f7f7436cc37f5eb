from __future__ import annotations

import pytest

from workspace.accounts.models import Account
from workspace.products.reviews import models
from workspace.products.reviews.rules.testimonial_fields import find_excerpt
from workspace.testing.api import Api
from workspace.testing.reviews_guest import open_page, read_page, send

TEXT = "I was unhappy at first.\n\nThen came the cake: it was not bad at all (really)."


@pytest.mark.parametrize(
    "excerpt",
    [
        "Then came the cake",
        "  Then came   the cake ",
        "at first. Then came",
        "… it was not bad at all …",
        "(really).",
        "I was unhappy at first.",
    ],
)
def test_a_part_of_the_text_is_a_valid_excerpt(excerpt: str) -> None:
    assert find_excerpt(TEXT, excerpt) in TEXT


@pytest.mark.parametrize(
    "excerpt",
    [
        "I was happy at first.",
        "happy at first",  # no word is cut off
        "Then came the cak",
        "then came the cake",
        "it was bad at all",
        "I was … bad at all",
        "The best cake in town",
        "Then came the cake!",
    ],
)
def test_words_that_the_text_does_not_contain_are_not_an_excerpt(excerpt: str) -> None:
    with pytest.raises(ValueError, match="Copy the excerpt exactly"):
        find_excerpt(TEXT, excerpt)


@pytest.mark.django_db
def test_an_excerpt_is_shown_with_access_to_the_full_text(account: Account, api: Api) -> None:
    page = open_page(account)
    send(page, text=TEXT)
    id = models.Testimonial.objects.get().pk
    api.run("svc_reviews_approve", page_id=page.pk, item_id=id)
    save = {"page_id": page.pk, "items": [{"id": id, "excerpt": "I was happy"}]}
    body = api.refuse("svc_reviews_save_items", **save)
    assert [issue["path"] for issue in body["issues"]] == ["items.0.excerpt"]
    save["items"][0]["excerpt"] = "Then came the cake"
    [result] = api.run("svc_reviews_save_items", **save)["items"]
    assert (result["excerpt"], result["text"]) == ("Then came the cake", TEXT)
    text = read_page(f"/r/{page.slug}/wall").text
    assert "… Then came the cake … Read more I was unhappy at first." in text
    save["items"][0]["excerpt"] = ""
    assert api.run("svc_reviews_save_items", **save)["items"][0]["excerpt"] == ""
    assert "Read more" not in read_page(f"/r/{page.slug}/wall").text


@pytest.mark.django_db
def test_no_tool_can_change_a_guests_text(account: Account, api: Api) -> None:
    page = open_page(account)
    send(page, text=TEXT)
    id = models.Testimonial.objects.get().pk
    changed = {"text": "Lovely!", "name": "Otto", "rating": 1, "email": "o@example.com", "written_on": "2024-01-01"}
    body = api.refuse("svc_reviews_save_items", page_id=page.pk, items=[{"id": id, **changed}])
    assert {issue["path"] for issue in body["issues"]} == {f"items.0.{name}" for name in changed}
    result = models.Testimonial.objects.get()
    assert (result.text, result.name, result.rating) == (TEXT, "Ida Stern", 5)
    same = api.run("svc_reviews_save_items", page_id=page.pk, items=[{"id": id, "text": TEXT, "tags": ["cake"]}])
    assert same["items"][0]["tags"] == ["cake"], "what is sent along unchanged is no change"
