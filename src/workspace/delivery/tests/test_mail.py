from __future__ import annotations

import smtplib
from email.mime.base import MIMEBase
from pathlib import Path
from typing import Any

import pytest
from django.core.mail import EmailMessage, get_connection, send_mail
from django.template.loader import render_to_string

from workspace.delivery import mail
from workspace.delivery.models import Delivery
from workspace.testing.smtp_sink import write_mail

pytestmark = pytest.mark.django_db


@pytest.fixture
def templates(settings: Any, tmp_path: Path) -> Path:
    folder = tmp_path / "mail"
    folder.mkdir()
    (folder / "plain.txt").write_text("Subject: Hello {{ name }}\n\nDear {{ name }}, look at {{ base_url }}\n")
    (folder / "rich.txt").write_text("Subject: Hello {{ name }}\n\nDear {{ name }}\n")
    (folder / "rich.html").write_text(
        '{% extends "mail/frame.html" %}{% block content %}<p>Dear {{ name }}</p>'
        '{% include "mail/button.html" with url=base_url label="Open" %}{% endblock %}'
    )
    (folder / "headless.txt").write_text("Dear {{ name }}\n")
    changed = [{**settings.TEMPLATES[0], "DIRS": [*settings.TEMPLATES[0]["DIRS"], tmp_path]}]
    settings.TEMPLATES = changed
    return folder


def test_emails_that_django_sends_are_queued_in_the_outbox(settings: Any) -> None:
    settings.EMAIL_BACKEND = "workspace.delivery.mail.OutboxBackend"
    assert send_mail("Reset", "Here", None, ["a@example.com"], html_message="<b>Here</b>") == 1
    message = mail.parse_message(Delivery.objects.get())
    assert message["Subject"] == "Reset" and message.get_body(("html",)).get_content().strip() == "<b>Here</b>"
    assert get_connection().send_messages([]) == 0


def test_the_first_line_of_a_template_is_the_subject(templates: Path, settings: Any, account: Any) -> None:
    row = mail.send("plain", "a@example.com", {"name": "Tom & <Jerry>"}, account=account, dedupe="hello:1")
    message = mail.parse_message(row)
    assert message["Subject"] == "Hello Tom & <Jerry>"
    assert message.get_content().splitlines() == [f"Dear Tom & <Jerry>, look at {settings.BASE_URL}"]
    assert not message.is_multipart() and row.account == account
    assert mail.send("plain", "a@example.com", {"name": "Tom"}, dedupe="hello:1").id == row.id


def test_html_is_escaped_and_uses_the_layout(templates: Path) -> None:
    message = mail.parse_message(mail.send("rich", "a@example.com", {"name": "<b>Tom</b>"}, reply_to="b@example.com"))
    page = message.get_body(("html",)).get_content()
    assert "Dear &lt;b&gt;Tom&lt;/b&gt;" in page and "prefers-color-scheme: dark" in page
    assert message["Reply-To"] == "b@example.com"


def test_the_layout_is_small() -> None:
    assert len(render_to_string("mail/frame.html", {"subject": "Hi", "base_url": "http://localhost"})) < 10_000


def test_a_template_without_a_subject_raises_an_error(templates: Path) -> None:
    with pytest.raises(ValueError, match="subject"):
        mail.send("headless", "a@example.com", {"name": "Tom"})


def test_a_name_with_a_line_break_adds_no_header(templates: Path) -> None:
    message = mail.parse_message(mail.send("plain", "a@example.com", {"name": "Tom\r\nBcc: evil@example.com"}))
    assert message["Bcc"] is None and message["Subject"] == "Hello Tom"


@pytest.mark.parametrize(
    "fields",
    [
        {"subject": "Hi\nBcc: evil@example.com"},
        {"to": "a@example.com\nBcc: evil@example.com"},
        {"to": "a@example.com>\r\nRCPT TO:<evil@example.com"},
        {"to": "no address"},
        {"from_email": "a@example.com\r\nBcc: evil@example.com"},
        {"reply_to": ["a@example.com\nBcc: evil@example.com"]},
        {"headers": {"X-A": "b\nBcc: evil@example.com"}},
        {"headers": {"X-A: b\nBcc": "evil@example.com"}},
        {"headers": {"Message-ID": "<a@b>\r\nBcc: evil@example.com"}},
        {"attachments": [("a\r\nBcc: evil@example.com", b"x", "application/pdf")]},
        {"attachments": [("a.pdf", b"x", "application/pdf\r\nBcc: evil@example.com")]},
    ],
)
def test_a_line_break_never_reaches_a_header(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        write_mail(**fields)
    assert not Delivery.objects.exists()


def test_an_email_over_four_megabytes_is_rejected() -> None:
    with pytest.raises(ValueError, match="4 MB"):
        write_mail(attachments=[("big.bin", b"\0" * 4_000_000, "application/octet-stream")])


def test_any_bytes_survive_the_outbox() -> None:
    part = MIMEBase("application", "octet-stream")
    part.set_payload("caf\udce9", None)  # eight bits, as a parsed message may contain
    row = write_mail(body="nul \0 and é\n", attachments=[part])
    row.refresh_from_db()
    raw = mail.message_bytes(row)
    assert b"caf\xe9" in raw and b"\0" not in raw and b"\n" not in raw.replace(b"\r\n", b"")
    assert mail.parse_message(row).get_body(("plain",)).get_content() == "nul \0 and é\r\n"


def test_a_message_is_identical_at_each_attempt() -> None:
    row = write_mail()
    assert mail.message_bytes(row) == mail.message_bytes(Delivery.objects.get(pk=row.pk))
    assert mail.parse_message(row)["Message-ID"] and mail.parse_message(row)["Date"]


def test_an_international_domain_is_sent_in_ascii() -> None:
    row = write_mail("gast@müller.example")
    assert row.payload is not None and row.payload["to"] == "gast@xn--mller-kva.example"
    assert smtplib.quoteaddr(row.payload["to"]) == "<gast@xn--mller-kva.example>"


def test_a_message_without_recipients_writes_nothing(templates: Path) -> None:
    assert mail.queue_message(EmailMessage("Hi", "Hi")) == []
    with pytest.raises(ValueError, match="recipient"):
        mail.send("plain", "", {"name": "Tom"})
