"""A form at a phone's width: the owner creates it, and reads the responses of a guest on another phone.

The owner starts from a template, adds questions and a rule, sets a schedule and a webhook.
"""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.pages import GUEST, assert_accessible
from tests.browser.test_menu_story import signed_in
from workspace.testing.service import Service
from workspace.testing.webhook_receiver import PATIENCE, receiving


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """Run a service that may send webhooks to this machine."""
    running = Service(WORKSPACE_WEBHOOK_NETWORKS="127.0.0.0/8").migrate()
    running.start()
    try:
        yield running
    finally:
        running.stop()
        shutil.rmtree(running.folder, ignore_errors=True)


def test_an_owner_creates_a_form_and_reads_its_responses(service: Service, phone: Page, chromium: Browser) -> None:
    page = phone
    key = signed_in(service, page, "forms@example.com")
    page.goto(f"{service.url}/app/form/new")
    assert_accessible(page)
    page.get_by_role("radio", name="Will you attend?").check(force=True)
    page.get_by_role("button", name="Create form").click()
    page.wait_for_url(re.compile(r"/app/form/form_"))
    home = page.url.split("?")[0]
    id = home.rpartition("/")[2]

    def keys() -> list[str]:
        return [one["key"] for part in service.api(key, "svc_form_get", id=id)["pages"] for one in part["fields"]]

    # typed on the page: Enter saves a question and goes to the next one
    before = len(keys())
    typed = page.get_by_label("New question").last
    typed.fill("What do you do?")
    typed.press("Enter")
    page.keyboard.type("Favorite color")  # even while the first one is being saved
    expect(page.locator("#q-what_do_you_do")).to_be_visible()
    expect(page.get_by_label("New question").last).to_be_focused()
    expect(page.get_by_label("New question").last).to_have_value("Favorite color")
    page.keyboard.press("Enter")
    expect(page.locator("#q-favorite_color")).to_be_visible()
    expect(page.get_by_label("New question").last).to_be_focused()
    label = page.locator("#q-what_do_you_do textarea")
    label.fill("What is your job?")
    with page.expect_response(re.compile("/label$")):
        label.press("Enter")
    page.keyboard.type("And your hobby?")
    page.keyboard.press("Enter")
    expect(page.locator("#q-and_your_hobby")).to_be_visible()
    assert keys()[before:] == ["what_do_you_do", "and_your_hobby", "favorite_color"], "it follows the question above it"
    assert_accessible(page)
    # a condition beside its question
    hobby = page.locator("#q-and_your_hobby")
    hobby.get_by_role("link", name="Condition").click()
    rule = page.get_by_role("group", name="Condition 1")
    rule.get_by_label("Question", exact=True).select_option(label="Are you coming?")
    rule.get_by_label("Value").select_option("yes")
    assert_accessible(page)
    hobby.get_by_role("button", name="Save", exact=True).click()
    expect(hobby).to_contain_text("shown when Are you coming? is yes")
    for key_of in ("what_do_you_do", "and_your_hobby", "favorite_color"):
        service.api(key, "svc_form_save_fields", id=id, remove=[key_of])
    page.reload()

    page.get_by_role("link", name="More answer types").first.click()
    expect(page.get_by_role("heading", name="Choose an answer type")).to_be_focused()
    assert_accessible(page)
    page.locator("[data-types]").get_by_role("link", name="Single choice").click()
    page.get_by_role("textbox", name="Question", exact=True).fill("Which dance?")
    page.get_by_role("button", name="Add question", exact=True).click()
    expect(page.get_by_role("link", name="Options", exact=True)).to_be_visible()  # the error, with a link to its field
    page.get_by_label("Options", exact=True).fill("Waltz\nTango\n")
    page.get_by_role("button", name="Add question", exact=True).click()
    row = page.locator("#q-which_dance")
    expect(row).to_contain_text("2 options")
    assert_accessible(page)

    row.get_by_role("link", name="Single choice").click()
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
    page.get_by_label("Show only when a condition is met").select_option(label="Which dance?")
    page.get_by_role("button", name="Add condition", exact=True).click()
    rule = page.get_by_role("group", name="Condition 1")
    rule.get_by_label("Question", exact=True).select_option(label="Are you coming?")
    expect(rule.get_by_label("Comparison")).to_be_focused()  # it offers only the comparisons for such an answer
    assert rule.get_by_role("option").all_inner_texts().count("is more than") == 0
    assert_accessible(page)
    rule.get_by_label("Value").select_option("yes")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("when Are you coming? is yes").last).to_be_visible()
    page.get_by_role("link", name="Test form").click()
    page.get_by_label("Are you coming?").select_option("no")
    page.get_by_role("button", name="Show result").click()
    expect(page.locator(".fo-tried li", has_text="Which dance?").first).to_contain_text("its condition isn’t met")
    assert_accessible(page)

    with receiving() as receiver:
        secret = _pushed_to(service, page, home, receiver.url)
        guest = chromium.new_context(**GUEST)
        try:
            _answers(guest.new_page(), service.api(key, "svc_form_get", id=id)["public_url"])
        finally:
            guest.close()
        deadline = time.monotonic() + PATIENCE
        while not receiver.got:
            assert time.monotonic() < deadline
            page.wait_for_timeout(50)
        told = receiver.verified(secret)["data"]
    added = [told["response_id"]]
    assert told["answers"]["name"] == "Ada Berger" and "which_dance" not in told["answers"]
    assert {"label": "Are you coming?", "text": "no"}.items() <= next(
        one for one in told["fields"] if one["key"] == "coming"
    ).items()
    page.goto(f"{home}/responses")
    assert_accessible(page)
    page.locator(f"#{added[0]} > a").click()
    expect(page.get_by_role("link", name="Reply")).to_have_attribute("href", re.compile("^mailto:ada@example.com"))
    assert_accessible(page)
    # opening a response marks it as read
    assert service.api(key, "svc_form_find_responses", id=id, status="new")["total"] == 0
    service.api(key, "svc_form_save_responses", id=id, items=[{"response_id": added[0], "mark": "unread"}])
    page.goto(f"{home}/responses/{added[0]}")  # by its URL as well
    expect(page.get_by_role("button", name="Mark as unread")).to_be_visible()
    assert service.api(key, "svc_form_find_responses", id=id, status="new")["total"] == 0
    page.get_by_role("button", name="Mark as spam").click()
    expect(page.get_by_text("Marked as spam.")).to_be_visible()
    for tab in ("results", "settings", "look", "responses/export"):
        page.goto(f"{home}/{tab}")
        assert_accessible(page)


