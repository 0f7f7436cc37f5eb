"""The mail server on its socket: the emails that it accepts and refuses, and its limits.

These tests use no database.
"""

from __future__ import annotations

import socket
from contextlib import ExitStack, suppress

import pytest

from workspace.support.smtp_server import MAX_CONNECTIONS, MAX_RECIPIENTS, SmtpReceiver
from workspace.testing.incoming_mail import SUPPORT, serving

pytestmark = pytest.mark.any_database
BEGIN = b"EHLO x\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<help@example.com>\r\nDATA\r\n"


class Inbox:
    """A receiver that stores all emails."""

    def __init__(self, *, is_lmtp: bool = False) -> None:
        self.mails: list[tuple[str, list[str], bytes]] = []
        self.receiver = SmtpReceiver(lambda to: to == SUPPORT, self._store, max_bytes=1000, is_lmtp=is_lmtp)

    async def _store(self, sender: str, recipients: list[str], mail: bytes) -> str:
        self.mails.append((sender, recipients, mail))
        return "250 Stored"


def converse(port: int, *sent: bytes) -> list[str]:
    """Send everything and QUIT, and return the replies up to the end of the connection."""
    replies: list[str] = []
    with socket.create_connection(("127.0.0.1", port), timeout=60) as peer, peer.makefile("r") as answers:
        # the server may disconnect before everything is sent: replies up to then count
        with suppress(ConnectionError):
            for one in (*sent, b"QUIT\r\n"):
                peer.sendall(one)
        with suppress(ConnectionError):
            for line in answers:
                replies.append(line.rstrip())  # noqa: PERF401 - a list would be lost with the connection
    return replies


def codes(replies: list[str]) -> list[str]:
    return [reply[:3] for reply in replies]


def test_only_a_dot_between_two_crlf_ends_an_email() -> None:
    inbox = Inbox()
    with serving(inbox.receiver) as port:
        # everything at once: an invalid end, a stuffed dot, and what looks like another email after it
        replies = converse(port, BEGIN + b"One\n.\nMAIL FROM:<c@d.example>\r\n..two\r\n.", b"\r\n")
    assert codes(replies)[-4:] == ["250", "354", "250", "221"]
    assert [mail for _, _, mail in inbox.mails] == [b"One\n.\nMAIL FROM:<c@d.example>\r\n.two\r\n"]


def test_commands_that_follow_an_email_at_once_are_obeyed() -> None:
    inbox = Inbox()
    second = b"MAIL FROM:<c@d.example>\r\nRCPT TO:<help@example.com>\r\nDATA\r\nTwo\r\n.\r\n"
    with serving(inbox.receiver) as port:
        replies = converse(port, BEGIN + b"One\r\n.\r\n" + second)
    assert codes(replies)[-7:] == ["354", "250", "250", "250", "354", "250", "221"]
    assert [(sender, mail) for sender, _, mail in inbox.mails] == [
        ("a@b.example", b"One\r\n"),
        ("c@d.example", b"Two\r\n"),
    ]


def test_an_empty_email_and_the_sender_of_a_bounce_are_accepted() -> None:
    inbox = Inbox()
    with serving(inbox.receiver) as port:
        replies = converse(port, BEGIN.replace(b"a@b.example", b"") + b".\r\n")
    assert codes(replies)[-2:] == ["250", "221"]
    assert inbox.mails == [("", [SUPPORT], b"")]


def test_an_email_that_is_too_large_or_announces_it_is_refused() -> None:
    inbox = Inbox()
    with serving(inbox.receiver) as port:
        assert "552" in codes(converse(port, BEGIN, b"y" * 1500, b"\r\n.\r\n"))
        assert "552" in codes(converse(port, b"EHLO x\r\nMAIL FROM:<a@b.example> SIZE=1001\r\n"))
        # the client is disconnected long before it has sent everything
        assert "221" not in codes(converse(port, BEGIN, b"y" * 8_000_000))
    assert inbox.mails == []


def test_a_long_line_in_an_email_is_accepted() -> None:
    inbox = Inbox()
    with serving(inbox.receiver) as port:
        assert "250" in codes(converse(port, BEGIN, b"z" * 998 + b"\r\n.\r\n"))
    assert inbox.mails[0][2] == b"z" * 998 + b"\r\n"


def test_a_misbehaving_client_is_disconnected() -> None:
    with serving(Inbox().receiver) as port:
        assert codes(converse(port, b"x" * 5000 + b"\r\n")) == ["220", "500", "221"]
        # the last replies may be lost with the connection, but QUIT is never reached
        assert "221" not in codes(converse(port, *[b"WHAT\r\n"] * 20))
        assert "221" not in codes(converse(port, *[b"NOOP\r\n"] * 500))


def test_recipients_are_limited_and_unknown_addresses_are_refused() -> None:
    inbox = Inbox()
    recipient = b"RCPT TO:<help@example.com>\r\n"
    begin = b"EHLO x\r\nMAIL FROM:<a@b.example>\r\n"
    with serving(inbox.receiver) as port:
        assert codes(converse(port, begin + recipient * (MAX_RECIPIENTS + 1))).count("452") == 1
        assert "550" in codes(converse(port, begin + b"RCPT TO:<who@example.com>\r\n"))


def test_lmtp_replies_for_each_recipient() -> None:
    inbox = Inbox(is_lmtp=True)
    recipient = b"RCPT TO:<help@example.com>\r\n"
    with serving(inbox.receiver) as port:
        replies = converse(port, BEGIN.replace(b"EHLO", b"LHLO").replace(recipient, 3 * recipient) + b"Hi\r\n.\r\n")
        assert codes(converse(port, BEGIN))[1] == "500"  # EHLO is not LMTP
    assert codes(replies)[-5:] == ["354", "250", "250", "250", "221"]
    assert len(inbox.mails) == 1


def test_too_many_connections_at_once_are_refused_and_counted_until_they_end() -> None:
    inbox = Inbox()
    with serving(inbox.receiver) as port:
        with ExitStack() as connections:
            for _ in range(MAX_CONNECTIONS):
                peer = connections.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60))
                assert peer.recv(3) == b"220"
            assert "221" not in codes(converse(port))
        # the server notices the ends one after the other
        while "221" not in codes(converse(port)):
            pass


def test_an_unexpected_error_is_answered_without_its_text() -> None:
    async def fail(sender: str, recipients: list[str], mail: bytes) -> str:
        raise RuntimeError("the password is 1234")

    with serving(SmtpReceiver(lambda to: True, fail, max_bytes=1000)) as port:
        replies = converse(port, BEGIN + b"Hi\r\n.\r\n")
    assert replies[-2].startswith("451") and "1234" not in "".join(replies)
