"""The client's page in a browser without scripts: selecting, approving, declining and asking."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client

from workspace.delivery.mail import KIND, parse_message
from workspace.delivery.models import Delivery
from workspace.products.bid.public import views
from workspace.public_site import spam_protection
from workspace.testing.api import Api
from workspace.testing.rate_limits import set_limit
from workspace.testing.samples.bid import make_bid, make_sent

pytestmark = pytest.mark.django_db
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1"
SIGNED = {"name": "Ada Berger", "email": "ada@example.com", "agreed": "yes"}


class Fields(HTMLParser):
    """The fields that a browser would submit with the form whose URL ends with `end`."""

    def __init__(self, html: str, end: str) -> None:
        super().__init__()
        self.end, self.inside = end, False
        self.sent: dict[str, list[str]] = {}
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        fields = dict(attrs)
        if tag == "form":
            self.inside = (fields.get("action") or "").partition("#")[0].endswith(self.end)
        name = fields.get("name")
        if tag == "input" and self.inside and name:
            if fields.get("type") in ("radio", "checkbox") and "checked" not in fields:
                return
            self.sent.setdefault(name, []).append(fields.get("value") or "")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the minimum time of two seconds for a form."""
    monkeypatch.setattr(
        views,
        "check_submission",
        lambda request, name, min_seconds: spam_protection.check_submission(request, name, min_seconds=0),
    )


class Visitor:
    """A client who has opened the page."""

    def __init__(self, bid: dict[str, Any]) -> None:
        self.path, self.browser = f"/p/{bid['slug']}", Client(headers={"user-agent": PHONE})
        self.html = self.browser.get(self.path).content.decode()

    def send(self, act: str, /, form: str = "", **typed: Any) -> Any:
        sent = {**Fields(self.html, f"/{form or act}").sent, **typed}
        response = self.browser.post(f"{self.path}/{act}", {name: value for name, value in sent.items() if value})
        self.html = response.content.decode()
        return response

    @property
    def text(self) -> str:
        return " ".join(re.sub(r"<[^>]+>", " ", self.html).split())


def test_a_client_selects_sees_the_total_and_approves_the_sum_on_the_button(api: Api) -> None:
    bid = make_sent(api)
    client, *others = Visitor(bid), Visitor(bid), Visitor(bid)
    assert "Approve for $2,365.35" in client.text and "Recommended" in client.text
    added = client.send("sum", form="approve", package="p1", option=["l4"])
    assert added.status_code == 200 and added["Cache-Control"] == "no-store"
    assert "Approve for $2,698.29" in client.text
    assert client.send("approve", **SIGNED).status_code == 303
    result = api.run("svc_bid_get", id=bid["id"])
    [decision] = result["decisions"]
    assert (result["status"], decision["selection"]) == ("approved", {"package": "p1", "options": ["l4"]})
    assert (decision["totals"]["total"], decision["signature"], decision["proof"]) == (2698.29, "typed", "holds")
    page = client.browser.get(client.path).content.decode()
    assert "Ada Berger approved this" in page and "Approve for" not in page and "ada@example.com" not in page
    for other, act, typed in zip(others, ("approve", "decline"), (SIGNED, {"reason": "price"}), strict=True):
        assert other.send(act, **typed).status_code == 409
        assert "already been approved or declined. Nothing was changed" in other.text, act
    assert len(api.run("svc_bid_get", id=bid["id"])["decisions"]) == 1 and "decided already" not in page


def test_missing_input_is_reported_at_its_field_and_the_selection_remains(api: Api) -> None:
    client = Visitor(make_sent(api))
    refused = client.send("approve", email="ada@", option=["l4"], drawn='[["x"]]')
    assert refused.status_code == 400
    for told in (
        "Enter your name",
        "Enter a valid email address",
        "Check the box to agree",
        "couldn’t read",
    ):
        assert told in client.text, told
    assert Fields(client.html, "/approve").sent["option"] == ["l4"]


def test_a_sum_other_than_that_on_the_button_is_shown_before_approval(api: Api) -> None:
    bid = make_sent(api)
    client = Visitor(bid)
    refused = client.send("approve", package="p1", **SIGNED)
    assert refused.status_code == 409 and "The total has changed" in client.text
    assert api.run("svc_bid_get", id=bid["id"])["status"] == "sent"
    assert client.send("approve", **SIGNED).status_code == 303, "with the sum that the page shows now"


def test_a_client_with_an_outdated_page_sees_the_changes_and_must_agree_again(api: Api) -> None:
    bid = make_sent(api)
    client = Visitor(bid)
    api.run("svc_bid_edit", id=bid["id"], notes="Due at once.", deposit={})
    refused = client.send("approve", **SIGNED)
    assert refused.status_code == 409
    assert "The terms changed" in client.text and "The deposit changed" in client.text
    assert "agreed" not in Fields(client.html, "/approve").sent
    assert "Due at once." in client.text
    assert client.send("approve", **SIGNED).status_code == 303


def test_only_the_owner_can_see_a_draft(api: Api) -> None:
    bid = make_bid(api)
    for act in ("", "/sum", "/approve", "/code", "/seen"):
        response = Client().get(f"/p/{bid['slug']}{act}")
        assert "Not published yet" in response.content.decode(), act
        assert "Buffet" not in Client().post(f"/p/{bid['slug']}{act}", follow=True).content.decode(), act
    owner = Client()
    owner.force_login(api.account.owner)
    page = owner.get(f"/p/{bid['slug']}").content.decode()
    assert "This is a preview" in page and "Buffet" in page


