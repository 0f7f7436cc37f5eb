"""The parts that the pages of published things share: `{% load items %}`. Each takes the thing as `things.shown` makes
it, and its word (`card`) where the part speaks of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.safestring import SafeString

from workspace.brand.active_style import active_brand
from workspace.dashboard import charts, visit_charts
from workspace.dashboard.forms import ToolForm

register = template.Library()
Thing = Mapping[str, Any]


@register.inclusion_tag("dashboard/parts/address_field.html")
def address_field(form: ToolForm, thing: Thing, label: str = "Address", example: str = "") -> dict[str, Any]:
    """The slug behind the rest of its address, with the earlier ones that go on working."""
    return {"field": form.get_field("slug", label), "thing": thing, "example": example}


@register.inclusion_tag("dashboard/parts/access_fields.html", takes_context=True)
def access_fields(context: Any, form: ToolForm, thing: Thing) -> dict[str, Any]:
    """Until when it is shown, and the password that guests are asked for."""
    return {"form": form, "thing": thing, "zone": context["request"].account.time_zone}


@register.inclusion_tag("dashboard/parts/periods.html")
def periods(found: Mapping[str, Any]) -> dict[str, Any]:
    """The windows to choose from; `found` is made by `visits.charts`, here and below."""
    return {"periods": found["periods"]}


@register.simple_tag
def chart(found: Mapping[str, Any], name: str, title: str, unit: str = "") -> SafeString:
    """One of the counts by day, or by week in a long window: `{% chart visits "views" "Views" %}`. `unit` is what
    people call it where that is another word."""
    span = "a week" if found["days"] > visit_charts.WEEKLY_FROM_DAYS else "a day"
    points = visit_charts.build_points(found["by_day"], name, unit)
    return charts.render_bar_chart(points, title=f"{title} {span}", unit=unit or name.replace("_", " "))


@register.inclusion_tag("dashboard/parts/visitors.html")
def visitors(found: Mapping[str, Any]) -> dict[str, Any]:
    """With what, from where, and where they came from."""
    return dict(found)


SWATCHES = ("#17604b", "#1d4ed8", "#8a1538", "#c2410c", "#6d28d9", "#0e7490", "#334155", "#f2b705")


@register.inclusion_tag("dashboard/parts/colour.html")
def color_field(form: ToolForm) -> dict[str, Any]:
    """A thing's own colour, or the brand's; the page loads dashboard/colour.js."""
    return {"colour": form.get_field("colour"), "swatches": SWATCHES, "usual": active_brand().style.colour}
