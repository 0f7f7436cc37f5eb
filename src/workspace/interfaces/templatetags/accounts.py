"""Template tags that render Django's form fields in our style, for the sign-in and account pages."""

from __future__ import annotations

from django import forms, template
from django.forms import BoundField
from django.utils.safestring import SafeString

from workspace.interfaces.sign_in.device_name import describe_device

register = template.Library()


@register.simple_tag
def control(field: BoundField) -> SafeString:
    """Render the input with the class of its kind, and mark it if it has errors."""
    widget = field.field.widget
    attrs: dict[str, str | bool] = {
        "class": "select" if isinstance(widget, forms.Select) and not _is_radio(widget) else "input"
    }
    if _repeats_label(str(widget.attrs.get("placeholder", "")), str(field.label)):
        attrs["placeholder"] = False
    if field.errors:
        attrs |= {"aria-invalid": "true", "aria-describedby": f"{field.auto_id}-error"}
    elif field.help_text:
        attrs["aria-describedby"] = f"{field.auto_id}-help"
    return field.as_widget(attrs=attrs)


@register.filter
def kind(field: BoundField) -> str:
    """Return the layout of the field: `check`, `radios` or `text`."""
    widget = field.field.widget
    if isinstance(widget, forms.CheckboxInput):
        return "check"
    return "radios" if _is_radio(widget) else "text"


def _repeats_label(placeholder: str, label: str) -> bool:
    """Return whether the placeholder only repeats the label above it."""
    placeholder, label = placeholder.lower(), label.lower()
    return bool(placeholder) and (placeholder in label or label in placeholder)


def _is_radio(widget: forms.Widget) -> bool:
    return isinstance(widget, forms.RadioSelect)


@register.filter
def device(user_agent: str) -> str:
    return describe_device(user_agent)