def _pushed_to(service: Service, page: Page, home: str, url: str) -> str:
    """Set a webhook for the form's responses. Return its signing secret."""
    service.operate("plan", "set", "forms@example.com", "form", "pro")
    page.goto(f"{home}/settings")
    page.locator("summary", has_text="Webhook").click()
    page.get_by_label("Webhook URL").fill(url)
    page.get_by_role("button", name="Save").first.click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.locator("summary", has_text=url).click()
    page.get_by_role("link", name="Webhooks").click()
    page.get_by_role("link", name=url).click()
    page.get_by_role("button", name="Reveal secret").click()
    return page.locator("#secret").inner_text()


def _answers(page: Page, url: str) -> None:
    page.goto(url)
    page.get_by_label("Your name").fill("Ada Berger")
    page.get_by_label("Email").fill("ada@example.com")
    coming = page.get_by_role("group", name="Are you coming?")
    coming.get_by_label("Ja").check()
    dance = page.get_by_label("Waltz").first
    expect(dance).to_be_visible()
    dance.check()
    coming.get_by_label("Nein").check()  # then the question about the dance is neither shown nor sent
    expect(dance).to_be_hidden()
    page.wait_for_timeout(2100)  # people take longer than this
    page.get_by_role("button", name="Absenden").click()
    expect(page.locator("main")).to_contain_text("Ihre Antworten sind angekommen")
