from __future__ import annotations

from django import template

from workspace.products.qr.dashboard import style_samples

register = template.Library()

_DRAWN = {
    "modules": style_samples.modules,
    "eye_frame": style_samples.eye_frame,
    "eye_ball": style_samples.eye_ball,
    "frame": style_samples.frame,
}


@register.simple_tag
def specimen(kind: str, value: str) -> str:
    """A small picture of one choice in the style editor, as a data address."""
    return _DRAWN[kind](value)
