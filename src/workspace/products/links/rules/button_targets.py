"""Targets of buttons: a web page, a phone number, an email or a text message.

The scheme is checked before any other parsing, so that `javascript:` and similar schemes are never accepted.
"""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, quote, unquote

from workspace.lib.email_address import to_mailto_address
from workspace.lib.phone_number import NUMBER_PATTERN, to_dialable
from workspace.lib.text import has_control_characters
from workspace.lib.web_address import clean_web_address
from workspace.products.links import messages
from workspace.publishing.public_urls import CLICK_PATH, SCAN_PATH, is_own_url

MAX_LENGTH = 2048
_CONTACT_SCHEME = re.compile(r"^(tel|sms|mailto):", re.IGNORECASE)
_QUERY_FIELDS = {"mailto": ("subject", "body"), "sms": ("body",), "tel": ()}


def clean_target(text: str) -> str:
    """Return the target in its normalized form. Raise ValueError with a short message if it is invalid.

    `https://` is added to a host without a scheme, `mailto:` to an email address, and `tel:` to a number that starts
    with +.
    """
    text = text.strip()
    if len(text) > MAX_LENGTH:
        raise ValueError(str(messages.TARGET_TOO_LONG(most=MAX_LENGTH)))
    scheme = _CONTACT_SCHEME.match(text)
    if scheme:
        return _clean_contact(scheme[1].lower(), text[scheme.end() :])
    if text.startswith("+") and NUMBER_PATTERN.match(text):
        return _clean_contact("tel", text)
    if re.fullmatch(r"[^\s@/:?#]+@[^\s@/:?#]+", text):
        return _clean_contact("mailto", text)
    return _reject_own_redirect(clean_web_address(text))


def format_target(url: str) -> str:
    """Format a target in human-readable form: URLs without https://, and emails and numbers without their scheme."""
    scheme, _, rest = url.partition(":")
    if scheme in _QUERY_FIELDS:
        return unquote(rest.partition("?")[0])
    return url.partition("://")[2].removeprefix("www.").rstrip("/") if "://" in url else url


def _clean_contact(scheme: str, text: str) -> str:
    if has_control_characters(unquote(text).replace("\r\n", "\n"), multiline=True) or "\n" in text:
        raise ValueError(str(messages.CONTROL_CHARACTERS))
    to, _, query = text.partition("?")
    to = unquote(to).strip().removeprefix("//")
    address = f"{scheme}:{to_mailto_address(to) if scheme == 'mailto' else to_dialable(to)}"
    parts = _clean_query(scheme, query)
    whole = address + (f"?{parts}" if parts else "")
    if len(whole) > MAX_LENGTH:
        raise ValueError(str(messages.TARGET_TOO_LONG(most=MAX_LENGTH)))
    return whole


def _clean_query(scheme: str, query: str) -> str:
    """Return a query that prefills a message. Reject additional recipients, because the guest would not see them."""
    if not query:
        return ""
    results = parse_qsl(query.replace("+", "%2B"), keep_blank_values=True, max_num_fields=10)
    allowed = _QUERY_FIELDS[scheme]
    if not allowed or any(name.lower() not in allowed for name, _ in results) or not results:
        fields = ", ".join(f"?{name}=" for name in allowed)
        raise ValueError(str(messages.QUERY_NOT_ALLOWED(fields=fields) if fields else messages.NUMBER_HAS_QUERY))
    return "&".join(f"{name.lower()}={quote(value, safe='')}" for name, value in results)


def _reject_own_redirect(url: str) -> str:
    """Reject our own redirects, which could create a loop. Our pages are valid targets."""
    if is_own_url(url, SCAN_PATH, CLICK_PATH):
        raise ValueError(str(messages.REDIRECT_LOOP))
    return url
