"""On a slow machine, a part that appears does not move the focus, and late answers and frames change nothing."""

from __future__ import annotations

from contextlib import closing
from typing import Any

from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.pages import GUEST, sign_in_by_link
from workspace.testing.service import Service

ALWAYS = [{"from": "08:00", "until": "20:00"}]
# The owner chooses the second field as soon as the form appears.
CHOOSE_TITLE = """() => new MutationObserver((_, observer) => {
    const field = document.querySelector(".lk-edit [name=title]");
    if (field) { observer.disconnect(); field.focus(); }
}).observe(document.getElementById("elements"), { childList: true, subtree: true })"""
# A pointer takes a guest to a table and lets go before a frame is drawn.
DRAG_AT_ONCE = """() => {
    const middle = (one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return { clientX: x + width / 2, clientY: y + height / 2 };
    };
    const guest = document.querySelector(".st-guest"), table = document.querySelector(".st-table");
    const send = (type, at) => document.elementFromPoint(at.clientX, at.clientY).dispatchEvent(
        new PointerEvent(type, { bubbles: true, cancelable: true, pointerId: 1, pointerType: "mouse", ...at }));
    send("pointerdown", middle(guest));
    send("pointermove", { clientX: middle(guest).clientX + 30, clientY: middle(guest).clientY });
    send("pointermove", middle(table));
    send("pointerup", middle(table));
}"""


class Held:
    """A route that holds the first request until it is released."""

    def __init__(self) -> None:
        self.route: Route | None = None

    def __call__(self, route: Route) -> None:
        if self.route is None:
            self.route = route
        else:
            route.continue_()

    def release(self, page: Page) -> None:
        """Let the request continue, and wait until the page has used its answer."""
        for _ in range(600):
            if self.route is not None:
                break
            page.wait_for_timeout(100)
        assert self.route is not None
        url = self.route.request.url
        with page.expect_response(lambda answer: answer.url == url):
            self.route.continue_()
        page.wait_for_timeout(500)


def _sign_in(service: Service, page: Page, email: str) -> str:
    """Sign in to a new account. Return its key."""
    key: str = service.account(email)["api_key"]
    words = service.operate("sign-in", email).split()
    sign_in_by_link(page, next(word for word in words if word.startswith("http")))
    return key


def test_a_form_that_appears_never_takes_the_focus_from_a_field_in_it(service: Service, phone: Page) -> None:
    key = _sign_in(service, phone, "caret@example.com")
    button = {"title": "Menu", "url": "example.com"}
    links = service.api(key, "svc_links_create", title="Corner Café", elements=[button])
    phone.goto(f"{service.url}/app/links/{links['id']}")
    phone.evaluate(CHOOSE_TITLE)
    phone.locator(".lk-row-main a").click()
    title = phone.locator(".lk-edit form").get_by_label("Label")
    expect(title).to_be_focused()
    phone.wait_for_timeout(300)
    expect(title).to_be_focused()


def test_the_search_knows_what_its_results_were_found_for(service: Service, phone: Page) -> None:
    _sign_in(service, phone, "late@example.com")
    phone.goto(f"{service.url}/app")
    phone.keyboard.press("Control+k")
    found, field = phone.locator("#found"), phone.get_by_role("dialog", name="Search").get_by_role("textbox")
    expect(found.get_by_role("link").first).to_be_visible()
    held = Held()
    phone.route("**/app/search?*", held)
    field.fill("mem")
    expect(phone.locator("#finder .htmx-request")).to_have_count(1)
    field.evaluate("field => { field.value = 'members'; }")
    held.release(phone)
    expect(found).to_have_attribute("data-q", "mem")


def test_a_late_month_never_replaces_one_that_was_chosen_since_then(service: Service, chromium: Browser) -> None:
    key = service.account("month@example.com")["api_key"]
    cut = {"name": "Schnitt", "duration": 30, "notice": 0}
    made: dict[str, Any] = service.api(
        key, "svc_booking_create", name="Ihr Termin", hours=ALWAYS, time_zone="Europe/Vienna", services=[cut]
    )
    with closing(chromium.new_context(**GUEST, timezone_id="Asia/Kolkata")) as context:
        page = context.new_page()
        held = Held()
        page.route(lambda url: "zone=" in url, held)  # this requests the times in the guest's own zone
        page.goto(made["public_url"])
        month = page.locator(".b-month h2")
        first = month.inner_text()
        page.get_by_role("link", name="Später").click()
        expect(month).not_to_have_text(first)
        held.release(page)
        expect(month).not_to_have_text(first)
        expect(page.locator("#b-when")).to_contain_text("Asia/Calcutta")


def test_a_session_typed_while_the_former_one_is_saved_is_preserved(service: Service, phone: Page) -> None:
    key = _sign_in(service, phone, "table@example.com")
    days = [{"date": "2037-05-15"}]
    sessions = [{"title": "Opening", "start_time": "09:00", "end_time": "10:00"}]
    made = service.api(key, "svc_event_create", title="Harbour Days", days=days, sessions=sessions)
    phone.set_viewport_size({"width": 1280, "height": 860})
    phone.goto(f"{service.url}/app/event/{made['id']}")
    title = phone.locator("#add").get_by_label("Title of the new session")
    held = Held()
    phone.route("**/sessions", held)
    title.fill("Soup")
    title.press("Enter")
    expect(phone.locator("#f-new")).to_have_attribute("data-busy", "yes")
    title.fill("Bread")
    held.release(phone)
    expect(phone.get_by_label("Start of Soup")).to_be_visible()
    expect(title).to_have_value("Bread")


def test_a_guest_who_is_dropped_before_the_next_frame_is_seated(service: Service, phone: Page) -> None:
    key = _sign_in(service, phone, "frame@example.com")
    chart = service.api(key, "svc_seat_create", title="Gala", tables=[{"capacity": 4}])["chart"]["id"]
    service.api(key, "svc_seat_add_guests", event_id=chart, guests=[{"name": "Ada King"}])
    phone.set_viewport_size({"width": 1280, "height": 860})
    phone.goto(f"{service.url}/app/seat/{chart}")
    phone.evaluate(DRAG_AT_ONCE)
    expect(phone.locator("#st-said")).to_have_text("Ada King moved to Table 1.")
