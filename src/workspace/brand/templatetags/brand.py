"""Tags for the brand: `{% load brand %}`."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from workspace.brand.active_brand import active_brand, apply_tone
from workspace.brand.fonts import font_picker_css_url
from workspace.brand.inline_styles import read_sheet, render_style
from workspace.brand.models import Brand
from workspace.brand.style import render_css, render_css_within

register = template.Library()


register.simple_tag(render_style, name="inline_style")


@register.simple_tag(takes_context=True)
def brand_stylesheet(context: dict[str, Any]) -> SafeString:
    """Render the style sheet of the page's own `look`, or of the active brand."""
    look = apply_tone(context.get("look") or active_brand().style)
    return render_style(render_css(look), look.url)


@register.simple_tag
def brand_stylesheet_within(brand: Brand, scope: str) -> SafeString:
    """Render the style sheet of a brand for one part of a page: `{% brand_stylesheet_within brand ".bid" %}`."""
    return render_style(render_css_within(brand.style, scope), f"{brand.style.url} within {scope}")


@register.simple_tag
def inline_stylesheet(name: str) -> SafeString:
    """Render a static style sheet inside the page: `{% inline_stylesheet "menu/guest.css" %}`."""
    return render_style(read_sheet(name), name)


@register.simple_tag
def fonts_stylesheet() -> SafeString:
    """Render the link to the style sheet with all typefaces, for choosing among them."""
    return format_html('<link rel="stylesheet" href="{}">', font_picker_css_url())


@register.simple_tag(name="active_brand")
def active_brand_tag() -> Brand:
    """Return the active brand: `{% active_brand as brand %}`."""
    return active_brand()
