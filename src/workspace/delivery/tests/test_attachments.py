"""Attachments from `mail.send`, as a mail server receives them and Python's parser reads them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from workspace.delivery import mail
from workspace.delivery.mail import MAX_ATTACHMENT_BYTES, Attachment
from workspace.delivery.models import Delivery
from workspace.delivery.outbox.worker import OutboxWorker
from workspace.testing.smtp_sink import Peer

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _templates(settings: Any, tmp_path: Path) -> None:
    folder = tmp_path / "mail"
    folder.mkdir()
    (folder / "paper.txt").write_text("Subject: Your papers\n\nHere they are\n")
    (folder / "paper.html").write_text('{% extends "mail/frame.html" %}{% block content %}<p>Here</p>{% endblock %}')
    settings.TEMPLATES = [{**settings.TEMPLATES[0], "DIRS": [*settings.TEMPLATES[0]["DIRS"], tmp_path]}]


def _send(*attachments: Attachment) -> Delivery:
    return mail.send("paper", "guest@example.com", {}, attachments=attachments)


def test_every_byte_and_every_name_arrives(peer: Peer) -> None:
    pdf = b"%PDF-1.7\n\x00\xff\r\n.\r\n" + os.urandom(50_000)
    table = "Größe;Maß\r\n1;2\n".encode()
    _send(
        Attachment("Übersicht 予約.pdf", "application/pdf", pdf),
        Attachment("table.csv", "text/csv", table),
        Attachment("empty.zip", "application/zip", b""),
    )
    OutboxWorker().drain_once()
    [(_, got)] = peer.taken
    found = [
        (part.get_filename(), part.get_content_type(), part.get_payload(decode=True)) for part in got.iter_attachments()
    ]
    assert found == [
        ("Übersicht 予約.pdf", "application/pdf", pdf),
        ("table.csv", "text/csv", table),
        ("empty.zip", "application/zip", b""),
    ]
    assert got.get_body(("plain",)).get_content().strip() == "Here they are"
    assert "<p>Here</p>" in got.get_body(("html",)).get_content()


def test_the_largest_allowed_attachment_is_sent_and_a_larger_one_is_rejected_before_any_write(peer: Peer) -> None:
    half = os.urandom(MAX_ATTACHMENT_BYTES // 2)
    _send(Attachment("1.bin", "application/octet-stream", half), Attachment("2.bin", "application/octet-stream", half))
    with pytest.raises(ValueError, match="Attachments can have at most 3 MB"):
        _send(*[Attachment("x.bin", "application/octet-stream", half)] * 3)
    assert Delivery.objects.count() == 1
    OutboxWorker().drain_once()
    [(_, got)] = peer.taken
    assert [part.get_content() for part in got.iter_attachments()] == [half, half]


@pytest.mark.parametrize(
    ("given", "arrives"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\me\\Menu.pdf", "Menu.pdf"),
        ("a\r\nBcc: evil@example.com", "aBcc: evil@example.com"),
        ("..", "attachment"),
        ("x" * 300, "x" * 120),
    ],
)
def test_a_file_name_never_contains_a_path(given: str, arrives: str) -> None:
    [part] = mail.parse_message(_send(Attachment(given, "application/pdf", b"x"))).iter_attachments()
    assert part.get_filename() == arrives


@pytest.mark.parametrize("bad", ["", "pdf", "application/pdf\r\nBcc: e@example.com", "text/html; charset=x", "a/b/c"])
def test_an_invalid_media_type_is_rejected(bad: str) -> None:
    with pytest.raises(ValueError, match="media type"):
        _send(Attachment("a", bad, b"x"))
    assert not Delivery.objects.exists()
