"""A form on a phone's width: its owner begins with one that is ready, asks more, says when, and reads what came."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import assert_accessible
from tests.browser.test_menu_story import signed_in
from tests.service import Service


def test_an_owner_asks_and_reads_what_came(service: Service, phone: Page) -> None:
    page = phone
    key = signed_in(service, page, "forms@example.com")
    page.goto(f"{service.url}/app/form/new")
    assert_accessible(page)
    page.get_by_role("radio", name="Will you come?").check(force=True)
    page.get_by_role("button", name="Create form").click()
    page.wait_for_url(re.compile(r"/app/form/form_"))
    home = page.url.split("?")[0]
    id = home.rpartition("/")[2]

    def keys() -> list[str]:
        return [one["key"] for part in service.api(key, "svc_form_get", id=id)["pages"] for one in part["fields"]]

    page.get_by_role("link", name="Add a question").first.click()
    expect(page.get_by_role("heading", name="What kind of answer?")).to_be_focused()
    assert_accessible(page)
    page.get_by_role("link", name="One of several").click()
    page.get_by_role("textbox", name="Question").fill("Which dance?")
    page.get_by_role("button", name="Add it").click()
    expect(page.get_by_role("link", name="Options")).to_be_visible()  # what is wrong, and where
    page.get_by_label("Options", exact=True).fill("Waltz\nTango\n")
    page.get_by_role("button", name="Add it").click()
    row = page.locator("#q-which_dance")
    expect(row).to_contain_text("2 options")
    assert_accessible(page)

    row.get_by_role("link").click()
    page.get_by_role("button", name="Duplicate").click()
    expect(page.locator("#q-which_dance_2")).to_be_visible()
    first, last = page.locator("#q-name .fo-grip"), page.locator("#q-email")
    page.locator("#q-name").scroll_into_view_if_needed()
    grip, below = first.bounding_box(), last.bounding_box()
    assert grip and below
    page.mouse.move(grip["x"] + 8, grip["y"] + 8)
    page.mouse.down()
    page.mouse.move(grip["x"] + 8, below["y"] + below["height"] - 4, steps=4)
    with page.expect_response(re.compile("/order$")):
        page.mouse.up()
    assert keys()[:2] == ["email", "name"]

    page.goto(f"{home}/logic")
    assert_accessible(page)
    page.get_by_label("Show only sometimes:").select_option(label="Which dance?")
    page.get_by_role("button", name="Add a rule").click()
    page.get_by_label("Question", exact=True).first.select_option(label="Are you coming?")
    page.get_by_label("With what").first.fill("perhaps")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("yes or no")
    page.get_by_label("With what").first.fill("yes")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("when Are you coming? is yes").last).to_be_visible()
    page.get_by_role("link", name="Try answers").click()
    page.get_by_label("Are you coming?").select_option("no")
    page.get_by_role("button", name="What is shown?").click()
    expect(page.locator(".fo-tried li", has_text="Which dance?").first).to_contain_text("its rule does not hold")
    assert_accessible(page)

    answers = {"name": "Ada Berger", "email": "ada@example.com", "coming": False}
    added = service.api(key, "svc_form_save_responses", id=id, items=[{"answers": answers}])["added"]
    marks = [{"response_id": added[0], "mark": "unread"}]
    service.api(key, "svc_form_save_responses", id=id, items=marks)
    page.goto(f"{home}/responses")
    assert_accessible(page)
    page.locator(f"#{added[0]} > a").click()
    expect(page.get_by_role("link", name="Reply")).to_have_attribute("href", re.compile("^mailto:ada@example.com"))
    assert_accessible(page)
    assert service.api(key, "svc_form_find_responses", id=id, status="new")["total"] == 0  # who opens it has read it
    page.get_by_role("button", name="Spam", exact=True).click()
    expect(page.get_by_text("It is in the spam folder.")).to_be_visible()
    for tab in ("results", "settings", "look", "responses/export"):
        page.goto(f"{home}/{tab}")
        assert_accessible(page)
