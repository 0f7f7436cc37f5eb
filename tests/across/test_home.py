"""Home: recent submissions with actions, four numbers, to-dos, and the first steps."""

from __future__ import annotations

import html as markup
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.across.samples import things
from workspace.accounts.models import Account, Membership, Person
from workspace.accounts.permissions import BY_PRODUCT, VIEWER
from workspace.analytics.ingest import IncomingVisit, write_visits
from workspace.delivery import mail
from workspace.delivery.models import Delivery
from workspace.products import list_manifests
from workspace.products.card.models import Lead
from workspace.products.reviews import models as reviews
from workspace.publishing import items as registry
from workspace.publishing.models import Publication
from workspace.testing.api import Api, make_account, make_api
from workspace.testing.publications import build_guest
from workspace.testing.samples.booking import ALWAYS
from workspace.testing.samples.card import submit_lead

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _noon() -> Any:
    with time_machine.travel(NOW, tick=True):
        yield


def browser_of(account: Account) -> Client:
    browser = Client()
    browser.force_login(account.owner)
    return browser


def words_of(browser: Client, path: str = "/app") -> str:
    """Return the text of a page on one line."""
    response = browser.get(path)
    assert response.status_code == 200
    main = response.content.decode().partition('<main id="content"')[2]
    return " ".join(markup.unescape(re.sub(r"<[^>]+>", " ", main)).split())


def card_of(api: Api, name: str = "Jane") -> str:
    id: str = api.run("svc_card_create", full_name=name)["id"]
    return id


def review_of(api: Api, **fields: Any) -> reviews.Testimonial:
    page = reviews.ReviewPage.objects.filter(account=api.account).first()
    if page is None:
        page = reviews.ReviewPage.objects.get(pk=api.run("svc_reviews_create", title="Our guests")["id"])
    given = {"name": "Ann", "text": "Lovely place", "rating": 4, "consented_at": NOW, "search": "ann", **fields}
    return reviews.Testimonial.objects.create(account=api.account, page=page, status="pending", **given)


def visit(id: str, account: Account, days_ago: float, count: int) -> None:
    one = registry.get_item(account, id)
    event, at = registry.get_manifest(one.kind).visit_event, NOW - timedelta(days=days_ago)
    write_visits(
        [IncomingVisit(one.publication_id, event, "", at, build_guest(f"{days_ago} {n}")) for n in range(count)]
    )


def booking_page(api: Api) -> dict[str, Any]:
    page: dict[str, Any] = api.run(
        "svc_booking_create", name="Salon", hours=ALWAYS, time_zone="UTC", services=[{"name": "Cut", "duration": 30}]
    )
    return page


def book(api: Api, page: dict[str, Any], name: str, at: datetime, **more: Any) -> str:
    item = {"service_id": page["services"][0]["id"], "start": at.isoformat(), "name": name, "ignore_rules": True}
    [saved] = api.run("svc_booking_save_bookings", page_id=page["id"], items=[item | more])["saved"]
    id: str = saved["id"]
    return id


def sold_out_dish(api: Api) -> tuple[str, str]:
    """Return the ids of a menu and of its sold-out soup."""
    sections = [{"name": "Starters", "items": [{"name": "Soup", "price": 5}]}]
    menu: str = api.run("svc_menu_create", restaurant_name="Da Anna", sections=sections)["menu"]["id"]
    dish: str = api.run("svc_menu_items", menu_id=menu)["items"][0]["id"]
    api.run("svc_menu_update_item", menu_id=menu, item_id=dish, sold_out=True)
    return menu, dish


def test_submissions_since_yesterday_are_shown_with_contact_data(api: Api, stranger: Api) -> None:
    card = card_of(api)
    submit_lead(card, 1, name="Zoe <b>", email="zoe@example.com", phone="+43 1 234", note="Call me")
    Lead.objects.filter(pk=submit_lead(card, 2, name="Old one")).update(created_at=NOW - timedelta(days=9))
    browser = browser_of(api.account)
    said, page = words_of(browser), browser.get("/app").content.decode()
    assert "Zoe <b> left their details" in said and "Call me" in said
    assert 'href="mailto:zoe@example.com"' in page and 'href="tel:+431234"' in page
    assert "Zoe <b>" not in page
    assert said.index("Earlier") < said.index("Old one")
    assert "Zoe" not in words_of(browser_of(stranger.account))


