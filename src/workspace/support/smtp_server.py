"""The mail server (SMTP, RFC 5321; LMTP, RFC 2033) for emails to support's address, built with aiosmtpd.

The administrator's mail server connects to it. aiosmtpd implements the protocol. Only the content of an email is read
here, because aiosmtpd reads it line by line, and 15 MB of empty lines would take 20 s and 1.3 GB. Only CRLF . CRLF ends
an email, which prevents SMTP smuggling.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from tempfile import SpooledTemporaryFile
from typing import Any

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

MAX_CONNECTIONS = 20  # simultaneous connections
MAX_RECIPIENTS = 20
MAX_COMMANDS = 100  # of one kind in one connection
IDLE_TIMEOUT_SECONDS = 60.0  # without a command or content
MAX_MEMORY_BYTES = 1024 * 1024
BLOCK_SIZE = 1024 * 1024  # more than asyncio buffers for a connection, so that one read empties the buffer
END_OF_DATA = b"\r\n.\r\n"
SOFTWARE_NAME = "workspace"  # in the greeting

logger = logging.getLogger(__name__)
logging.getLogger("mail.log").setLevel(logging.ERROR)  # aiosmtpd logs client addresses and each command

# Gets the envelope's sender, the recipients and the email, and returns a reply.
MailHandler = Callable[[str, list[str], bytes], Awaitable[str]]


@dataclass
class SmtpReceiver:
    """A mail server without its socket. It is called for each connection, as `loop.create_server` does.

    `accepts` returns whether emails to an address are accepted. `handle_mail` processes an email; with LMTP, its reply
    is repeated for each recipient. `max_bytes` is the maximum size of an email.
    """

    accepts: Callable[[str], bool]
    handle_mail: MailHandler
    max_bytes: int
    is_lmtp: bool = False
    open_count: int = field(default=0, init=False)

    def __call__(self) -> SMTP:
        """Return the protocol for one connection."""
        session = _LmtpSession if self.is_lmtp else _SmtpSession
        return session(
            self,
            data_size_limit=self.max_bytes,
            enable_SMTPUTF8=True,
            hostname=SOFTWARE_NAME,
            ident="LMTP" if self.is_lmtp else "ESMTP",
            timeout=IDLE_TIMEOUT_SECONDS,
            command_call_limit=MAX_COMMANDS,
            loop=asyncio.get_running_loop(),
        )

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Accept or refuse a recipient."""
        if not self.accepts(address):
            return "550 5.1.1 No mailbox with this address"
        if len(envelope.rcpt_tos) >= MAX_RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_exception(self, error: Exception) -> str:
        """Reply to an unexpected error without its text. The client will send the email again."""
        logger.error("An email to support was not accepted", exc_info=error)
        return "451 4.3.0 Try again later"


class _BlockReader:
    """Reads the content of an email in blocks and buffers it on disk, and not line by line in memory."""

    event_handler: SmtpReceiver
    envelope: Envelope | None
    _reader: asyncio.StreamReader

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.event_handler.open_count += 1
        if self.event_handler.open_count > MAX_CONNECTIONS and isinstance(transport, asyncio.WriteTransport):
            transport.write(b"421 4.3.2 Too many connections\r\n")
            transport.close()
        super().connection_made(transport)  # type: ignore[misc]  # of aiosmtpd's class

    def connection_lost(self, error: Exception | None) -> None:
        self.event_handler.open_count -= 1
        super().connection_lost(error)  # type: ignore[misc]  # of aiosmtpd's class

    async def smtp_DATA(self, argument: str | None) -> None:
        """Read an email and pass it on for processing. Reply once or, with LMTP, for each recipient."""
        session: Any = self
        envelope = self.envelope
        if envelope is None or not envelope.rcpt_tos:
            await session.push("503 5.5.1 Send MAIL and RCPT first")
            return
        await session.push("354 End data with <CR><LF>.<CR><LF>")
        receiver = self.event_handler
        mail = await self._read_mail()
        if mail is None:
            reply = f"552 5.3.4 The maximum size is {receiver.max_bytes} bytes"
        else:
            sender = (envelope.mail_from or "").removeprefix("<>")  # aiosmtpd reports <> as the sender of a bounce
            reply = await receiver.handle_mail(sender, list(envelope.rcpt_tos), mail)
        count = len(envelope.rcpt_tos) if receiver.is_lmtp else 1
        session._set_post_data_state()
        await session.push("\r\n".join([reply] * count))

    async def _read_mail(self) -> bytes | None:
        """Return the email without dot-stuffing (RFC 5321, section 4.5.2), or None if it is too large."""
        session: Any = self
        limit = self.event_handler.max_bytes + 2
        with SpooledTemporaryFile(max_size=MAX_MEMORY_BYTES) as stored:
            size, tail = 0, b"\r\n"  # as after a line end, because the first character may be the dot
            while True:
                session._reset_timeout()
                block = await self._reader.read(BLOCK_SIZE)
                if not block or size > 4 * limit:  # the client is gone, or the email is too large to wait for its end
                    raise ConnectionResetError
                window = tail + block
                end = window.find(END_OF_DATA)
                content = window[: end + 2] if end >= 0 else window[: -len(END_OF_DATA) + 1]
                size += len(content)
                if size <= limit:
                    stored.write(content)
                if end >= 0:
                    break
                tail = window[-len(END_OF_DATA) + 1 :]
            # a pipelining client sent commands after the email; the buffer is empty, so they are next
            if (commands := window[end + len(END_OF_DATA) :]) and not self._reader.at_eof():
                self._reader.feed_data(commands)
            if size > limit:
                return None
            stored.seek(0)
            return stored.read().replace(b"\r\n..", b"\r\n.")[2:]


class _SmtpSession(_BlockReader, SMTP):
    pass


class _LmtpSession(_BlockReader, LMTP):
    pass
