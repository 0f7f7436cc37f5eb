"""The worker that receives emails to support, if an address to listen on is configured.

Only one process listens. If it exits, another takes over within seconds.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import threading
from concurrent.futures import ThreadPoolExecutor

from django.conf import settings
from django.db import connections

from workspace.delivery.outbox.worker_thread import WorkerThread
from workspace.storage.database.errors import find_storage_failure
from workspace.support import inbound_mail, message_ids
from workspace.support.mail_parser import MAX_MAIL_BYTES
from workspace.support.smtp_server import SmtpReceiver

logger = logging.getLogger(__name__)

RETRY_SECONDS = 5.0  # interval between attempts to bind the address


class SmtpWorker(WorkerThread):
    """Listens on `settings.MAIL_IN` (protocol, host and port).

    `port` is the actual port if 0 was configured.
    """

    def __init__(self) -> None:
        super().__init__("smtp", threading.Event(), RETRY_SECONDS)
        self.port = 0
        self._ready = threading.Event()
        self._shutdown: tuple[asyncio.AbstractEventLoop, asyncio.Event] | None = None

    def start(self) -> None:
        if settings.MAIL_IN is not None:
            super().start()

    def stop(self, timeout: float = 30.0) -> None:
        self._stopping.set()
        if self._shutdown is not None:
            loop, end = self._shutdown
            loop.call_soon_threadsafe(end.set)
        super().stop(timeout)

    def wait_until_listening(self, timeout: float) -> bool:
        """Wait until the server is listening. Return whether it is."""
        return self._ready.wait(timeout)

    def run_once(self) -> bool:
        try:
            asyncio.run(self._listen())
        except OSError as problem:
            if problem.errno != errno.EADDRINUSE:
                raise
        return False

    async def _listen(self) -> None:
        assert settings.MAIL_IN is not None  # otherwise, the worker was not started
        protocol, host, port = settings.MAIL_IN
        end = asyncio.Event()
        with ThreadPoolExecutor(1, thread_name_prefix="smtp") as hand:

            async def handle_mail(sender: str, recipients: list[str], mail: bytes) -> str:
                return await asyncio.get_running_loop().run_in_executor(hand, _receive_mail, sender, recipients, mail)

            receiver = SmtpReceiver(message_ids.is_own_address, handle_mail, MAX_MAIL_BYTES, is_lmtp=protocol == "lmtp")
            server = await asyncio.get_running_loop().create_server(receiver, host, port)
            self.port = server.sockets[0].getsockname()[1]
            self._shutdown = (asyncio.get_running_loop(), end)
            logger.info("Emails to support are received at %s://%s:%s", protocol, host, self.port)
            self._ready.set()
            if not self._stopping.is_set():
                await end.wait()
            self._shutdown = None
            server.close()  # connections end with the loop, and clients send their emails again


def _receive_mail(sender: str, recipients: list[str], mail: bytes) -> str:
    """Process an email and return the reply. A single thread processes one email at a time."""
    try:
        found = inbound_mail.receive_mail(mail, recipients=tuple(recipients), sender=sender)
    except inbound_mail.InboxFullError as full:
        return f"452 4.2.2 {full}"
    except ValueError as problem:
        return f"554 5.6.0 {problem}"
    except Exception as problem:
        if (trouble := find_storage_failure(problem)) is None:
            logger.exception("An email to support was not accepted")
        return f"451 4.3.0 {trouble.detail if trouble else 'Try again later'}"
    finally:
        connections.close_all()
    return f"250 2.0.0 Accepted: {found.status}"
