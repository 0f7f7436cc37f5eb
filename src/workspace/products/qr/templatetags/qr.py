"""Template tags that render samples of QR code styles."""

from __future__ import annotations

from django import template

from workspace.owner_translation import owner_gettext_lazy
from workspace.products.qr.dashboard import style_samples

register = template.Library()

_STYLE_LABELS = {
    # presets
    "classic": owner_gettext_lazy("Classic"),
    "ink": owner_gettext_lazy("Ink"),
    "ocean": owner_gettext_lazy("Ocean"),
    "sunset": owner_gettext_lazy("Sunset"),
    "forest": owner_gettext_lazy("Forest"),
    "bistro": owner_gettext_lazy("Bistro"),
    # shapes
    "square": owner_gettext_lazy("Square"),
    "soft": owner_gettext_lazy("Soft"),
    "rounded": owner_gettext_lazy("Rounded"),
    "classy": owner_gettext_lazy("Classy"),
    "dots": owner_gettext_lazy("Dots"),
    "vertical": owner_gettext_lazy("Vertical"),
    "horizontal": owner_gettext_lazy("Horizontal"),
    "leaf": owner_gettext_lazy("Leaf"),
    "circle": owner_gettext_lazy("Circle"),
    # frames
    "none": owner_gettext_lazy("None"),
    "outline": owner_gettext_lazy("Outline"),
    "banner": owner_gettext_lazy("Banner"),
}

_RENDERERS = {
    "modules": style_samples.render_modules,
    "eye_frame": style_samples.render_eye_frame,
    "eye_ball": style_samples.render_eye_ball,
    "frame": style_samples.render_frame,
}


@register.filter
def style_label(value: str) -> str:
    """Return the human-readable name of a preset, a shape or a frame."""
    return _STYLE_LABELS.get(value, value)


@register.simple_tag
def style_sample(kind: str, value: str) -> str:
    """Return a small picture of a choice in the style editor, as a data URL."""
    return _RENDERERS[kind](value)
