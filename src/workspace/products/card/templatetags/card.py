from __future__ import annotations

from django import template
from django.utils.safestring import SafeString

from workspace.products.card import icons

register = template.Library()


@register.simple_tag
def card_icon(name: str) -> SafeString:
    return icons.icon(name)
