"""Descriptions of mail server failures and what to check, without secrets and addresses."""

from __future__ import annotations

import smtplib
import socket
import ssl

from django.conf import settings

from workspace.delivery.smtp_reply_redaction import mask_server_reply


def describe_error(error: Exception) -> str:  # noqa: C901 - one case for each failure
    """Return one sentence, without a final period, that describes a failure that stops all emails."""
    place = f"{settings.SMTP_HOST}, port {settings.SMTP_PORT}"
    match error:
        case smtplib.SMTPAuthenticationError():
            reply = mask_server_reply(format_reply(error.smtp_code, error.smtp_error))
            return (
                f"the mail server rejected the username or password ({reply}): check WORKSPACE_SMTP_USER and "
                "WORKSPACE_SMTP_PASSWORD"
            )
        case smtplib.SMTPSenderRefused():
            reply = mask_server_reply(format_reply(error.smtp_code, error.smtp_error))
            return (
                f"the mail server rejected the sender ({reply}): check WORKSPACE_MAIL_FROM, and whether it requires a "
                "WORKSPACE_SMTP_USER"
            )
        case smtplib.SMTPNotSupportedError() if "STARTTLS" in str(error):
            return f"{place} doesn't support STARTTLS: check WORKSPACE_SMTP_PORT and WORKSPACE_SMTP_SECURITY"
        case smtplib.SMTPNotSupportedError():
            return f"{place} doesn't support sign-in here: check WORKSPACE_SMTP_SECURITY, or remove the username"
        case ssl.SSLCertVerificationError():
            return (
                f"the mail server's certificate isn't valid for {settings.SMTP_HOST} ({error.verify_message}): check "
                "WORKSPACE_SMTP_HOST, or renew the certificate"
            )
        case ssl.SSLError():
            return (
                f"encryption with {place} failed ({error.reason or 'no reason given'}): check WORKSPACE_SMTP_PORT and "
                "WORKSPACE_SMTP_SECURITY"
            )
        case socket.gaierror():
            return f"the host {settings.SMTP_HOST} doesn't exist: check WORKSPACE_SMTP_HOST"
        case ConnectionRefusedError():
            return f"{place} refused the connection: check WORKSPACE_SMTP_HOST and WORKSPACE_SMTP_PORT"
        case TimeoutError() | smtplib.SMTPServerDisconnected() if "timed out" in str(error):
            return f"{place} doesn't respond in time: check WORKSPACE_SMTP_HOST, WORKSPACE_SMTP_PORT and the firewall"
        case smtplib.SMTPServerDisconnected() | ConnectionError():
            return f"{place} closed the connection: check WORKSPACE_SMTP_PORT and WORKSPACE_SMTP_SECURITY"
        case smtplib.SMTPResponseException():
            reply = mask_server_reply(format_reply(error.smtp_code, error.smtp_error))
            return f"the mail server rejected the email ({reply})"
        case UnicodeError():  # its text contains the password
            return (
                "the mail server's username and password must be plain ASCII: check WORKSPACE_SMTP_USER and _PASSWORD"
            )
        case OSError():
            return f"{place} can't be reached ({error.strerror or type(error).__name__})"
    return f"the mail server failed ({type(error).__name__})"


def format_reply(code: int, reply: bytes | str) -> str:
    """Format a server's reply as one line."""
    words = reply.decode("utf-8", "replace") if isinstance(reply, bytes) else reply
    return f"{code} {' '.join(words.split())}"
