"""Settings of support. If one is invalid, the program exits with a message."""

from __future__ import annotations

import re

from workspace.environment import read_setting


def read_address() -> str:
    """Return the support address without a plus part, which is added for each ticket, or "" if it is not set."""
    name = "WORKSPACE_SUPPORT_ADDRESS"
    text = read_setting(name)
    if text and not re.fullmatch(r"[a-z0-9._-]{1,40}@[a-z0-9.-]{1,200}", text.lower()):
        raise SystemExit(f"{name} is {text!r}: use an address like help@example.com")
    return text.lower()


def read_verifier() -> str:
    """Return the name under which the mail server reports its verdicts, or "" if it is not set."""
    name = "WORKSPACE_SUPPORT_VERIFIED_BY"
    text = read_setting(name)
    if text and not re.fullmatch(r"[A-Za-z0-9._-]{1,200}", text):
        raise SystemExit(f"{name} is {text!r}: use a name like mail.example.com")
    return text


def read_listen_address() -> tuple[str, str, int] | None:
    """Return the protocol, host and port, or None if the SMTP server is off."""
    name = "WORKSPACE_SMTP_LISTEN"
    text = read_setting(name)
    if not text:
        return None
    found = re.fullmatch(r"(smtp|lmtp)://(\[[0-9a-f:]+\]|[a-z0-9.-]+):(\d{1,5})", text.lower())
    if found is None or int(found[3]) > 65_535:
        raise SystemExit(f"{name} is {text!r}: use smtp://127.0.0.1:2525 or lmtp://127.0.0.1:2424")
    return found[1], found[2].strip("[]"), int(found[3])
