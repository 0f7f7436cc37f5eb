"""A mail server on loopback for the browser tests: it receives the service's emails over SMTP."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage

from playwright.sync_api import Page

from workspace.testing.smtp_sink import Peer, start_sink


@contextmanager
def receiving_mail() -> Iterator[tuple[Peer, dict[str, str]]]:
    """Yield the receiver of emails, and the settings of a service that sends them there."""
    peer = Peer()
    controller = start_sink(peer)
    settings = {"HOST": "127.0.0.1", "PORT": str(peer.port), "SECURITY": "none"}
    try:
        yield peer, {f"WORKSPACE_SMTP_{name}": value for name, value in settings.items()}
    finally:
        controller.stop()


def mailed(peer: Peer, to: str, subject: str, page: Page) -> EmailMessage:
    """Wait for the last email to an address with these words in its subject. `page` is used to wait."""
    for _ in range(480):
        for recipient, mail in reversed(peer.taken):
            if recipient == to and subject in str(mail["Subject"]):
                return mail
        page.wait_for_timeout(250)
    raise AssertionError((to, subject, [(one, str(mail["Subject"])) for one, mail in peer.taken]))


def text_of(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def link_in(mail: EmailMessage) -> str:
    found = re.search(r"https?://\S+", text_of(mail))
    assert found, text_of(mail)
    return found[0]
