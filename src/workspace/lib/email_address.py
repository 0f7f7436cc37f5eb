"""Email addresses as people enter them."""

from __future__ import annotations

from urllib.parse import quote

from email_validator import EmailNotValidError, validate_email


def to_mailto_address(text: str) -> str:
    """Return the address in the form for a `mailto:` link. Raise ValueError if it is invalid."""
    try:
        found = validate_email(text, check_deliverability=False, test_environment=True)
    except EmailNotValidError:
        raise ValueError("This is not an e-mail address") from None
    return quote(found.ascii_email or found.normalized, safe="@.+-_")
