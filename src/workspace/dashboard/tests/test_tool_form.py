"""A form for a tool, as a browser uses it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client, RequestFactory

from workspace.accounts.dispatch import Caller, execute_tool
from workspace.accounts.models import Account
from workspace.dashboard import forms
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.tests.sample import create, edit, save
from workspace.lib.errors import ConflictError

PAGE = "/app/sample/new"


def count_created(account: Account) -> int:
    return Account.objects.get(pk=account.pk).event_credits


def token(html: str) -> str:
    found = re.search(r'name="_once" value="([^"]+)"', html)
    assert found
    return found[1]


def test_constraints_come_from_the_tools_schema(browser: Client) -> None:
    html = browser.get(PAGE).content.decode()
    assert re.search(r'id="f-name"[^>]* required maxlength="40"', html)
    assert re.search(r'id="f-count" name="count" type="text" inputmode="numeric"', html)
    assert re.search(r'<option value="large">Large</option>', html)
    assert re.search(r'type="checkbox" id="f-public"[^>]* checked', html)
    assert not re.search(r'id="f-links-0-title"[^>]* required', html)


def test_numbers_are_typed_as_text_with_a_numeric_keyboard(browser: Client) -> None:
    html = browser.get(PAGE).content.decode()
    assert 'type="number"' not in html
    assert 'hx-get="/app/parse-number/whole"' in html and 'hx-get="/app/parse-number/number"' in html
    html = browser.post(PAGE, {"name": "taken", "count": "7,0", "price": "1.234,50"}).content.decode()
    assert 'value="7"' in html and 'value="1234.5"' in html
    html = browser.post(PAGE, {"name": "taken", "count": "7,5", "price": "1,234"}).content.decode()
    assert "Enter a whole number" in html and "Do you mean 1.234 or 1,234?" in html and 'value="1,234"' in html
    assert "This name is taken" not in html, "nothing is tried before the numbers are clear"


@pytest.mark.parametrize(
    ("what", "text", "words"),
    [
        ("EUR", "1.234,5", "= €1,234.50"),
        ("KWD", "1.25", "= KWD\u00a01.250"),
        ("JPY", "1,200", "= ¥1,200"),
        ("EUR", "1,234", "Do you mean €1.23 or €1,234.00?"),
        ("whole", "1.234", "= 1,234"),
        ("number", "12,50", "= 12.5"),
        ("number", "-1200", "= -1,200"),
        ("EUR", "<b>", "Enter a number, such as 12.50"),
        ("EUR", " ", ""),
    ],
)
def test_a_typed_number_is_shown_as_it_will_be_read(what: str, text: str, words: str, browser: Client) -> None:
    answer = browser.get(f"/app/parse-number/{what}", {"price": text})
    html = answer.content.decode().strip()
    assert answer.status_code == 200 and (html == "" if not words else words in html)
    assert "<b>" not in html


def test_only_known_kinds_of_numbers_are_shown_and_only_to_signed_in_people(browser: Client) -> None:
    assert browser.get("/app/parse-number/XXX", {"price": "1"}).status_code == 404
    assert browser.get("/app/parse-number/EUR").content.strip() == b""
    assert Client().get("/app/parse-number/EUR", {"price": "1"}).status_code == 302


def test_a_field_that_the_tool_does_not_have_raises_an_error() -> None:
    with pytest.raises(KeyError):
        ToolForm(create, RequestFactory().get("/")).get_field("color")


def test_an_error_is_shown_at_its_field_and_the_input_is_preserved(browser: Client) -> None:
    response = browser.post(PAGE, {"name": "taken", "folder": "<Spring>", "count": "7"})
    html = response.content.decode()
    assert response.status_code == 422
    assert 'href="#f-name">Label</a>: This name is taken' in html
    assert re.search(r'id="f-name"[^>]*aria-invalid="true" aria-describedby="f-name-error f-name-help"', html)
    assert 'value="&lt;Spring&gt;"' in html
    assert 'value="7"' in html
    assert "checked" not in re.findall(r'<input[^>]*id="f-public"[^>]*>', html)[0]


def test_an_error_inside_a_list_is_shown_at_its_row(browser: Client) -> None:
    html = browser.post(PAGE, {"name": "x", "links.4.title": "Menu"}).content.decode()
    assert 'href="#f-links-0-url">Address 1</a>: Required' in html
    assert 'id="f-links-0-url-error"' in html


def test_an_error_of_the_plan_is_shown_above_the_form(browser: Client, account: Account) -> None:
    response = browser.post(PAGE, {"name": "full"})
    assert response.status_code == 422
    assert "Your plan holds no more samples" in response.content.decode()
    assert count_created(account) == 0


def test_a_double_submit_is_executed_once(browser: Client, account: Account) -> None:
    once = token(browser.get(PAGE).content.decode())
    for _ in range(2):
        assert browser.post(PAGE, {"name": "Poster", "_once": once}).status_code == 303
    assert count_created(account) == 1


def test_going_back_and_changing_a_field_is_another_call(browser: Client, account: Account) -> None:
    once = token(browser.get(PAGE).content.decode())
    for name in ("Poster", "Flyer"):
        assert browser.post(PAGE, {"name": name, "_once": once}).status_code == 303
    assert count_created(account) == 2


def test_two_forms_with_the_same_content_are_two_calls(browser: Client, account: Account) -> None:
    for _ in range(2):
        once = token(browser.get(PAGE).content.decode())
        browser.post(PAGE, {"name": "Poster", "_once": once})
    assert count_created(account) == 2


def test_a_refused_form_can_be_corrected_and_sent_again(browser: Client, account: Account) -> None:
    html = browser.post(PAGE, {"name": "taken", "_once": "t" * 20}).content.decode()
    assert token(html) == "t" * 20
    assert browser.post(PAGE, {"name": "free", "_once": token(html)}).status_code == 303
    assert count_created(account) == 1


def test_htmx_follows_a_success_with_the_full_page(browser: Client) -> None:
    response = browser.post(PAGE, {"name": "Poster"}, headers={"hx-request": "true"})
    assert (response.status_code, response.headers["HX-Redirect"]) == (204, "/app")


def test_editing_sends_changed_values_and_those_set_by_the_url(account: Account) -> None:
    request = RequestFactory().post("/", {"folder": "", "count": "3", "id": "not-yours"})
    form = ToolForm(edit, request, initial={"folder": "Spring", "count": 3}, fixed={"id": "smp_1"}, editing=True)
    assert form.arguments == {"folder": "", "id": "smp_1"}
    answer = form.submit(Caller(account=account))
    assert answer is not None
    assert answer.data == {"folder": "", "change": None}


def test_requesting_the_form_calls_no_tool(account: Account) -> None:
    assert ToolForm(create, RequestFactory().get("/")).submit(Caller(account=account)) is None
    assert count_created(account) == 0


def test_a_list_offers_spare_rows_up_to_its_limit() -> None:
    full = ToolForm(create, RequestFactory().get("/"), initial={"links": [{"title": "a", "url": "b"}] * 2})
    assert [row.number for row in full.list_rows("links", spare=5)] == [0, 1, 2]
    assert full.list_rows("links")[1].get_field("title").text == "a"


@pytest.mark.parametrize(("tries", "done"), [(3, 1), (99, 0)])
def test_a_second_click_waits_for_the_first_answer(
    account: Account, monkeypatch: pytest.MonkeyPatch, tries: int, done: int
) -> None:
    calls = iter(range(1, 1000))

    def busy(*given: Any, **more: Any) -> Any:
        if next(calls) < tries:
            raise ConflictError("The first one is still running")
        return execute_tool(*given, **more)

    monkeypatch.setattr(forms, "execute_tool", busy)
    monkeypatch.setattr(forms, "_RETRY_DELAY", 0)
    form = ToolForm(create, RequestFactory().post("/", {"name": "Poster", "_once": "t" * 20}))
    assert bool(form.submit(Caller(account=account))) == bool(done)
    assert form.error == ("" if done else "The first one is still running")
    assert count_created(account) == done


def entry(account: Account, **typed: Any) -> ToolForm:
    request = RequestFactory().post("/", typed)
    there = {"title": "Soup", "note": "Hot", "count": 3}
    fixed = {"sample_id": "s1"}
    return ToolForm(save, request, initial=there, fixed=fixed, editing=True, entry="items", entry_fixed={"id": "one"})


def test_a_form_edits_one_entry_of_a_list(account: Account) -> None:
    form = entry(account, title="Stew", note="", count="3")
    assert form.get_field("title").limits.max_length == 40
    answer = form.submit(Caller(account))
    assert answer is not None
    assert answer.data["items"] == [{"id": "one", "title": "Stew", "note": ""}], "what was touched, and emptied"


def test_errors_of_an_entry_are_shown_at_its_fields(account: Account) -> None:
    form = entry(account, title="taken", note="Hot", count="12")
    assert form.submit(Caller(account)) is None
    assert form.errors == {"count": ("Must be at most 9",)}
    form = entry(account, title="taken", note="Hot", count="3")
    assert form.submit(Caller(account)) is None
    assert form.errors == {"title": ("This title is taken",)}
