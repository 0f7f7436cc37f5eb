from __future__ import annotations

from django import template

from workspace.products.qr.dashboard import specimens

register = template.Library()

_DRAWN = {
    "modules": specimens.modules,
    "eye_frame": specimens.eye_frame,
    "eye_ball": specimens.eye_ball,
    "frame": specimens.frame,
}


@register.simple_tag
def specimen(kind: str, value: str) -> str:
    """A small picture of one choice in the style editor, as a data address."""
    return _DRAWN[kind](value)