def test_a_view_counts_only_when_a_client_sees_the_page(api: Api) -> None:
    bid = make_sent(api)
    client = Visitor(bid)
    owner = Client(headers={"user-agent": PHONE})
    owner.force_login(api.account.owner)
    owner.post(f"{client.path}/seen", {"hash": ""})
    Client(headers={"user-agent": "Mimecast link checker bot"}).post(f"{client.path}/seen")
    assert api.run("svc_bid_get", id=bid["id"])["views"] == 0
    hash = Fields(client.html, "/approve").sent["hash"][0]
    assert client.browser.post(f"{client.path}/seen", {"hash": hash}).status_code == 204
    client.browser.post(f"{client.path}/seen", {"s_terms": "12", "s_nonsense": "5", "s_intro": "-3"})
    result = api.run("svc_bid_get", id=bid["id"])
    assert (result["views"], result["status"]) == (1, "viewed")
    assert result["status_history"][-1]["seconds"] == {"terms": 12}


def test_a_client_declines_with_a_reason(api: Api) -> None:
    bid = make_sent(api)
    client = Visitor(bid)
    assert client.send("decline").status_code == 400 and "Choose a reason" in client.text
    assert client.send("decline", reason="price", why="Above our budget").status_code == 303
    result = api.run("svc_bid_get", id=bid["id"])
    assert (result["status"], result["decisions"][0]["reason"]) == ("declined", "price")
    assert "This proposal was declined" in client.browser.get(client.path).content.decode()


def test_a_question_and_its_answer_are_shown_on_the_page(api: Api) -> None:
    bid = make_sent(api)
    client = Visitor(bid)
    asked = {"asker": "Ada", "reply_to": "ada@example.com", "question": "Is <b>parking</b> included?"}
    assert client.send("ask", **asked).status_code == 303
    api.run("svc_bid_send", id=bid["id"], kind="reply", message="Yes, for ten cars.")
    page = client.browser.get(client.path).content.decode()
    assert "&lt;b&gt;parking" in page and "Yes, for ten cars." in page and "ada@example.com" not in page
    owner = Client()
    owner.force_login(api.account.owner)
    timeline = owner.get(f"/app/bid/{bid['id']}/timeline").content.decode()
    assert "&lt;b&gt;parking" in timeline and "Yes, for ten cars." in timeline


def test_an_expired_or_withdrawn_proposal_says_so_and_cannot_be_approved(api: Api) -> None:
    over = make_sent(api)
    client = Visitor(over)
    api.run("svc_bid_edit", id=over["id"], valid_until="2020-01-31")
    stale = client.send("approve", **SIGNED)
    assert stale.status_code == 409 and "expired on 31 January 2020" in client.text
    assert "/approve" not in client.browser.get(client.path).content.decode()
    removed = make_sent(api, 1)
    api.run("svc_bid_decide", id=removed["id"], decision="withdrawn")
    assert "has withdrawn this proposal" in Client().get(f"/p/{removed['slug']}").content.decode()


def test_reminders_are_stopped_by_a_post_and_not_by_opening_the_link(api: Api) -> None:
    bid = make_sent(api)
    path = f"/p/{bid['slug']}/quiet"
    assert "Stop reminders?" in Client().get(path).content.decode()
    assert not any(event["what"] == "quiet" for event in api.run("svc_bid_get", id=bid["id"])["status_history"])
    assert Client().post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert any(event["what"] == "quiet" for event in api.run("svc_bid_get", id=bid["id"])["status_history"])


def test_a_code_confirms_the_email_address(api: Api) -> None:
    bid = make_sent(api)
    client = Visitor(bid)
    sent = client.send("code", form="approve", name="Ada Berger", email="ada@example.com")
    assert sent.status_code == 200 and "sent a code to" in client.text
    subject = str(parse_message(Delivery.objects.get(kind=KIND))["Subject"])
    code = re.search(r"\d{3} ?\d{3}", subject)
    assert code, subject
    wrong = client.send("approve", **SIGNED, code="000000" if code[0] != "000000" else "111111")
    assert wrong.status_code == 400 and "Wrong code" in client.text
    assert client.send("approve", **SIGNED, code=code[0]).status_code == 303
    assert api.run("svc_bid_get", id=bid["id"])["decisions"][0]["email_verified"] is True


def test_a_form_from_another_site_or_a_bot_changes_nothing(api: Api) -> None:
    bid = make_sent(api)
    client = Visitor(bid)
    foreign = Client(headers={"user-agent": PHONE, "origin": "https://evil.example", "sec-fetch-site": "cross-site"})
    sent = {**Fields(client.html, "/approve").sent, **SIGNED}
    assert foreign.post(f"{client.path}/approve", sent).status_code == 400
    assert client.send("approve", **SIGNED, office_fax="1").status_code == 303
    assert api.run("svc_bid_get", id=bid["id"])["status"] == "sent"


def test_too_many_requests_are_rejected_and_the_page_remains_available(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_limit(monkeypatch, "bid-post", 2)
    client = Visitor(make_sent(api))
    answers = [
        client.browser.post(f"{client.path}/{act}") for act in ("sum", "decline", "sum", "approve", "ask", "code")
    ]
    assert [answer.status_code for answer in answers] == [200, 400, 429, 429, 429, 429]
    assert "Try again in an hour" in answers[-1].content.decode()
    assert "Buffet" in client.browser.get(client.path).content.decode()
    assert "Buffet" in Visitor(make_sent(api, 1)).send("sum", form="approve").content.decode(), "another proposal"
