"""Email addresses as people enter them."""

from __future__ import annotations

from urllib.parse import quote

from workspace.lib import error_messages


def to_mailto_address(text: str) -> str:
    """Return the address in the form required in a `mailto:` link. Raise ValueError if it is invalid."""
    from email_validator import EmailNotValidError, validate_email  # few pages need it

    try:
        found = validate_email(text, check_deliverability=False, test_environment=True)
    except EmailNotValidError:
        raise ValueError(error_messages.INVALID_EMAIL) from None
    return quote(found.ascii_email or found.normalized, safe="@.+-_")
