"""A minimal mail server (SMTP, RFC 5321; LMTP, RFC 2033) for emails to support's address.

The mail server of the administrator connects to it. Only CRLF . CRLF ends an email, which prevents SMTP smuggling.
Input is searched in blocks instead of lines, and buffered on disk.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from tempfile import SpooledTemporaryFile

logger = logging.getLogger(__name__)

MAX_CONNECTIONS = 20  # simultaneous connections
MAX_RECIPIENTS = 20
MAX_LINE_LENGTH = 2048
MAX_LINES, MAX_ERRORS = 500, 10  # of one connection
IDLE_TIMEOUT_SECONDS, CONVERSATION_TIMEOUT_SECONDS = 60.0, 600.0  # without input, and for a complete connection
MAX_MEMORY_BYTES = 1024 * 1024
BLOCK_SIZE = 64 * 1024
END_OF_DATA = b"\r\n.\r\n"
_PATH = re.compile(r"\s*<([^<>\s]{0,320})>((?:\s+\S+)*)\s*")
_SIZE = re.compile(r"\bSIZE=(\d{1,15})\b", re.IGNORECASE)

# It gets the envelope's sender, the recipients and the email, and returns a reply.
MailHandler = Callable[[str, list[str], bytes], Awaitable[str]]


@dataclass
class SmtpReceiver:
    """A mail server without its socket.

    `accepts` returns whether emails to an address are accepted. `handle_mail` processes an email; with LMTP, its reply
    is repeated for each recipient. `max_bytes` is the maximum size of an email.
    """

    accepts: Callable[[str], bool]
    handle_mail: MailHandler
    max_bytes: int
    name: str = "workspace"
    is_lmtp: bool = False
    _open: int = field(default=0, init=False)

    async def handle_connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Handle one connection until its end."""
        self._open += 1
        try:
            async with asyncio.timeout(CONVERSATION_TIMEOUT_SECONDS):
                if self._open > MAX_CONNECTIONS:
                    writer.write(b"421 4.3.2 Too many at once, come again\r\n")
                else:
                    await _Conversation(self, reader, writer).run()
                await writer.drain()
        except (TimeoutError, ConnectionError, asyncio.IncompleteReadError):
            pass  # the client sends the email again after a disconnect or timeout
        finally:
            self._open -= 1
            writer.close()


