"""Inbound emails as email clients write them, for tests."""

from __future__ import annotations

import asyncio
import smtplib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import make_msgid, parseaddr

from django.conf import settings

from workspace.support.smtp_server import SmtpReceiver
from workspace.support.smtp_worker import SmtpWorker

SUPPORT = "help@example.com"
SERVER = "mx.example.com"


def compose_mail(
    sender: str,
    text: str = "Hello",
    *,
    to: str = SUPPORT,
    subject: str = "Re: Codes",
    is_verified: bool = True,
    **head: str,
) -> EmailMessage:
    """Create an email, with the verdict of our mail server on top if it is verified."""
    mail = EmailMessage()
    if is_verified:
        domain = parseaddr(sender)[1].rpartition("@")[2]
        mail["Authentication-Results"] = f"{SERVER}; dmarc=pass header.from={domain}"
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
    """Start a real receiver on loopback and yield its port."""
    settings.SUPPORT_ADDRESS, settings.MAIL_IN = SUPPORT, (protocol, "127.0.0.1", 0)
    lane = SmtpWorker()
    lane.start()
    try:
        assert lane.wait_until_listening(30)
        yield lane.port
    finally:
        lane.stop()


@contextmanager
def serving(receiver: SmtpReceiver) -> Iterator[int]:
    """Serve only the SMTP dialog, without a database, and yield its port."""
    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(loop.create_server(receiver, "127.0.0.1", 0))
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        loop.call_soon_threadsafe(server.close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(60)
        loop.close()


def deliver(port: int, *mails: EmailMessage, sender: str | None = None, recipient: str | None = None) -> list[str]:
    """Send emails in one SMTP session and return the reply to each."""
    answers = []
    with smtplib.SMTP("127.0.0.1", port, timeout=60) as peer:
        for mail in mails:
            peer.ehlo_or_helo_if_needed()
            peer.mail(sender if sender is not None else str(mail["From"]))
            peer.rcpt(recipient or str(mail["To"]))
            code, words = peer.data(mail.as_bytes(policy=SMTP))
            answers.append(f"{code} {words.decode()}")
    return answers
