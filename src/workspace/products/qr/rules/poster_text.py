"""Printed text next to a static code: a call to action and its content, in the business's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, gettext_noop, override

from workspace.products.qr.rules.static_content import SECRET_FIELD

CALLS_TO_ACTION = {
    "wifi": gettext_noop("Scan to join our Wi-Fi"),
    "contact": gettext_noop("Scan to save our contact"),
    "email": gettext_noop("Scan to email us"),
    "phone": gettext_noop("Scan to call us"),
    "sms": gettext_noop("Scan to text us"),
    "text": gettext_noop("Scan to read"),
}
_SHOWN_FIELDS = {"contact": "name", "email": "email", "phone": "phone", "sms": "phone"}


def poster_lines(content: Mapping[str, Any], language: str, *, include_password: bool = False) -> list[str]:
    """Return the lines of text on a poster, with the Wi-Fi password if requested."""
    if not content:
        return []
    if content["kind"] != "wifi":
        shown = content.get(_SHOWN_FIELDS.get(content["kind"], ""), "")
        return [shown] if shown else []
    with override(language):
        lines = [gettext("Network: {name}").format(name=content.get("ssid", ""))]
        if include_password and content.get(SECRET_FIELD):
            lines.append(gettext("Password: {password}").format(password=content[SECRET_FIELD]))
    return lines
