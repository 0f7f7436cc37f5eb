"""Explanations of mail server failures and what to check, without secrets and addresses."""

from __future__ import annotations

import smtplib
import socket
import ssl

from django.conf import settings

from workspace.delivery.smtp_reply_redaction import mask_server_reply


def describe_error(error: Exception) -> str:  # noqa: C901 - one case for each failure
    """Return one sentence without a final period for a failure that stops all emails."""
    place = f"{settings.SMTP_HOST}, port {settings.SMTP_PORT}"
    match error:
        case smtplib.SMTPAuthenticationError():
            reply = mask_server_reply(format_reply(error.smtp_code, error.smtp_error))
            return (
                f"the mail server refuses the user name or the password ({reply}): check WORKSPACE_SMTP_USER and "
                "WORKSPACE_SMTP_PASSWORD"
            )
        case smtplib.SMTPSenderRefused():
            reply = mask_server_reply(format_reply(error.smtp_code, error.smtp_error))
            return (
                f"the mail server refuses the sender ({reply}): check WORKSPACE_MAIL_FROM, and whether it wants a "
                "WORKSPACE_SMTP_USER"
            )
        case smtplib.SMTPNotSupportedError() if "STARTTLS" in str(error):
            return f"{place} offers no STARTTLS: check WORKSPACE_SMTP_PORT and WORKSPACE_SMTP_SECURITY"
        case smtplib.SMTPNotSupportedError():
            return f"{place} offers no sign-in on this line: check WORKSPACE_SMTP_SECURITY, or leave out the user name"
        case ssl.SSLCertVerificationError():
            return (
                f"the mail server's certificate is not good for {settings.SMTP_HOST} ({error.verify_message}): check "
                "WORKSPACE_SMTP_HOST, or renew the certificate"
            )
        case ssl.SSLError():
            return (
                f"{place} agreed on no encryption ({error.reason or 'no reason given'}): check WORKSPACE_SMTP_PORT and "
                "WORKSPACE_SMTP_SECURITY"
            )
        case socket.gaierror():
            return f"no machine is called {settings.SMTP_HOST}: check WORKSPACE_SMTP_HOST"
        case ConnectionRefusedError():
            return f"{place} refuses connections: check WORKSPACE_SMTP_HOST and WORKSPACE_SMTP_PORT"
        case TimeoutError() | smtplib.SMTPServerDisconnected() if "timed out" in str(error):
            return f"{place} does not answer in time: check WORKSPACE_SMTP_HOST, WORKSPACE_SMTP_PORT and the firewall"
        case smtplib.SMTPServerDisconnected() | ConnectionError():
            return f"{place} ended the connection: check WORKSPACE_SMTP_PORT and WORKSPACE_SMTP_SECURITY"
        case smtplib.SMTPResponseException():
            return (
                f"the mail server turns us away ({mask_server_reply(format_reply(error.smtp_code, error.smtp_error))})"
            )
        case UnicodeError():  # its text contains the password
            return "the mail server's sign-in takes plain ASCII only: check WORKSPACE_SMTP_USER and _PASSWORD"
        case OSError():
            return f"{place} cannot be reached ({error.strerror or type(error).__name__})"
    return f"the mail server could not be used ({type(error).__name__})"


def format_reply(code: int, reply: bytes | str) -> str:
    """Return a server's reply on one line."""
    words = reply.decode("utf-8", "replace") if isinstance(reply, bytes) else reply
    return f"{code} {' '.join(words.split())}"
