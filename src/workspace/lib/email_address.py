"""E-mail addresses as people write them."""

from __future__ import annotations

from urllib.parse import quote

from email_validator import EmailNotValidError, validate_email


def to_mailto_address(text: str) -> str:
    """The address as `mailto:` holds it. Raises ValueError."""
    try:
        found = validate_email(text, check_deliverability=False, test_environment=True)
    except EmailNotValidError:
        raise ValueError("This is not an e-mail address") from None
    return quote(found.ascii_email or found.normalized, safe="@.+-_")