def test_a_review_can_be_approved_on_home(api: Api) -> None:
    one = review_of(api)
    browser = browser_of(api.account)
    said = words_of(browser)
    assert said.index("Today") < said.index("Waiting for you") < said.index("Ann left a review")
    assert said.index("Ann left a review") < said.index("Since yesterday")
    assert said.count("Ann left a review") == 1, "what waits is not repeated below"
    response = browser.post(f"/app/act/testimonial/{one.pk}/approve")
    assert (response.status_code, response["Location"]) == (303, "/app")
    one.refresh_from_db()
    assert one.status == "approved"
    said = words_of(browser)
    assert "Review approved. Undo" in said
    assert "Waiting for you" not in said and "Approve " not in said
    assert said.index("Since yesterday") < said.index("Ann left a review")


def test_a_review_without_consent_is_not_a_to_do(api: Api) -> None:
    review_of(api, consented_at=None)
    browser = browser_of(api.account)
    said = words_of(browser)
    assert "Ann left a review" in said
    assert "Approve " not in said and "Waiting" not in said and "waits for your approval" not in said


def test_a_submission_deleted_on_home_can_be_restored(api: Api) -> None:
    lead = submit_lead(card_of(api), 1)
    browser = browser_of(api.account)
    browser.post(f"/app/act/lead/{lead}/delete")
    assert not Lead.objects.filter(pk=lead).exists()
    [change] = re.findall(r'name="change_id" value="(\w+)"', browser.get("/app").content.decode())
    assert browser.post("/app/undo", {"change_id": change, "back": "/app"})["Location"] == "/app"
    assert Lead.objects.filter(pk=lead).exists()


@pytest.mark.parametrize(
    "path",
    ["lead/{lead}/approve", "lead/lead_none/delete", "nothing/{lead}/delete", "lead/{lead}/erase", "lead/%00/delete"],
)
def test_an_unknown_action_does_nothing(path: str, api: Api) -> None:
    lead = submit_lead(card_of(api), 1)
    assert browser_of(api.account).post(f"/app/act/{path.format(lead=lead)}").status_code == 404
    assert Lead.objects.filter(pk=lead).exists()


def test_no_one_can_act_on_submissions_of_another_account(api: Api, stranger: Api) -> None:
    lead, review = submit_lead(card_of(api), 1), review_of(api)
    browser = browser_of(stranger.account)
    for path in (f"lead/{lead}/delete", f"testimonial/{review.pk}/approve"):
        assert browser.post(f"/app/act/{path}").status_code == 404
    assert Lead.objects.filter(pk=lead).exists()
    review.refresh_from_db()
    assert review.status == "pending"


def test_an_error_of_the_tool_is_shown_on_home(api: Api) -> None:
    one = review_of(api, consented_at=None, source="import")
    browser = browser_of(api.account)
    assert browser.post(f"/app/act/testimonial/{one.pk}/approve")["Location"] == "/app"
    assert "agreed" in words_of(browser)


def test_an_unusually_busy_day_is_mentioned(api: Api) -> None:
    busy, usual = card_of(api, "Busy"), card_of(api, "Usual")
    for ago in range(2, 10):
        visit(busy, api.account, ago, 10)
        visit(usual, api.account, ago, 10)
    visit(busy, api.account, 1, 40)
    visit(usual, api.account, 1, 11)
    said = words_of(browser_of(api.account))
    assert "Busy had 40 views yesterday, 4 times as many as usual" in said
    assert "Usual had" not in said


def test_busy_days_are_those_of_the_products_that_the_member_sees(api: Api) -> None:
    visit(card_of(api, "Busy"), api.account, 0.1, 40)
    menu = api.run("svc_menu_create", restaurant_name="Full house")["menu"]["id"]
    visit(menu, api.account, 0.1, 30)
    waiter = Person.objects.create_user("waiter@example.com")
    Membership.objects.create(account=api.account, person=waiter, role=BY_PRODUCT, products={"menu": VIEWER})
    theirs, own = Client(), browser_of(api.account)
    theirs.force_login(waiter)
    for _ in range(2):
        said = words_of(theirs)
        assert "Full house had 30 views today" in said and "Busy had" not in said
        said = words_of(own)
        assert "Full house had 30 views today" in said and "Busy had 40 views today" in said


