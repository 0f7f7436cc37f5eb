from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from workspace.accounts.models import Account
from workspace.products.reviews import models
from workspace.products.reviews.models import ReviewPage
from workspace.testing.api import make_account
from workspace.testing.reviews_guest import open_page, photo, send

pytestmark = pytest.mark.django_db
TABS = (
    *("", "/look", "/share", "/share/websites", "/items", "/results", "/settings", "/delete", "/preview"),
    *("/items/add", "/items/import", "/items/import/sample.csv"),
)


@pytest.fixture
def owner(account: Account) -> Client:
    client = Client()
    client.force_login(account.owner)
    return client


@pytest.fixture
def page(account: Account) -> ReviewPage:
    page = open_page(account)
    send(page, text="Good <b>soup</b>.", byline="Linz", email="ida@example.com")
    return page


def after(client: Client, path: str, fields: dict[str, Any] | None = None) -> str:
    """Post to the path and return the text of the page that follows."""
    response = client.post(path, fields or {})
    assert response.status_code == 303, response.content
    return read_page(client, response["Location"])


def only() -> Any:
    return models.Testimonial.objects.get()


def read_page(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200, (path, response.content)
    return response.content.decode()


def test_every_page_opens_only_for_its_owner(owner: Client, page: ReviewPage) -> None:
    stranger = Client()
    stranger.force_login(make_account().owner)
    item = f"/app/reviews/{page.pk}/items/{only().pk}"
    paths = [f"/app/reviews/{page.pk}{tab}" for tab in TABS] + [item, f"{item}/delete"]
    for path in (*paths, "/app/reviews", "/app/reviews/new"):
        html = read_page(owner, path)
        assert "<b>soup" not in html or path.endswith(".csv")
        assert Client().get(path).status_code == 302
    for path in paths:
        assert stranger.get(path).status_code == 404, path
    assert owner.get(f"/app/reviews/{page.pk}/items/rev_nothing").status_code == 404
    assert owner.get("/app/reviews/%00").status_code == 404


def test_an_owner_without_pages_is_guided_to_create_one(owner: Client) -> None:
    assert "Create review page" in read_page(owner, "/app/reviews")
    response = owner.post("/app/reviews/new", {"title": "How was it?", "intro": "", "slug": "Corner-Cafe"})
    page = models.ReviewPage.objects.get()
    assert (response.status_code, response["Location"]) == (303, f"/app/reviews/{page.pk}?made")
    assert "/r/corner-cafe" in read_page(owner, response["Location"])
    refused = owner.post("/app/reviews/new", {"title": "", "slug": "corner-cafe"})
    assert refused.status_code == 422


def test_the_inbox_filters_by_status_words_and_tag(owner: Client, page: ReviewPage) -> None:
    models.Testimonial.objects.update(tags="|food|")
    home = f"/app/reviews/{page.pk}/items"
    for query, is_there in (
        ("", True),
        ("?status=pending", True),
        ("?status=approved", False),
        ("?q=SOUP", True),
        ("?q=cake", False),
        ("?tag=food", True),
        ("?tag=other", False),
        ("?q=%00&tag=%7C&status=x&offset=9x", True),  # meaningless values
    ):
        assert ("Ida Stern" in read_page(owner, home + query)) is is_there, query


def test_a_testimonial_is_approved_pinned_and_hidden_from_the_list(owner: Client, page: ReviewPage) -> None:
    item = f"/app/reviews/{page.pk}/items/{only().pk}"
    here = f"/app/reviews/{page.pk}/items?status=pending"
    response = owner.post(f"{item}/act", {"action": "approve", "_here": here})
    assert (response["Location"], only().status) == (here, "approved")
    response = owner.post(f"{item}/act", {"action": "feature", "_here": "https://evil.example"})
    assert (response["Location"], only().is_featured) == (item, True)
    assert owner.post(f"{item}/act", {"action": "explode"}).status_code == 303
    assert only().status == "approved"


def test_several_testimonials_are_moderated_at_once(owner: Client, page: ReviewPage) -> None:
    send(page, text="Private.", consent=None)
    ids = list(models.Testimonial.objects.values_list("pk", flat=True))
    path = f"/app/reviews/{page.pk}/items/moderate"
    html = after(owner, path, {"item_ids": ids, "action": "approve", "add_tags": "Food"})
    assert "Review approved." in html and "wasn’t changed because consent isn’t recorded" in html
    assert models.Testimonial.objects.get(status="approved").tag_list == ["food"]
    assert "Select at least one review" in after(owner, path, {"action": "approve"})


def test_reply_excerpt_and_tags_are_saved_or_show_errors(owner: Client, page: ReviewPage) -> None:
    item = f"/app/reviews/{page.pk}/items/{only().pk}"
    owner.post(f"{item}/reply", {"reply": "Thank you!"})
    owner.post(f"{item}/edit", {"excerpt": "soup", "tags": "Food, Lunch ", "relationship": "gift", "_has": "tags"})
    result = only()
    assert (result.reply, result.tag_list, result.relationship) == ("Thank you!", ["food", "lunch"], "gift")
    assert result.excerpt == "soup"
    refused = owner.post(f"{item}/edit", {"excerpt": "The best soup", "tags": "", "relationship": "gift"})
    assert refused.status_code == 422
    assert "Copy the excerpt exactly from the text" in refused.content.decode()
    assert "Thank you!" in refused.content.decode(), "the other form still shows what stands"


def test_an_added_testimonial_can_have_a_photo(owner: Client, page: ReviewPage) -> None:
    path = f"/app/reviews/{page.pk}/items/add"
    fields = {"name": "Eva", "text": "Superb", "rating": "4", "source_name": "Guest book", "consented": "true"}
    assert owner.post(path, {**fields, "photo": SimpleUploadedFile("x.jpg", b"no picture")}).status_code == 422
    response = owner.post(path, {**fields, "photo": photo()})
    result = models.Testimonial.objects.get(name="Eva")
    assert response["Location"] == f"/app/reviews/{page.pk}/items/{result.pk}"
    assert (result.source, result.rating, result.photo is not None) == ("manual", 4, True)


def test_an_added_testimonial_gets_consent_and_approval_by_one_button(owner: Client, page: ReviewPage) -> None:
    owner.post(f"/app/reviews/{page.pk}/items/add", {"name": "Eva", "text": "Superb", "_has": "consented"})
    item = f"/app/reviews/{page.pk}/items/{models.Testimonial.objects.get(name='Eva').pk}"
    assert "Record consent and approve" in read_page(owner, item)
    html = after(owner, f"{item}/consent", {"consented": "yes", "action": "approve"})
    assert "Consent recorded and review approved." in html
    result = models.Testimonial.objects.get(name="Eva")
    assert (result.status, result.is_shown) == ("approved", True)


def test_a_file_is_previewed_before_it_is_imported(owner: Client, page: ReviewPage) -> None:
    path = f"/app/reviews/{page.pk}/items/import"
    sample = owner.get(f"{path}/sample.csv").content
    fields = {"source_name": "Old", "_has": "consented"}
    looked = owner.post(path, {**fields, "file": SimpleUploadedFile("t.csv", sample), "step": "look"})
    assert "2 new reviews, no errors" in looked.content.decode()
    assert models.Testimonial.objects.count() == 1
    owner.post(path, {"csv": sample.decode(), "step": "import", "source_name": "Old", "consented": "true"})
    assert models.Testimonial.objects.count() == 3
    wrong = owner.post(path, {**fields, "csv": "Ida,Good,9", "step": "look"})
    assert wrong.status_code == 422
    assert '<a href="#f-csv">Your list</a>: Line 1, rating: Use a whole number from 1 to 5' in wrong.content.decode()
    wrong = owner.post(path, {**fields, "csv": "name,text\nIda,Good, very good", "step": "import"})
    assert "Line 2 has 3 cells, but the header row has 2" in wrong.content.decode()
    for bad in (b"\0\0", b"\xff\xfe\x00x", b"x" * 1_100_000):
        assert owner.post(path, {"file": SimpleUploadedFile("t.csv", bad), "step": "look"}).status_code == 422


def test_texts_of_the_page_are_saved_or_show_errors(owner: Client, page: ReviewPage) -> None:
    home = f"/app/reviews/{page.pk}"
    data = {"title": "Tell us", "questions": ["Why?", "", "How?"], "_has": "questions"}
    owner.post(home, data)
    stored = {"slug": "tell-us", "consent_text": "You may print my words.", "disclosure": "Some had a voucher."}
    owner.post(f"{home}/settings", stored)
    page.refresh_from_db()
    assert (page.title, page.questions, page.slug) == ("Tell us", ["Why?", "How?"], "tell-us")
    assert (page.consent_text, page.disclosure) == ("You may print my words.", "Some had a voucher.")
    typed = owner.post(f"{home}/preview", {**data, "title": "Being typed"}).content.decode()
    chosen = 'name="rating" value="5" required checked'
    second = owner.post(f"{home}/preview?step=words", {**data, "title": "Being typed"}).content.decode()
    assert chosen in second and "Being typed" in second and chosen not in typed
    assert chosen not in Client().get(f"/r/{page.slug}?step=words").content.decode(), "guests choose their own"
    assert "Being typed" in typed and "Tell us" not in typed
    refused = owner.post(f"{home}/settings", {"consent_text": "No"})
    assert (refused.status_code, "Use at least 10 characters" in refused.content.decode()) == (422, True)


def test_allowed_websites_are_saved_and_their_snippets_shown_on_share(owner: Client, page: ReviewPage) -> None:
    home = f"/app/reviews/{page.pk}"
    path = f"{home}/share/websites"
    assert "No websites can embed this page yet" in read_page(owner, f"{home}/share")
    owner.post(path, {"hosts": ["https://www.example.com/x", ""], "_has": "hosts"})
    page.refresh_from_db()
    assert page.hosts == ["www.example.com"]
    shared = read_page(owner, f"{home}/share")
    assert "/widget.js" in shared and "&lt;iframe" in shared and f"/r/{page.slug}/wall" in shared
    refused = owner.post(path, {"hosts": ["www.example.com", "not a host"], "_has": "hosts"})
    assert refused.status_code == 422
    owner.post(path, {"hosts": ["www.müller.example:8080"], "_has": "hosts"})
    page.refresh_from_db()
    assert page.hosts == ["www.xn--mller-kva.example:8080"] and 'value="www.müller.example:8080"' in read_page(
        owner, path
    )
    owner.post(path, {"_has": "hosts"})
    page.refresh_from_db()
    assert page.hosts == []


def test_a_page_is_paused_resumed_and_deleted_after_a_confirmation(owner: Client, page: ReviewPage) -> None:
    home = f"/app/reviews/{page.pk}"
    assert "Paused" in after(owner, f"{home}/state", {"on": "no"})
    assert "Live" in after(owner, f"{home}/state", {"on": "yes"})
    assert "Its reviews and photos are deleted too." in read_page(owner, f"{home}/delete")
    owner.post(f"{home}/delete")
    assert not models.ReviewPage.objects.exists()


def test_analytics_show_the_stars_and_the_list_shows_pending_reviews(owner: Client, page: ReviewPage) -> None:
    results = read_page(owner, f"/app/reviews/{page.pk}/results")
    assert "5 stars" in results and "Wall views" in results
    listed = read_page(owner, "/app/reviews")
    assert "1 pending" in listed and f"/app/reviews/{page.pk}/items?status=pending" in listed


def test_moderation_from_another_site_is_refused(page: ReviewPage, account: Account) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(account.owner)
    response = client.post(f"/app/reviews/{page.pk}/items/{only().pk}/act", {"action": "approve"})
    assert (response.status_code, only().status) == (403, "pending")
