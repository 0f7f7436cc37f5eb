"""Links in emails all start with the base URL, regardless of the Host header of the request that caused the email.

A sign-in link must never point to a stranger's host. The tests use a real server, a real mail server and raw requests.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from email.message import EmailMessage
from urllib.parse import urlsplit

import pytest

from workspace.public_site.spam_protection import MIN_SECONDS
from workspace.testing.service import Service
from workspace.testing.sign_in import PASSWORD, totp
from workspace.testing.smtp_sink import Peer, start_sink
from workspace.testing.visitor import Visitor

pytestmark = pytest.mark.any_database


OWNER, OPERATOR = "owner@example.com", "operator@example.com"
BUSINESS = {"person": "Ada Lovelace", "name": "Ada's Bakery", "trade": "cafe"}
NEW_PASSWORD = "kettle on a rainy hill"


class Post:
    """The received emails."""

    def __init__(self, service: Service, peer: Peer) -> None:
        self.service, self.peer = service, peer

    def path(self, to: str, subject: str) -> str:
        """Wait for an email with that subject. Return the path of its first link."""
        message = self.wait(to, subject)
        link = re.search(r"http://\S+", message.get_body(("plain",)).get_content())  # type: ignore[union-attr]
        assert link, message.as_string()
        return urlsplit(link[0]).path

    def wait(self, to: str, subject: str) -> EmailMessage:
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            for recipient, message in reversed(list(self.peer.taken)):
                if recipient == to and subject in message["Subject"]:
                    return message
            time.sleep(0.05)
        raise AssertionError(f"No “{subject}” to {to}: {[(to, m['Subject']) for to, m in self.peer.taken]}")

    def links(self) -> set[str]:
        """Return scheme and host of every URL in every email."""
        found = set()
        for _, message in self.peer.taken:
            for part in message.walk():
                if part.get_content_maintype() == "text":
                    # a period may end a sentence, but not a host before a path
                    found |= set(re.findall(r"https?://[^/\s\"'<>]+?(?=/|\.?[\s\"'<>])", part.get_content()))
        return found


@pytest.fixture(scope="module")
def post() -> Iterator[Post]:
    peer = Peer()
    controller = start_sink(peer)
    service = Service(
        WORKSPACE_SMTP_HOST="127.0.0.1",
        WORKSPACE_SMTP_PORT=str(peer.port),
        WORKSPACE_SMTP_SECURITY="none",
        WORKSPACE_OPERATOR_EMAIL=OPERATOR,
    )
    service.migrate()
    service.start()
    try:
        yield Post(service, peer)
    finally:
        service.stop()
        controller.stop()


def test_emails_that_a_stranger_can_cause_link_to_the_base_url(post: Post) -> None:
    service, port = post.service, post.service.port
    for number, host in enumerate(["127.0.0.1:6666", "localhost", f"127.0.0.1.:{port}", "LocalHost.:1", "[::1]:6666"]):
        email, nobody = f"ada{number}@example.com", f"nobody{number}@example.com"
        browser = Visitor(service, host)
        browser.post("/sign-up", **BUSINESS, email=email, password1=PASSWORD)
        browser.post(post.path(email, "Confirm your email address"))
        Visitor(service, host).post("/account/reset", email=email)
        post.wait(email, "Reset your password")
        Visitor(service, host).post("/account/reset", email=nobody)
        post.wait(nobody, "No account with this address")
    assert post.links() == {service.url}


def test_every_other_email_links_to_the_base_url(post: Post) -> None:
    service, host = post.service, "127.0.0.1:6666"
    key = service.account(OWNER)["api_key"]
    card = service.api(key, "svc_card_create", full_name="Jane Doe", lead_capture=True)
    reviews = service.api(key, "svc_reviews_create", title="How was it?")
    pages = {path: Visitor(service, host).get(path) for path in _guests_forms(card["slug"], reviews["slug"])}

    Visitor(service, host).post("/sign-up", **BUSINESS, email=OWNER, password1=PASSWORD)
    post.wait(OWNER, "You already have an account")
    Visitor(service, host).post("/account/reset", email=OWNER)
    browser = Visitor(service, host)
    form = browser.follow_redirects(post.path(OWNER, "Reset your password"))
    browser.post(form, password1=NEW_PASSWORD)
    post.wait(OWNER, "Your password was changed")

    browser.post("/sign-in/", login=OWNER, password=NEW_PASSWORD)
    browser.post("/app/members/invite", email="carla@example.com", role="editor")
    post.wait("carla@example.com", "Invitation to join")
    secret = re.search(r'data-copy="([A-Z2-7]{32})"', page := browser.get("/account/second-step/app"))
    assert secret
    browser.post("/account/second-step/app", page, code=totp(secret[1]))
    post.wait(OWNER, "Two-step verification turned on")
    browser.post("/account/second-step/codes/new")
    post.wait(OWNER, "New recovery codes created")
    browser.post("/account/second-step/app/off")
    post.wait(OWNER, "Authenticator app turned off")
    browser.post("/account/email", email="moved@example.com", action_add="")
    post.wait("moved@example.com", "Confirm your email address")

    time.sleep(MIN_SECONDS)  # a form sent immediately is treated as a bot's
    for path, fields in _guests_forms(card["slug"], reviews["slug"]).items():
        Visitor(service, host).post(path, pages[path], **fields)
    post.wait("gus@example.com", "Jane Doe’s business card")
    post.wait(OWNER, "left their details")
    post.wait("rita@example.com", "Please confirm your review")
    post.wait(OWNER, "left you a review")
    post.wait(OPERATOR, "Report: ")

    browser.post("/app/account/close", name="Corner Café")
    post.wait(OWNER, "is scheduled for closure")
    assert post.links() == {service.url}


def _guests_forms(card: str, reviews: str) -> dict[str, dict[str, str]]:
    review = {"rating": "5", "text": "The cake was good.", "name": "Rita", "email": "rita@example.com"}
    return {
        f"/c/{card}/mail": {"email": "gus@example.com"},
        f"/c/{card}/exchange": {"name": "Gus", "email": "gus@example.com", "agreed": "yes"},
        f"/r/{reviews}": {**review, "consent": "yes"},
        f"/report/card/{card}": {"reason": "spam", "note": "Hm"},
    }


def test_password_attempts_under_another_host_count_toward_the_same_limit(post: Post) -> None:
    post.service.account("carl@example.com")
    told = ""
    for number in range(7):
        guesser = Visitor(post.service, f"127.0.0.1:{2000 + number}")
        told = guesser.refused("/sign-in/", login="carl@example.com", password=f"guess number {number}")
    assert "Too many attempts" in told
