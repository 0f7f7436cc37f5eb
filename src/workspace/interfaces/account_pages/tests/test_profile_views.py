from __future__ import annotations

import pytest

from workspace.accounts import plans
from workspace.accounts.models import Account
from workspace.interfaces.account_pages import plan_limit_text


def test_names_and_time_zone_are_changed(browser, person):
    answer = browser.post("/app/account", {"name": "Bun & Sons", "person": "Ada", "time_zone": "Asia/Tokyo"})
    assert answer.status_code == 302
    account = Account.objects.get()
    person.refresh_from_db()
    assert (account.name, account.time_zone, person.name) == ("Bun & Sons", "Asia/Tokyo", "Ada")
    assert "Bun &amp; Sons" in browser.get("/app/account").content.decode()


@pytest.mark.parametrize(
    "wrong", [{"name": ""}, {"name": "x" * 121}, {"time_zone": "Mars"}, {"person": "a\nb"}], ids=str
)
def test_invalid_input_changes_nothing(browser, wrong):
    answer = browser.post("/app/account", {"name": "Bun", "person": "Ada", "time_zone": "UTC"} | wrong)
    assert answer.status_code == 422
    assert Account.objects.get().name == "Ada's Bakery"


def test_plans_are_shown_with_the_usage_of_their_limits(browser):
    assert "5,000 calls per day" in browser.get("/app/account").content.decode()
    page = browser.get("/app/plans").content.decode()
    assert "QR codes" in page and "0 QR codes" in page and "0 proposals this month" in page


def test_limits_are_described_in_plain_words(browser):
    page = browser.get("/app/plans").content.decode()
    assert "made with" not in page and "history days" not in page and "IANA" not in page


@pytest.mark.parametrize("product", ["qr", "card", "link", "menu", "review"])
@pytest.mark.parametrize("plan", ["free", "pro"])
def test_no_limit_shows_the_name_of_its_field(product, plan):
    shown = [
        plan_limit_text.describe_limit(product, name, most)
        for name, most in plans.describe_limits(product, plan).items()
    ]
    assert shown and not [words for words in shown if "_" in words or "None" in words or "history" in words]


def test_public_pages(client, db, settings):
    settings.OPERATOR_EMAIL = "host@example.com"
    for path in ("/about", "/privacy"):
        answer = client.get(path)
        assert answer.status_code == 200 and "host@example.com" in answer.content.decode()
        assert client.post(path).status_code == 405


def test_the_connect_page_shows_urls_and_commands(browser):
    page = browser.get("/app/connect").content.decode()
    assert "http://127.0.0.1:8000/mcp" in page and "svc login" in page
