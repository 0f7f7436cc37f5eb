from __future__ import annotations

import pytest
from django.test import Client

from workspace.accounts.models import Account
from workspace.products.reviews import models
from workspace.products.reviews.models import ReviewPage
from workspace.testing.api import Api
from workspace.testing.reviews_guest import open_page, read_page, send

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(account: Account) -> ReviewPage:
    return open_page(account)


def submit_review(page: ReviewPage, text: str, **more: object) -> str:
    send(page, text=text, **more)
    return str(models.Testimonial.objects.get(text=text).pk)


def wall(page: ReviewPage) -> str:
    return read_page(f"/r/{page.slug}/wall").text


def moderate(api: Api, page: ReviewPage, id: str, action: str) -> dict[str, object]:
    result: dict[str, object] = api.run("svc_reviews_approve", page_id=page.pk, item_id=id, action=action)
    return result


def test_approve_is_the_default_action_and_takes_effect_at_once(page: ReviewPage, api: Api) -> None:
    id = submit_review(page, "Good soup.")
    assert "Good soup." not in wall(page)
    assert api.run("svc_reviews_approve", page_id=page.pk, item_id=id)["status"] == "approved"
    assert "Good soup." in wall(page)


def test_hiding_takes_effect_at_once(page: ReviewPage, api: Api) -> None:
    id = submit_review(page, "Good soup.")
    moderate(api, page, id, "approve")
    assert "Good soup." in wall(page)
    result = moderate(api, page, id, "hide")
    assert (result["status"], result["featured"]) == ("hidden", False)
    assert "Good soup." not in wall(page)


def test_featuring_approves_and_pins_a_testimonial(page: ReviewPage, api: Api) -> None:
    first, second = submit_review(page, "The older words."), submit_review(page, "The newer words.")
    moderate(api, page, second, "approve")
    result = moderate(api, page, first, "feature")
    assert (result["status"], result["featured"]) == ("approved", True)
    assert wall(page).index("The older") < wall(page).index("The newer")


def test_unfeaturing_leaves_a_testimonial_approved_in_its_place(page: ReviewPage, api: Api) -> None:
    first, second = submit_review(page, "The older words."), submit_review(page, "The newer words.")
    for id in (first, second):
        moderate(api, page, id, "feature" if id == first else "approve")
    result = moderate(api, page, first, "unfeature")
    assert (result["status"], result["featured"]) == ("approved", False)
    assert wall(page).index("The newer") < wall(page).index("The older")


def test_unfeaturing_a_pending_testimonial_does_not_show_it(page: ReviewPage, api: Api) -> None:
    assert moderate(api, page, submit_review(page, "Good soup."), "unfeature")["status"] == "pending"


@pytest.mark.parametrize("action", ["approve", "feature"])
def test_a_testimonial_without_consent_cannot_be_shown(action: str, page: ReviewPage, api: Api) -> None:
    id = submit_review(page, "Between us.", consent=None)
    body = api.refuse("svc_reviews_approve", page_id=page.pk, item_id=id, action=action)
    assert (body["error"], "didn’t agree" in body["message"]) == ("tool_error", True)


def test_no_one_can_consent_for_a_guest(page: ReviewPage, api: Api) -> None:
    id = submit_review(page, "Between us.", consent=None)
    body = api.refuse("svc_reviews_save_items", page_id=page.pk, items=[{"id": id, "consented": True}])
    assert [issue["path"] for issue in body["issues"]] == ["items.0.consented"]


def test_withdrawing_consent_hides_a_testimonial(page: ReviewPage, api: Api) -> None:
    id = submit_review(page, "Good soup.")
    moderate(api, page, id, "feature")
    assert "Good soup." in wall(page)
    [result] = api.run("svc_reviews_save_items", page_id=page.pk, items=[{"id": id, "consented": False}])["items"]
    assert (result["status"], result["consented"], result["featured"]) == ("hidden", False, False)
    assert "Good soup." not in wall(page)
    assert api.refuse("svc_reviews_approve", page_id=page.pk, item_id=id)["error"] == "tool_error"


