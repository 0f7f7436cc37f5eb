"""Tags of the design system: `{% load dashboard %}`. Each draws one part from templates/dashboard/parts."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString

from workspace.dashboard import icons

register = template.Library()


@register.simple_tag
def icon(name: str) -> SafeString:
    return icons.icon(name)
