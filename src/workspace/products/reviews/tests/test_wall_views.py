from __future__ import annotations

import re

import pytest
from django.test import Client

from workspace.accounts.models import Account
from workspace.products.reviews import models
from workspace.products.reviews.models import ReviewPage
from workspace.products.reviews.public import wall_views
from workspace.testing.api import Api, make_account, make_api
from workspace.testing.rate_limits import set_limit
from workspace.testing.reviews_guest import open_page, photo, read_page, send

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raise the rate limits, since all guests of a test have the same address."""
    set_limit(monkeypatch, "review-unsuspected", 1000)
    set_limit(monkeypatch, "review", 1000)


def approved(page: ReviewPage, count: int, **more: object) -> None:
    for number in range(count):
        send(page, text=f"Words {number}", **more)
    models.Testimonial.objects.filter(page=page).update(status="approved")
    page.mark_changed()


def test_the_wall_states_that_testimonials_are_selected_and_how_many_there_are(account: Account) -> None:
    page = open_page(account)
    approved(page, 2)
    send(page, text="Nobody sees this.")
    assert "Selected testimonials · 2 of 3 reviews shown" in read_page(f"/r/{page.slug}/wall").text


def test_the_average_counts_guests_who_agreed_shown_or_not(account: Account, api: Api) -> None:
    page = open_page(account)
    approved(page, 2, rating="5")
    send(page, rating="1", text="Cold coffee.")
    send(page, rating="2", text="Rude.", consent=None)
    bad = models.Testimonial.objects.get(text="Cold coffee.")
    api.run("svc_reviews_approve", page_id=page.pk, item_id=bad.pk, action="hide")
    text = read_page(f"/r/{page.slug}/wall").text
    assert "3.7 ★ out of 5 stars" in text  # 11 / 3
    assert "Average of 3 ratings from guests who agreed to have their review shown." in text
    assert "Cold coffee" not in text
    result = api.run("svc_reviews_stats", page_id=page.pk)
    assert (result["average"], result["ratings"]) == (3.2, 4), "the owner's own average is over all"


def test_fewer_than_three_ratings_have_no_public_average(account: Account) -> None:
    page = open_page(account)
    approved(page, 2, rating="5")
    send(page, rating="1", text="Rude.", consent=None)
    for part in ("wall", "embed", "embed?layout=badge"):
        text = read_page(f"/r/{page.slug}/{part}").text
        assert "verage" not in text and "★ of 5" not in text, part
    approved(page, 1, rating="2")
    assert "Average of 3 ratings" in read_page(f"/r/{page.slug}/wall").text


def test_added_testimonials_are_marked_and_not_counted(account: Account, api: Api) -> None:
    page = open_page(account)
    approved(page, 3, rating="3")
    added = {"name": "Eva", "text": "Superb", "rating": 5, "source_name": "Guest book", "consented": True}
    api.run("svc_reviews_save_items", page_id=page.pk, items=[{**added, "action": "approve"}])
    text = read_page(f"/r/{page.slug}/wall").text
    assert "Guest book, added by Corner Café" in text
    assert "Average of 3 ratings from guests" in text
    assert "3.0 ★" in text


def test_a_relationship_with_the_business_is_shown(account: Account) -> None:
    page = open_page(account, disclosure="Some guests had a voucher of 5 euros.")
    approved(page, 1, relationship="family")
    for path in ("wall", "embed"):
        text = read_page(f"/r/{page.slug}/{path}").text
        assert "Family or friend of the business" in text
        assert "Some guests had a voucher of 5 euros." in text


def test_a_photo_is_shown_in_a_small_size(account: Account) -> None:
    page = open_page(account)
    approved(page, 1, photo=photo(size=(900, 600)))
    html = Client().get(f"/r/{page.slug}/wall").content.decode()
    address = f"/pictures/{models.Testimonial.objects.get().photo_id}/192"
    assert f'src="{address}"' in html
    assert Client().get(address)["Content-Type"] == "image/jpeg"


def test_the_plan_limits_the_shown_testimonials_and_the_wall_says_so(account: Account) -> None:
    api = make_api(make_account(review="free"))
    page = open_page(api.account)
    approved(page, 27)
    first = read_page(f"/r/{page.slug}/wall").text
    assert "25 of 27 reviews shown" in first
    assert first.count("Ida Stern") == 25
    assert "Made with Workspace Tools" in read_page(f"/r/{page.slug}/embed").text
    assert api.run("svc_reviews_list", page_id=page.pk)["total"] == 27, "nothing is lost"


def test_a_long_wall_has_pages_that_contain_each_testimonial_once(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wall_views, "PAGE_SIZE", 2)
    page = open_page(account)
    approved(page, 5)
    texts = [read_page(f"/r/{page.slug}/wall?page={number}").text for number in (1, 2, 3)]
    for number in range(5):
        assert sum(text.count(f"Words {number}") for text in texts) == 1
    for odd in ("0", "-1", "x", "9999999", "٣", ""):
        assert Client().get(f"/r/{page.slug}/wall", {"page": odd}).status_code == 200


@pytest.mark.parametrize(("count", "pages"), [(2, 1), (3, 2), (4, 2), (5, 3)])
def test_the_links_of_a_long_wall_open_its_last_page_and_lead_back(
    count: int, pages: int, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wall_views, "PAGE_SIZE", 2)
    page = open_page(account)
    approved(page, count)
    client, first = Client(), f"/r/{page.slug}/wall"
    for way, start in (("next", first), ("prev", f"{first}?page={pages}")):
        seen = [client.get(start).content.decode()]
        while match := re.search(rf'href="([^"]+)" rel="{way}"', seen[-1]):
            seen.append(client.get(first + match[1]).content.decode())
        assert len(seen) == pages
        assert all(sum(html.count(f"Words {number}") for html in seen) for number in range(count))


@pytest.mark.parametrize("path", ["", "/wall", "/embed"])
def test_an_unchanged_page_is_not_sent_twice_and_a_changed_one_is(path: str, account: Account, api: Api) -> None:
    page = open_page(account)
    approved(page, 1)
    client = Client()
    first = client.get(f"/r/{page.slug}{path}")
    again = client.get(f"/r/{page.slug}{path}", headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert "Set-Cookie" not in first
    if path:
        id = models.Testimonial.objects.get().pk
        api.run("svc_reviews_approve", page_id=page.pk, item_id=id, action="hide")
    else:
        api.run("svc_reviews_edit", page_id=page.pk, title="Tell us!")
    later = client.get(f"/r/{page.slug}{path}", headers={"if-none-match": first["ETag"]})
    assert (later.status_code, later["ETag"] != first["ETag"]) == (200, True)


def test_an_unchanged_page_is_rendered_once(account: Account, django_assert_num_queries: object) -> None:
    page = open_page(account)
    approved(page, 3)
    path = f"/r/{page.slug}/wall"
    body = Client().get(path).content
    with django_assert_num_queries(1):  # type: ignore[operator]
        assert Client().head(path).content == b""
    assert Client().get(path).content == body


def test_html_in_guests_texts_is_escaped(account: Account) -> None:
    page = open_page(account, title="<i>T</i>", intro="<i>I</i>", disclosure="<i>D</i>", questions=["<i>Q</i>"])
    evil = "</script><script>alert(1)</script><!-- ' \" &amp;"
    approved(page, 1, name="<b>Bob</b>", byline="<u>x</u>")
    models.Testimonial.objects.update(text=evil, reply=evil, source_name=evil)
    page.mark_changed()
    for path in ("", "/wall", "/embed", "/thanks"):
        html = Client().get(f"/r/{page.slug}{path}").content.decode()
        for bad in ("<i>", "<b>Bob", "<u>", "alert(1)</script>", "<script>alert"):
            assert bad not in html, (path, bad)


@pytest.mark.parametrize("part", ["", "/wall", "/embed", "/thanks", "/widget.js", "/confirm/x", ".svg"])
def test_an_unknown_page_returns_404(part: str, account: Account) -> None:
    for slug in ("nothing", "x" * 50, "é", "%00"):
        assert Client().get(f"/r/{slug}{part}").status_code == 404


def test_the_qr_code_of_a_page_opens_it(account: Account) -> None:
    from io import BytesIO

    import zxingcpp
    from PIL import Image

    page = open_page(account, slug="corner-cafe")
    response = Client().get("/r/corner-cafe.png?size=512")
    [read_] = zxingcpp.read_barcodes(Image.open(BytesIO(response.content)))
    assert read_.text.lower() == page.public_url
    assert Client().get("/r/corner-cafe.svg", headers={"if-none-match": response["ETag"]}).status_code == 200


def test_every_page_with_the_logo_loads_the_style_sheet_that_sizes_it(account: Account) -> None:
    page = open_page(account)
    for part in ("", "/thanks", "/wall"):
        html = Client().get(f"/r/{page.slug}{part}").content.decode()
        assert '<style data-sheet="reviews/reviews.css">' in html, part
