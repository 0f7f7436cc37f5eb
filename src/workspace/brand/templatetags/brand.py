"""The tags of what wears a brand: `{% load brand %}`."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from workspace.brand.active_style import in_tone, worn
from workspace.brand.fonts import faces_url
from workspace.brand.models import Brand

register = template.Library()


@register.simple_tag(takes_context=True)
def brand_sheet(context: dict[str, Any]) -> SafeString:
    """The link to the style sheet of the page's own `look`, or of the brand that is worn."""
    look = in_tone(context.get("look") or worn().look)
    return format_html('<link rel="stylesheet" href="{}">', look.url)


@register.simple_tag
def faces_sheet() -> SafeString:
    """The link to the sheet of all typefaces, for where one chooses among them."""
    return format_html('<link rel="stylesheet" href="{}">', faces_url())


@register.simple_tag(name="worn")
def worn_tag() -> Brand:
    """`{% worn as brand %}`"""
    return worn()
