from __future__ import annotations

import re
from datetime import timedelta

import pytest
import time_machine
from django.test import Client

from workspace.accounts.models import Account, Upload
from workspace.lib import clock
from workspace.products.reviews import models
from workspace.publishing.models import SoftDeleted
from workspace.testing.api import Api, make_account, make_api
from workspace.testing.reviews_guest import open_page, photo, read_page, send

pytestmark = pytest.mark.django_db


def test_a_page_needs_only_a_title_and_has_good_default_texts(api: Api) -> None:
    page = api.run("svc_reviews_create", title="How was it?")
    text = read_page(f"/r/{page['slug']}").text
    assert page["public_url"].endswith(f"/r/{page['slug']}")
    assert page["questions"] and page["questions"][0] in text
    assert page["consent_text"] in text
    assert "Corner Café" in text


def test_an_owner_chooses_texts_and_slug(api: Api) -> None:
    page = api.run(
        "svc_reviews_create",
        title="Tell us",
        intro="We read everything.",
        questions=["Why us?"],
        consent_text="You may print my words.",
        thank_you="Bye!",
        slug="Corner-Cafe",
    )
    assert page["slug"] == "corner-cafe"
    text = read_page("/r/corner-cafe").text
    for words in ("Tell us", "We read everything.", "Why us?", "You may print my words."):
        assert words in text
    body = api.refuse("svc_reviews_create", title="Again", slug="corner-cafe")
    assert [issue["path"] for issue in body["issues"]] == ["slug"]


def test_an_edit_changes_given_fields_and_an_empty_text_clears_one(api: Api) -> None:
    page = api.run("svc_reviews_create", title="Tell us", intro="Hello", disclosure="Vouchers")
    result = api.run("svc_reviews_edit", page_id=page["id"], intro="", questions=[])
    assert (result["title"], result["intro"], result["questions"]) == ("Tell us", "", [])
    assert result["disclosure"] == "Vouchers"


def test_the_old_slug_works_after_a_change(api: Api) -> None:
    page = api.run("svc_reviews_create", title="Tell us", slug="old-name")
    result = api.run("svc_reviews_edit", page_id=page["id"], slug="new-name")
    assert result["slugs"] == ["new-name", "old-name"]
    for slug in result["slugs"]:
        assert "Tell us" in read_page(f"/r/{slug}").text
        assert "Tell us" in read_page(f"/r/{slug}").text and read_page(f"/r/{slug}/wall").text


@pytest.mark.parametrize("path", ["", "/wall", "/thanks"])
def test_a_paused_page_names_the_business_until_it_is_resumed(path: str, account: Account, api: Api) -> None:
    page = open_page(account)
    api.run("svc_reviews_edit", page_id=page.pk, live=False)
    response = Client().get(f"/r/{page.slug}{path}")
    assert (response.status_code, "Corner Café" in response.content.decode()) == (404, True)
    api.run("svc_reviews_edit", page_id=page.pk, live=True)
    assert Client().get(f"/r/{page.slug}{path}").status_code == 200


def test_a_deleted_page_is_gone_with_all_its_content(account: Account, api: Api) -> None:
    page = open_page(account, slug="corner-cafe")
    send(page, photo=photo())
    api.run("svc_reviews_delete", ids=[page.pk])
    assert api.run("svc_reviews_list")["total"] == 0
    for path in ("", "/wall", "/embed", "/confirm/x", "/widget.js"):
        assert Client().get(f"/r/corner-cafe{path}").status_code == 410
    assert api.refuse("svc_reviews_create", title="Again", slug="corner-cafe")["error"] == "invalid_input"
    with time_machine.travel(clock.now() + timedelta(days=31)):
        SoftDeleted.purge_deleted()
    assert not models.Testimonial._base_manager.exists()
    assert Upload.objects.get().use_count == 0


def test_the_free_plan_allows_one_page() -> None:
    api = make_api(make_account(review="free"))
    api.run("svc_reviews_create", title="One")
    body = api.refuse("svc_reviews_create", title="Two")
    assert (body["error"], "1 review page" in body["message"]) == ("tool_error", True)
    assert api.run("svc_reviews_get")["pages"]["total"] == 1


def test_the_list_contains_pending_counts_and_the_average(account: Account, api: Api) -> None:
    page = open_page(account)
    send(page, rating="4", text="One")
    send(page, rating="5", text="Two")
    api.run("svc_reviews_approve", page_id=page.pk, item_id=models.Testimonial.objects.get(text="Two").pk)
    [result] = api.run("svc_reviews_get")["pages"]["items"]
    assert (result["testimonials"], result["pending"], result["approved"], result["hidden"]) == (2, 1, 1, 0)
    assert (result["average"], result["ratings"]) == (4.5, 2)


def test_statistics_distinguish_views_of_page_wall_and_widget(account: Account, api: Api) -> None:
    page = open_page(account)
    send(page)
    for path in ("", "/wall", "/wall", "/embed", "/embed", "/embed"):
        Client(headers={"user-agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)"}).get(
            f"/r/{page.slug}{path}"
        )
    result = api.run("svc_reviews_stats", page_id=page.pk)
    assert (result["total"], result["wall_views"], result["widget_views"]) == (1, 2, 3)
    assert (result["received_in_days"], result["shown"], result["received"], result["average"]) == (1, 0, 1, 5.0)
    today = result["by_day"][-1]
    assert [today[name] for name in ("views", "wall_views", "widget_views", "received")] == [1, 2, 3, 1]
    assert result["stars"] == [0, 0, 0, 0, 1]


@pytest.mark.parametrize(("plan", "days"), [("free", 30), ("pro", 400)])
def test_the_plan_limits_the_window_of_the_statistics(plan: str, days: int) -> None:
    account = make_account(review=plan)
    page = open_page(account)
    result = make_api(account).run("svc_reviews_stats", page_id=page.pk, days=3000)
    assert (result["days"], len(result["by_day"])) == (days, days)


def test_closing_an_account_leaves_only_addresses_that_return_gone(account: Account) -> None:
    from workspace.accounts.account_deletion import purge_account

    page = open_page(account)
    send(page, photo=photo(), email="ida@example.com")
    purge_account(account)
    assert not models.Testimonial.objects.exists()
    assert not models.ReviewPage.objects.exists()
    for path in ("", "/wall", "/embed"):
        assert Client().get(f"/r/{page.slug}{path}").status_code == 410


def test_a_page_uses_the_brand_or_its_own_color_also_on_other_websites(api: Api) -> None:
    api.run("svc_brand_edit", colors=["#8a1538"], fonts="warm", corners="round")
    page = api.run("svc_reviews_create", title="How was it?")
    owner = Client()
    owner.force_login(api.account.owner)
    for color, shown in (("", "8a1538"), ("#1D4ED8", "1d4ed8")):
        owner.post(f"/app/reviews/{page['id']}/look", {"color": color})
        for path, rest in (
            ("", "-own-warm-round"),
            ("/wall", "-own-warm-round"),
            ("/embed", "-own-system-round-light"),
            ("/embed?theme=dark", "-own-system-round-dark"),
            ("/embed?theme=auto", "-own-system-round"),
        ):
            html = Client().get(f"/r/{page['slug']}{path}").content.decode()
            [sheet] = re.findall(r'data-sheet="(/styles/[^"]+)"', html)
            assert sheet.startswith(f"/styles/{shown}{rest}."), path
            assert Client().get(sheet)["Cache-Control"].endswith("immutable")