def test_a_testimonial_is_found_only_on_its_own_page(account: Account, page: ReviewPage, api: Api) -> None:
    id, other = submit_review(page, "Good soup."), open_page(account)
    assert api.refuse("svc_reviews_approve", page_id=other.pk, item_id=id)["error"] == "not_found"


def test_several_testimonials_are_moderated_in_one_step_and_private_ones_are_reported(
    page: ReviewPage, api: Api
) -> None:
    ids = [submit_review(page, "One."), submit_review(page, "Two.", consent=None), submit_review(page, "Three.")]
    items = [{"id": id, "action": "approve", "add_tags": ["Food ", "food"]} for id in ids]
    done = api.run("svc_reviews_save_items", page_id=page.pk, items=items)
    assert (len(done["items"]), [item["id"] for item in done["skipped"]]) == (2, [ids[1]])
    assert [item["status"] for item in done["items"]] == ["approved", "approved"]
    assert [item["tags"] for item in done["items"]] == [["food"], ["food"]]
    assert {item["id"] for item in api.run("svc_reviews_search", tag="FOOD")["items"]} == {ids[0], ids[2]}
    assert "Two." not in wall(page)


def test_a_bulk_step_with_an_unknown_id_changes_nothing(page: ReviewPage, api: Api, stranger: Api) -> None:
    id = submit_review(page, "One.")
    hide = {"page_id": page.pk, "items": [{"id": id, "action": "hide"}]}
    unknown = {**hide, "items": [*hide["items"], {"id": "rev_nothing", "action": "hide"}]}
    assert api.refuse("svc_reviews_save_items", **unknown)["error"] == "not_found"
    assert stranger.refuse("svc_reviews_save_items", **hide)["error"] == "not_found"
    assert models.Testimonial.objects.get().status == "pending"


def test_a_reply_is_public_and_can_be_removed(page: ReviewPage, api: Api) -> None:
    id = submit_review(page, "Good soup.")
    moderate(api, page, id, "approve")
    api.run("svc_reviews_save_items", page_id=page.pk, items=[{"id": id, "reply": "Thank you,\ncome <again>!"}])
    assert "Thank you, come <again>!" in wall(page)
    assert b"<again>" not in Client().get(f"/r/{page.slug}/wall").content
    api.run("svc_reviews_save_items", page_id=page.pk, items=[{"id": id, "reply": ""}])
    assert "come" not in wall(page)


def test_erasing_removes_text_photo_and_email(page: ReviewPage, api: Api) -> None:
    from workspace.accounts.models import Upload
    from workspace.testing.reviews_guest import photo

    id = submit_review(page, "Good soup.", photo=photo(), email="ida@example.com")
    api.run("svc_reviews_save_items", page_id=page.pk, items=[{"id": id, "reply": "Thanks, Ida!"}])
    api.run("svc_reviews_delete", ids=[id])
    erased = api.run("svc_reviews_delete", ids=[id], erase=True)["change"]
    assert erased["cannot_be_undone"] and api.refuse("svc_undo", change_id=erased["id"])["error"] == "tool_error"
    assert not models.Testimonial._base_manager.exists()
    stored = repr(list(page.account.changes.exclude(pk=erased["id"]).values()))
    assert id not in stored and "Ida" not in stored, "nor do earlier changes hold any of it"
    assert not Upload.objects.exists(), "at once, and not when housekeeping comes by"
    assert api.refuse("svc_reviews_get", page_id=page.pk, item_id=id)["error"] == "not_found"


def test_the_search_ignores_case_and_accents(page: ReviewPage, api: Api) -> None:
    submit_review(page, "Der CAFÉ-Kuchen 100%", name="Jürgen")
    submit_review(page, "Something else", name="Otto")
    for q in ("café", "CAFE-k", "jurgen", "100%"):
        assert [item["name"] for item in api.run("svc_reviews_search", q=q)["items"]] == ["Jürgen"], q
    assert api.run("svc_reviews_search", q="1%0")["total"] == 0
