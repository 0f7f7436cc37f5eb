"""Mails as people's mailers write them, for tests."""

from __future__ import annotations

import smtplib
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import make_msgid

from django.conf import settings

from workspace.support.listener import MailIn

SUPPORT = "help@example.com"


def written(
    sender: str, text: str = "Hello", *, to: str = SUPPORT, subject: str = "Re: Codes", **head: str
) -> EmailMessage:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, to, subject
    mail["Message-ID"] = make_msgid(domain="sender.example")
    for name, value in head.items():
        name = name.replace("_", "-")
        del mail[name]
        mail[name] = value
    mail.set_content(text)
    return mail


@contextmanager
def listening(protocol: str = "smtp") -> Iterator[int]:
    """A real receiver on loopback; its port."""
    settings.SUPPORT_ADDRESS, settings.MAIL_IN = SUPPORT, (protocol, "127.0.0.1", 0)
    lane = MailIn()
    lane.start()
    try:
        assert lane.wait(30)
        yield lane.port
    finally:
        lane.stop()


def deliver(port: int, *mails: EmailMessage, sender: str | None = None, recipient: str | None = None) -> list[str]:
    """Over one SMTP conversation; what was answered to each."""
    answers = []
    with smtplib.SMTP("127.0.0.1", port, timeout=30) as peer:
        for mail in mails:
            peer.ehlo_or_helo_if_needed()
            peer.mail(sender if sender is not None else str(mail["From"]))
            peer.rcpt(recipient or str(mail["To"]))
            code, words = peer.data(mail.as_bytes(policy=SMTP))
            answers.append(f"{code} {words.decode()}")
    return answers
