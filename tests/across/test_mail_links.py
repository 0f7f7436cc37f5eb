"""Every link in every mail leads to the base URL, whatever Host the request named that had the mail sent: a link that
signs somebody in must not lead where a stranger wants it. Over a real server, a real mail server, and raw requests."""

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
    """The mails that arrive."""

    def __init__(self, service: Service, peer: Peer) -> None:
        self.service, self.peer = service, peer

    def path(self, to: str, subject: str) -> str:
        """The path of the first link in the newest mail of that subject, once it is there."""
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
        """Scheme and host of every address in every mail."""
        found = set()
        for _, message in self.peer.taken:
            for part in message.walk():
                if part.get_content_maintype() == "text":
                    # a full stop may end a sentence, but no host before a path
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


def test_what_a_stranger_can_have_sent_leads_to_the_base_url(post: Post) -> None:
    service, port = post.service, post.service.port
    for number, host in enumerate(["127.0.0.1:6666", "localhost", f"127.0.0.1.:{port}", "LocalHost.:1", "[::1]:6666"]):
        email, nobody = f"ada{number}@example.com", f"nobody{number}@example.com"
        browser = Visitor(service, host)
        browser.post("/sign-up", **BUSINESS, email=email, password1=PASSWORD)
        browser.post(post.path(email, "Confirm your e-mail address"))
        Visitor(service, host).post("/account/reset", email=email)
        post.wait(email, "Choose a new password")
        Visitor(service, host).post("/account/reset", email=nobody)
        post.wait(nobody, "No account with this address")
    assert post.links() == {service.url}


def test_so_does_every_other_mail(post: Post) -> None:
    service, host = post.service, "127.0.0.1:6666"
    key = service.account(OWNER)["api_key"]
    card = service.api(key, "svc_card_create", full_name="Jane Doe", lead_capture=True)
    reviews = service.api(key, "svc_reviews_create", title="How was it?")
    pages = {path: Visitor(service, host).get(path) for path in _guests_forms(card["slug"], reviews["slug"])}

    Visitor(service, host).post("/sign-up", **BUSINESS, email=OWNER, password1=PASSWORD)
    post.wait(OWNER, "You have an account already")
    Visitor(service, host).post("/account/reset", email=OWNER)
    browser = Visitor(service, host)
    form = browser.follow(post.path(OWNER, "Choose a new password"))
    browser.post(form, password1=NEW_PASSWORD)
    post.wait(OWNER, "Your password was changed")

    browser.post("/sign-in/", login=OWNER, password=NEW_PASSWORD)
    browser.post("/app/members/invite", email="carla@example.com", role="editor")
    post.wait("carla@example.com", "Work with")
    secret = re.search(r'data-copy="([A-Z2-7]{32})"', page := browser.get("/account/second-step/app"))
    assert secret
    browser.post("/account/second-step/app", page, code=totp(secret[1]))
    post.wait(OWNER, "Two-step verification is on")
    browser.post("/account/second-step/codes/new")
    post.wait(OWNER, "You have new recovery codes")
    browser.post("/account/second-step/app/off")
    post.wait(OWNER, "Your authenticator app is switched off")
    browser.post("/account/email", email="moved@example.com", action_add="")
    post.wait("moved@example.com", "Confirm your e-mail address")

    time.sleep(MIN_SECONDS)  # a form that is sent at once is a program's
    for path, fields in _guests_forms(card["slug"], reviews["slug"]).items():
        Visitor(service, host).post(path, pages[path], **fields)
    post.wait("gus@example.com", "The card of Jane Doe")
    post.wait(OWNER, "left their details")
    post.wait("rita@example.com", "Please confirm your review")
    post.wait(OWNER, "wrote you a review")
    post.wait(OPERATOR, "Report: ")

    browser.post("/app/account/close", name="Corner Café")
    post.wait(OWNER, "is being closed")
    assert post.links() == {service.url}


def _guests_forms(card: str, reviews: str) -> dict[str, dict[str, str]]:
    review = {"rating": "5", "text": "The cake was good.", "name": "Rita", "email": "rita@example.com"}
    return {
        f"/c/{card}/mail": {"email": "gus@example.com"},
        f"/c/{card}/exchange": {"name": "Gus", "email": "gus@example.com", "agreed": "yes"},
        f"/r/{reviews}": {**review, "consent": "yes"},
        f"/report/card/{card}": {"reason": "spam", "note": "Hm"},
    }


def test_a_guess_at_a_password_under_another_host_is_no_first_guess(post: Post) -> None:
    post.service.account("carl@example.com")
    told = ""
    for number in range(7):
        guesser = Visitor(post.service, f"127.0.0.1:{2000 + number}")
        told = guesser.refused("/sign-in/", login="carl@example.com", password=f"guess number {number}")
    assert "Too many attempts" in told
