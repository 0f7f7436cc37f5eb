"""Structured data of a program for search engines (https://schema.org/Event). It contains only what guests see."""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings
from django.utils.safestring import SafeString, mark_safe

from workspace.products.event.domain.program import Program
from workspace.storage.files.images import image_url

_SCRIPT_ESCAPES = {ord("<"): "\\u003c", ord(">"): "\\u003e", ord("&"): "\\u0026", 0x2028: "\\u2028", 0x2029: "\\u2029"}


def render_json_ld(program: Program) -> SafeString:
    """Return JSON for a script element of the type application/ld+json. No text in it can close the element."""
    return mark_safe(json.dumps(build_event_data(program), ensure_ascii=False).translate(_SCRIPT_ESCAPES))


def build_event_data(program: Program) -> dict[str, Any]:
    event = program.event
    data: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "Event",
        "name": event.title,
        "description": event.description,
        "url": event.public_url,
        "startDate": program.days[0].date.isoformat() if program.days else "",
        "endDate": program.days[-1].date.isoformat() if program.days else "",
        "image": f"{settings.BASE_URL}{image_url(event.image_id, 768)}" if event.image_id else "",
    }
    if event.venue or event.address:
        place = {"@type": "Place", "name": event.venue, "address": " ".join(event.address.split())}
        data["location"] = {name: value for name, value in place.items() if value}
    return {name: value for name, value in data.items() if value}