def test_the_numbers_are_those_of_the_overview(api: Api) -> None:
    for number, one in enumerate(registry.get_items(api.account, things(api).values()).values(), start=1):
        visit(one.id, api.account, 0.1, number)
        visit(one.id, api.account, 8, 30)
    data = api.run("svc_overview")
    now, before = data["visits"]["now"], data["visits"]["before"]
    share = round(100 * (now - before) / before)
    assert f"Visits {now} {share:+}% {before} before".replace("-", "−") in words_of(browser_of(api.account))


def test_each_product_in_use_has_its_number(api: Api) -> None:
    for product in list_manifests():
        account = make_api(make_account())
        made = registry.get_items(account.account, things(account).values())
        one = next(one for one in made.values() if one.kind == product.key)
        visit(one.id, account.account, 0.1, 25)
        said = words_of(browser_of(account.account))
        assert f"{product.visit_label} 25 +25 0 before" in said or "Visits 25 +25 0 before" in said, product.key


def test_expiring_items_reached_limits_and_failed_deliveries_are_to_dos() -> None:
    api = make_api(make_account(qr="free"))
    for number in range(10):
        api.run("svc_qr_create", name=f"Code {number}", target_url="https://example.com")
    Publication.objects.filter(pk=Publication.objects.order_by("pk").values("pk")[:1]).update(
        expires_at=NOW + timedelta(days=1)
    )
    Delivery.objects.create(kind=mail.KIND, account=api.account, state="parked", payload={})
    said = words_of(browser_of(api.account))
    assert "expires tomorrow at 12:00" in said
    assert "You’ve reached your plan’s limit of 10 QR codes" in said
    assert "could not be delivered in the last 7 days" in said


def test_a_code_that_opens_a_paused_item_of_the_account_is_a_to_do(api: Api) -> None:
    card = api.run("svc_card_create", full_name="Jane")
    code = api.run("svc_qr_create", name="Door", target_url=card["public_url"])
    browser = browser_of(api.account)
    assert "Door" not in words_of(browser)
    api.run("svc_card_edit", card_id=card["id"], live=False)
    assert "The QR code “Door” opens a page that is paused" in words_of(browser)
    page = browser.get("/app").content.decode()  # the page where the product is resumed
    assert page.count(f'href="/app/card/{card["id"]}"') == 1 and f'href="/app/qr/{code["id"]}"' not in page


def test_steps_are_ticked_only_after_they_have_happened(api: Api) -> None:
    def ticked() -> list[str]:
        page = browser.get("/app").content.decode()
        return re.findall(r'<li class="done">.*?<span>([^<]*?) <span class="visually-hidden">', page)

    browser = browser_of(api.account)
    assert ticked() == []
    card = card_of(api)
    assert ticked() == ["Create your business card"]
    path = f"/files/qr/print?thing={card}&format=svg"
    browser.get(path, headers={"Sec-Fetch-Dest": "image"})  # shown as an image on a page
    assert ticked() == ["Create your business card"]
    assert browser.get(path).status_code == 200
    visit(card, api.account, 0, 1)
    submit_lead(card, 1)
    assert ticked() == [
        "Create your business card",
        "Print or download your QR code",
        "Get your first visitor",
        "Get your first lead",
    ]


def test_without_visits_the_first_steps_come_before_the_numbers(api: Api) -> None:
    browser, card = browser_of(api.account), card_of(api)
    said = words_of(browser)
    assert said.index("First steps") < said.index("Last 7 days") and "Nothing new since" not in said
    assert "You’re up to date" not in said
    visit(card, api.account, 0.1, 1)
    said = words_of(browser)
    assert said.index("Today") < said.index("Since yesterday") < said.index("First steps") < said.index("Last 7 days")


def test_home_takes_the_same_number_of_queries_for_any_amount_of_data(api: Api) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert browser.get("/app").status_code == 200
        return len(captured)

    things(api)
    card = card_of(api)
    submit_lead(card, 0)
    review_of(api)
    visit(card, api.account, 0, 20)
    browser = browser_of(api.account)
    queries()
    little = queries()
    for number in range(1, 16):
        visit(card_of(api, f"Card {number}"), api.account, 0, 20)
        submit_lead(card, number)
        review_of(api)
    assert queries() <= little


