"""How mail leaves: over SMTP, with Django's own backend built from the WORKSPACE_SMTP_* settings."""

from __future__ import annotations

import logging
import smtplib

from django.conf import settings
from django.core.mail.backends.smtp import EmailBackend

from workspace.delivery import mail
from workspace.delivery.mail import health
from workspace.delivery.mail.smtp_errors import in_words, reply_of
from workspace.delivery.models import Delivery, State
from workspace.delivery.outbox import Closed, Refused

logger = logging.getLogger(__name__)

TIMEOUT = 20  # seconds for each answer of the server; a message takes about five
PROBE_TIMEOUT = 5
SHORTEST_WAIT, LONGEST_WAIT = 30.0, 300.0  # seconds until a server that lets nothing through is tried again
TOO_LARGE = 552  # of the senders' refusals the one that is about the message


class EmailChannel:
    """One connection for a batch, opened at its first message. Without a mail server mail is kept for looking
    at."""

    delays = (30.0, 120.0, 600.0, 3600.0, 21600.0)

    def __init__(self) -> None:
        self._backend: EmailBackend | None = None
        self._closed: Closed | None = None
        self._has_told = False  # that the server takes mail

    def send(self, delivery: Delivery) -> State:
        if not settings.SMTP_HOST:
            return State.KEPT
        if self._closed is not None:  # a server that refuses the password is not asked twenty times in a row
            raise self._closed
        payload = delivery.payload or {}
        message = mail.wire(delivery)
        connection = self._connection()
        try:
            connection.sendmail(payload["from"], [payload["to"]], message)
        except smtplib.SMTPRecipientsRefused as error:
            self.close()
            code, reply = error.recipients[payload["to"]]
            self._goes_through()
            raise _verdict(code, reply) from error
        except smtplib.SMTPSenderRefused as error:
            self.close()
            if error.smtp_code == TOO_LARGE:
                raise _verdict(error.smtp_code, error.smtp_error) from error
            raise self._close_for_all(error) from error
        except smtplib.SMTPDataError as error:
            self.close()
            raise _verdict(error.smtp_code, error.smtp_error) from error
        except Exception:
            # after any other failure the connection's state is unknown: the next message opens a new one
            self.close()
            raise
        self._goes_through()
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
            self._backend = _backend(TIMEOUT)
        try:
            return _opened(self._backend)
        except Exception as error:
            self.close()
            raise self._close_for_all(error) from error

    def _close_for_all(self, error: Exception) -> Closed:
        """What no mail gets past: it is remembered, and the others of the batch do not try."""
        reason = in_words(error)
        lasted = health.begin(reason)
        seconds = min(max(lasted.total_seconds(), SHORTEST_WAIT), LONGEST_WAIT)
        Delivery.hold(mail.KIND, seconds, reason)
        self._closed = Closed(reason, seconds=seconds, lasted=lasted)
        return self._closed

    def _goes_through(self) -> None:
        if not self._has_told:
            health.end()
            self._has_told = True


def probe(timeout: float = PROBE_TIMEOUT) -> str:
    """Speak to the mail server as if to send: connect, encrypt, sign in. What is wrong, in words; empty when nothing
    is. `timeout`: seconds for each answer."""
    backend = _backend(timeout)
    try:
        _opened(backend).noop()
    except Exception as error:
        return in_words(error)
    else:
        return ""
    finally:
        try:
            backend.close()
        except (OSError, smtplib.SMTPException):
            logger.info("The mail server ended the connection first")


def look_again() -> None:
    """A chore: whether a server that let nothing through does so again, where no mail waits that would show it."""
    known = health.found()
    if known is not None and not known.waiting and not probe():
        health.end()


def _backend(timeout: float) -> EmailBackend:
    return EmailBackend(
        host=settings.SMTP_HOST,
        port=settings.SMTP_PORT,
        username=settings.SMTP_USER,
        password=settings.SMTP_PASSWORD,
        use_tls=settings.SMTP_SECURITY == "starttls",
        use_ssl=settings.SMTP_SECURITY == "tls",
        timeout=timeout,
    )


def _opened(backend: EmailBackend) -> smtplib.SMTP:
    backend.open()
    if backend.connection is None:
        raise smtplib.SMTPServerDisconnected("No connection to the mail server")
    return backend.connection


def _verdict(code: int, reply: bytes | str) -> Exception:
    """5xx is final, 4xx asks to come back."""
    line = reply_of(code, reply)
    return Refused(line) if code >= 500 else smtplib.SMTPException(line)
