"""Email delivery over SMTP, with Django's backend and the WORKSPACE_SMTP_* settings."""

from __future__ import annotations

import logging
import smtplib

from django.conf import settings
from django.core.mail.backends.smtp import EmailBackend

from workspace.delivery import mail
from workspace.delivery.mail import health
from workspace.delivery.mail.smtp_errors import describe_error, format_reply
from workspace.delivery.models import Delivery, DeliveryState
from workspace.delivery.outbox import ChannelUnavailableError, PermanentDeliveryError

logger = logging.getLogger(__name__)

TIMEOUT_SECONDS = 20  # for each response of the server; a message takes about five
PROBE_TIMEOUT_SECONDS = 5
MIN_WAIT_SECONDS, MAX_WAIT_SECONDS = 30.0, 300.0  # until a server that rejects everything is tried again
MESSAGE_TOO_LARGE_CODE = 552  # the only sender error that is about the message


class EmailChannel:
    """One connection for a batch, which is opened for the first message.

    If there is no mail server, emails are stored for viewing.
    """

    delays = (30.0, 120.0, 600.0, 3600.0, 21600.0)

    def __init__(self) -> None:
        self._backend: EmailBackend | None = None
        self._outage: ChannelUnavailableError | None = None
        self._has_recovered = False  # whether the server accepts emails again

    def send(self, delivery: Delivery) -> DeliveryState:
        if not settings.SMTP_HOST:
            return DeliveryState.KEPT
        if self._outage is not None:  # a server that rejects the password is not tried again for each message
            raise self._outage
        payload = delivery.payload or {}
        message = mail.message_bytes(delivery)
        connection = self._open_connection()
        try:
            connection.sendmail(payload["from"], [payload["to"]], message)
        except smtplib.SMTPRecipientsRefused as error:
            self.close()
            code, reply = error.recipients[payload["to"]]
            self._record_success()
            raise _delivery_error(code, reply) from error
        except smtplib.SMTPSenderRefused as error:
            self.close()
            if error.smtp_code == MESSAGE_TOO_LARGE_CODE:
                raise _delivery_error(error.smtp_code, error.smtp_error) from error
            raise self._record_outage(error) from error
        except smtplib.SMTPDataError as error:
            self.close()
            raise _delivery_error(error.smtp_code, error.smtp_error) from error
        except Exception:
            # after any other failure the state of the connection is unknown, so the next message opens a new one
            self.close()
            raise
        self._record_success()
        return DeliveryState.SENT

    def close(self) -> None:
        backend, self._backend = self._backend, None
        if backend is not None:
            try:
                backend.close()
            except (OSError, smtplib.SMTPException):
                logger.info("The mail server ended the connection first")

    def _open_connection(self) -> smtplib.SMTP:
        if self._backend is None:
            self._backend = _build_backend(TIMEOUT_SECONDS)
        try:
            return _open_backend(self._backend)
        except Exception as error:
            self.close()
            raise self._record_outage(error) from error

    def _record_outage(self, error: Exception) -> ChannelUnavailableError:
        """Store an outage that affects all emails, so that the rest of the batch is not attempted."""
        reason = describe_error(error)
        lasted = health.record_failure(reason)
        seconds = min(max(lasted.total_seconds(), MIN_WAIT_SECONDS), MAX_WAIT_SECONDS)
        Delivery.postpone_due(mail.KIND, seconds, reason)
        self._outage = ChannelUnavailableError(reason, seconds=seconds, duration=lasted)
        return self._outage

    def _record_success(self) -> None:
        if not self._has_recovered:
            health.record_recovery()
            self._has_recovered = True


def probe_server(timeout: float = PROBE_TIMEOUT_SECONDS) -> str:
    """Connect to the mail server, encrypt and sign in. Return a description of the problem, or "".

    `timeout` is the number of seconds to wait for each response.
    """
    backend = _build_backend(timeout)
    try:
        _open_backend(backend).noop()
    except Exception as error:
        return describe_error(error)
    else:
        return ""
    finally:
        try:
            backend.close()
        except (OSError, smtplib.SMTPException):
            logger.info("The mail server ended the connection first")


def recheck_server() -> None:
    """Check whether the server has recovered from an outage, unless a waiting email will show it."""
    known = health.current_outage()
    if known is not None and not known.waiting and not probe_server():
        health.record_recovery()


def _build_backend(timeout: float) -> EmailBackend:
    return EmailBackend(
        host=settings.SMTP_HOST,
        port=settings.SMTP_PORT,
        username=settings.SMTP_USER,
        password=settings.SMTP_PASSWORD,
        use_tls=settings.SMTP_SECURITY == "starttls",
        use_ssl=settings.SMTP_SECURITY == "tls",
        timeout=timeout,
    )


def _open_backend(backend: EmailBackend) -> smtplib.SMTP:
    backend.open()
    if backend.connection is None:
        raise smtplib.SMTPServerDisconnected("Could not connect to the mail server")
    return backend.connection


def _delivery_error(code: int, reply: bytes | str) -> Exception:
    """Return the exception for a reply: permanent for 5xx, temporary for 4xx."""
    line = format_reply(code, reply)
    return PermanentDeliveryError(line) if code >= 500 else smtplib.SMTPException(line)
