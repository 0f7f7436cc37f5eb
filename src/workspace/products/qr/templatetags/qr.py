"""Template tags that render samples of QR code styles."""

from __future__ import annotations

from django import template

from workspace.products.qr.dashboard import style_samples

register = template.Library()

_RENDERERS = {
    "modules": style_samples.render_modules,
    "eye_frame": style_samples.render_eye_frame,
    "eye_ball": style_samples.render_eye_ball,
    "frame": style_samples.render_frame,
}


@register.simple_tag
def style_sample(kind: str, value: str) -> str:
    """Return a small picture of a choice in the style editor as a data URL."""
    return _RENDERERS[kind](value)