class _Conversation:
    def __init__(self, receiver: SmtpReceiver, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.smtp, self.reader, self.writer = receiver, reader, writer
        self.buffer = b""
        self.sender: str | None = None
        self.recipients: list[str] = []

    async def run(self) -> None:
        wrong = 0
        self._send_reply(f"220 {self.smtp.name} {'LMTP' if self.smtp.is_lmtp else 'ESMTP'}")
        for _ in range(MAX_LINES):
            line = await self._read_line()
            if line is None:
                self._send_reply("500 5.5.2 That line is too long")
                return
            verb, _, rest = line.partition(" ")
            reply = await self._handle_command(verb.upper(), rest)
            self._send_reply(reply)
            wrong += reply.startswith("5")
            if reply.startswith("221") or wrong > MAX_ERRORS:
                return
        self._send_reply("421 4.7.0 Enough for once")

    async def _handle_command(self, verb: str, argument: str) -> str:
        if verb in (("LHLO",) if self.smtp.is_lmtp else ("HELO", "EHLO")):
            self._reset_state()
            more = ["PIPELINING", f"SIZE {self.smtp.max_bytes}", "8BITMIME", "SMTPUTF8", "ENHANCEDSTATUSCODES"]
            lines = [self.smtp.name] if verb == "HELO" else [self.smtp.name, *more]
            return "\r\n".join(f"250{' ' if one is lines[-1] else '-'}{one}" for one in lines)
        if verb == "MAIL":
            return self._handle_mail_from(argument)
        if verb == "RCPT":
            return self._handle_rcpt_to(argument)
        if verb == "DATA":
            return await self._handle_data()
        if verb == "RSET":
            self._reset_state()
            return "250 2.0.0 Begun anew"
        if verb == "NOOP":
            return "250 2.0.0 Here"
        if verb == "QUIT":
            return "221 2.0.0 Until then"
        return "502 5.5.1 That is not spoken here"

    def _handle_mail_from(self, argument: str) -> str:
        path = _PATH.fullmatch(argument[5:]) if argument[:5].upper() == "FROM:" else None
        if path is None:
            return "501 5.5.4 Say MAIL FROM:<address>"
        size = _SIZE.search(path[2])
        if size and int(size[1]) > self.smtp.max_bytes:
            return f"552 5.3.4 A mail may have {self.smtp.max_bytes} bytes"
        self.sender, self.recipients = path[1], []
        return "250 2.1.0 Go on"

    def _handle_rcpt_to(self, argument: str) -> str:
        path = _PATH.fullmatch(argument[3:]) if argument[:3].upper() == "TO:" else None
        if self.sender is None:
            return "503 5.5.1 Say MAIL first"
        if path is None:
            return "501 5.5.4 Say RCPT TO:<address>"
        if not self.smtp.accepts(path[1]):
            return "550 5.1.1 Nobody reads mail to this address here"
        if len(self.recipients) >= MAX_RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        self.recipients.append(path[1])
        return "250 2.1.5 Go on"

    async def _handle_data(self) -> str:
        if self.sender is None or not self.recipients:
            return "503 5.5.1 Say MAIL and RCPT first"
        self._send_reply("354 Go on, and end with a dot on a line of its own")
        mail = await self._read_mail()
        if mail is None:
            reply = f"552 5.3.4 A mail may have {self.smtp.max_bytes} bytes"
        else:
            reply = await self.smtp.handle_mail(self.sender, self.recipients, mail)
        replies = [reply] * (len(self.recipients) if self.smtp.is_lmtp else 1)
        self._reset_state()
        return "\r\n".join(replies)

    async def _read_mail(self) -> bytes | None:
        """Return the email without dot-stuffing (RFC 5321, section 4.5.2), or None if it is too large."""
        with SpooledTemporaryFile(max_size=MAX_MEMORY_BYTES) as kept:
            size, tail = 0, b"\r\n"  # as after a line end, because the dot may come first
            while True:
                window = tail + (self.buffer or await self._read_block())
                self.buffer = b""
                at = window.find(END_OF_DATA)
                done = window[: at + 2] if at >= 0 else window[: -len(END_OF_DATA) + 1]
                size += len(done)
                if size <= self.smtp.max_bytes + 2:
                    kept.write(done)
                elif size > 4 * self.smtp.max_bytes:
                    raise ConnectionError  # it is too large to wait for its end
                if at >= 0:
                    self.buffer = window[at + len(END_OF_DATA) :]
                    break
                tail = window[-len(END_OF_DATA) + 1 :]
            if size > self.smtp.max_bytes + 2:
                return None
            kept.seek(0)
            return kept.read().replace(b"\r\n..", b"\r\n.")[2:]

    async def _read_line(self) -> str | None:
        while (at := self.buffer.find(b"\n")) < 0:
            if len(self.buffer) > MAX_LINE_LENGTH:
                return None
            self.buffer += await self._read_block()
        line, self.buffer = self.buffer[:at], self.buffer[at + 1 :]
        return None if at > MAX_LINE_LENGTH else line.rstrip(b"\r").decode("utf-8", "replace")

    async def _read_block(self) -> bytes:
        await self.writer.drain()
        async with asyncio.timeout(IDLE_TIMEOUT_SECONDS):
            block = await self.reader.read(BLOCK_SIZE)
        if not block:
            raise ConnectionError
        return block

    def _send_reply(self, reply: str) -> None:
        self.writer.write(f"{reply}\r\n".encode())

    def _reset_state(self) -> None:
        self.sender, self.recipients = None, []