def test_today_starts_with_the_next_booking_which_can_be_checked_in(api: Api) -> None:
    page = booking_page(api)
    soon = book(api, page, "Ida Noon", NOW + timedelta(minutes=30), phone="+43 1 234567")
    book(api, page, "Tom Later", NOW + timedelta(days=1))
    book(api, page, "Far Away", NOW + timedelta(days=3))
    browser = browser_of(api.account)
    said, html = words_of(browser), browser.get("/app").content.decode()
    assert said.index("Next bookings") < said.index("12:30 Ida Noon") < said.index("Tomorrow 12:00 Tom Later")
    assert "Far Away" not in said.partition("Since yesterday")[0]
    assert 'href="tel:+431234567"' in html
    assert said.count("Check in ") == 1, "nobody arrives a day early"
    assert browser.post(f"/app/act/book/{soon}/came")["Location"] == "/app"
    assert "Ida Noon" not in words_of(browser).partition("Since yesterday")[0]
    assert api.run("svc_booking_list", page_id=page["id"])["items"][0]["outcome"] == "attended"


def test_a_sold_out_dish_is_marked_available_in_place_and_this_can_be_undone(api: Api, stranger: Api) -> None:
    menu, dish = sold_out_dish(api)
    browser = browser_of(api.account)
    assert "Sold out Soup Starters Mark available" in words_of(browser)
    assert browser_of(stranger.account).post(f"/app/act/menu/{dish}/available").status_code == 404
    browser.post(f"/app/act/menu/{dish}/available")
    page = browser.get("/app").content.decode()
    assert "Item marked as available." in page and "Mark available" not in page
    [change] = re.findall(r'name="change_id" value="(\w+)"', page)
    browser.post("/app/undo", {"change_id": change, "back": "/app"})
    assert "Sold out Soup" in words_of(browser)
    api.run("svc_menu_update_item", menu_id=menu, item_id=dish, hidden=True)
    assert "Sold out Soup" not in words_of(browser), "guests do not see it anyway"


def test_one_busy_form_does_not_hide_other_waiting_submissions(api: Api) -> None:
    for number in range(4):
        review_of(api, name=f"Guest {number}")
    said = words_of(browser_of(api.account))
    today, _, news = said.partition("Since yesterday")
    assert today.count("left a review") == 2 and "2 more reviews wait for your approval" in today
    assert news.count("left a review") == 2 and news.count("Approve ") == 2


def test_news_are_grouped_and_long_groups_are_folded(api: Api) -> None:
    card = card_of(api)
    for number in range(5):
        submit_lead(card, number, name=f"Lead {number}")
    html = browser_of(api.account).get("/app").content.decode()
    said = words_of(browser_of(api.account))
    assert "Leads 5" in said and "Show 3 more" in said
    folded = html.partition('<details class="news-more">')[2].partition("</details>")[0]
    assert folded.count("left their details") == 3


@pytest.mark.parametrize(
    ("trade", "first", "never"),
    [
        ("cafe", ["Create a menu", "Set up your brand", "Collect your first review"], "Connect an AI assistant"),
        ("events", ["Create seating chart", "Set up your brand", "Create a program"], "Print or download"),
        ("freelancer", ["Create a proposal", "Set up your brand", "Create a form"], "Print or download"),
    ],
)
def test_the_first_steps_follow_the_trade(trade: str, first: list[str], never: str, api: Api) -> None:
    api.run("svc_account_edit", trade=trade)
    said = words_of(browser_of(api.account)).partition("First steps")[2]
    assert said
    assert never not in said
    places = [said.find(step) for step in first]
    assert -1 not in places and places == sorted(places), said


def test_the_first_steps_shrink_to_one_line_after_three(api: Api) -> None:
    browser, card = browser_of(api.account), card_of(api)
    visit(card, api.account, 0, 1)
    assert '<details class="panel steps' not in browser.get("/app").content.decode()
    submit_lead(card, 1)
    html = browser.get("/app").content.decode()
    folded = html.partition('<details class="panel steps fold">')[2].partition("</details>")[0]
    assert "First steps" in folded and "Connect an AI assistant" in folded.partition("</summary>")[2]
