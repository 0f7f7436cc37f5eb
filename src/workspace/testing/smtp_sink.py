"""A real mail server on loopback that accepts, rejects or stalls as a test needs it."""

from __future__ import annotations

import asyncio
import socket
import threading
import warnings
from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from django.core.mail import EmailMultiAlternatives

from workspace.delivery import mail
from workspace.delivery.models import Delivery

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it warns about its own use of asyncio
    from aiosmtpd.controller import Controller
    from aiosmtpd.smtp import AuthResult, LoginPassword


class Peer:
    """The behavior of the server.

    `taken` has (recipient, message) in the order of arrival. `answers` has replies by recipient; the default is 250.
    """

    def __init__(self) -> None:
        self.taken: list[tuple[str, EmailMessage]] = []
        self.answers: dict[str, str] = {}
        self.stall = threading.Event()
        self.arrived = threading.Event()
        self.connections = 0
        self.port = 0  # set by `start_sink`

    async def handle_EHLO(self, server: Any, session: Any, envelope: Any, hostname: str, lines: list[str]) -> list[str]:
        self.connections += 1
        session.host_name = hostname
        return lines

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: list[str]) -> str:
        if address in self.answers:
            return self.answers[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        self.taken.append((envelope.rcpt_tos[0], message_from_bytes(envelope.content, policy=policy.default)))
        self.arrived.set()
        while self.stall.is_set():
            await asyncio.sleep(0.01)
        return "250 OK"

    def recipients(self) -> list[str]:
        return [recipient for recipient, _ in self.taken]


class Secure(Peer):
    """A server with sign-in. `logins` has the credentials, and whether the connection was encrypted."""

    def __init__(self) -> None:
        super().__init__()
        self.logins: list[tuple[bytes, bytes, bool]] = []
        self.encrypted: list[bool] = []

    def authenticate(self, server: Any, session: Any, envelope: Any, mechanism: str, given: Any) -> AuthResult:
        assert isinstance(given, LoginPassword)
        self.logins.append((given.login, given.password, session.ssl is not None))
        return AuthResult(success=given.password == b"right", handled=False)

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        self.encrypted.append(session.ssl is not None)
        return await super().handle_DATA(server, session, envelope)


Start = Callable[..., Secure]


def start_sink(peer: Peer, **options: Any) -> Controller:
    """Start a mail server for `peer` on a free port of loopback. The caller must stop it.

    `options` are those of the controller, such as `tls_context`.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns about its own use of asyncio
        controller = Controller(peer, hostname="127.0.0.1", port=port, **options)
        controller.start()
    peer.port = port
    return controller


def write_mail(to: str = "guest@example.com", **fields: Any) -> Delivery:
    message = EmailMultiAlternatives(
        fields.pop("subject", "Hello"), fields.pop("body", "Hi there\n"), to=[to], **fields
    )
    return mail.queue_message(message)[0]
