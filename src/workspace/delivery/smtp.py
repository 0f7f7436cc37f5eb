"""How mail leaves: over SMTP, with Django's own backend built from the WORKSPACE_SMTP_* settings."""

from __future__ import annotations

import logging
import smtplib

from django.conf import settings
from django.core.mail.backends.smtp import EmailBackend

from workspace.delivery import mail
from workspace.delivery.models import Delivery, State
from workspace.delivery.outbox import Refused

logger = logging.getLogger(__name__)

TIMEOUT = 20  # seconds for each answer of the server; a message takes about five


class EmailChannel:
    """One connection for a batch, opened at its first message. Without a mail server mail is kept for looking
    at."""

    delays = (30.0, 120.0, 600.0, 3600.0, 21600.0)

    def __init__(self) -> None:
        self._backend: EmailBackend | None = None

    def send(self, delivery: Delivery) -> State:
        if not settings.SMTP_HOST:
            return State.KEPT
        payload = delivery.payload or {}
        message = mail.wire(delivery)
        try:
            self._connection().sendmail(payload["from"], [payload["to"]], message)
        except smtplib.SMTPRecipientsRefused as error:
            self.close()
            code, reply = error.recipients[payload["to"]]
            raise _verdict(code, reply) from error
        except (smtplib.SMTPSenderRefused, smtplib.SMTPDataError) as error:
            self.close()
            raise _verdict(error.smtp_code, error.smtp_error) from error
        except Exception:
            # after any other failure the connection's state is unknown: the next message opens a new one
            self.close()
            raise
        return State.SENT

    def close(self) -> None:
        backend, self._backend = self._backend, None
        if backend is not None:
            try:
                backend.close()
            except (OSError, smtplib.SMTPException):
                logger.info("The mail server ended the connection first")

    def _connection(self) -> smtplib.SMTP:
        if self._backend is None:
            self._backend = EmailBackend(
                host=settings.SMTP_HOST,
                port=settings.SMTP_PORT,
                username=settings.SMTP_USER,
                password=settings.SMTP_PASSWORD,
                use_tls=settings.SMTP_SECURITY == "starttls",
                use_ssl=settings.SMTP_SECURITY == "tls",
                timeout=TIMEOUT,
            )
            self._backend.open()
        connection = self._backend.connection
        if connection is None:
            raise smtplib.SMTPServerDisconnected("No connection to the mail server")
        return connection


def _verdict(code: int, reply: bytes | str) -> Exception:
    """5xx is final, 4xx asks to come back."""
    words = reply.decode("utf-8", "replace") if isinstance(reply, bytes) else reply
    line = f"{code} {' '.join(words.split())}"
    return Refused(line) if code >= 500 else smtplib.SMTPException(line)
