"""Tags for the pages of items: `{% load items %}`.

Each takes the item as `item_presenters.present_item` returns it, and its noun (`card`) if the part mentions it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy

from workspace.brand.active_brand import active_brand
from workspace.dashboard import charts, visit_charts
from workspace.dashboard.forms import ToolForm
from workspace.owner_translation import OwnerText

register = template.Library()
Thing = Mapping[str, Any]


@register.inclusion_tag("dashboard/parts/address_field.html")
def address_field(
    form: ToolForm, item: Thing, label: OwnerText = gettext_lazy("Link"), example: str = ""
) -> dict[str, Any]:
    """Render a field for the slug, preceded by the rest of the URL, and the earlier slugs that still work."""
    return {"field": form.get_field("slug", label), "thing": item, "example": example}


@register.inclusion_tag("dashboard/parts/access_fields.html", takes_context=True)
def access_fields(context: Any, form: ToolForm, item: Thing) -> dict[str, Any]:
    """Render fields for the expiry of the page and the password for guests."""
    return {"form": form, "thing": item, "zone": context["request"].account.time_zone}


@register.inclusion_tag("dashboard/parts/periods.html")
def periods(stats: Mapping[str, Any]) -> dict[str, Any]:
    """Render links for choosing the period. Here and below, `stats` is the result of `visit_charts.build_charts`."""
    return {"periods": stats["periods"]}


@register.simple_tag
def chart(stats: Mapping[str, Any], name: str, title: str, unit: str = "") -> SafeString:
    """Render a count by day, or by week if the period is long: `{% chart visits "views" "Views" %}`.

    `unit` is the word for the count, if it differs from the name.
    """
    by_week = stats["days"] > visit_charts.WEEKLY_FROM_DAYS
    text = gettext("%(title)s per week") if by_week else gettext("%(title)s per day")
    points = visit_charts.build_points(stats["by_day"], name, unit)
    return charts.render_bar_chart(points, title=text % {"title": title}, unit=unit or name.replace("_", " "))


@register.inclusion_tag("dashboard/parts/visitors.html")
def visitors(stats: Mapping[str, Any]) -> dict[str, Any]:
    """Render devices, countries and referrers of visitors."""
    return dict(stats)


SWATCHES = ("#17604b", "#1d4ed8", "#8a1538", "#c2410c", "#6d28d9", "#0e7490", "#334155", "#f2b705")


@register.inclusion_tag("dashboard/parts/color.html")
def color_field(form: ToolForm) -> dict[str, Any]:
    """Render the choice between a custom color and the brand's. The page must load dashboard/color.js."""
    return {"color": form.get_field("color"), "swatches": SWATCHES, "usual": active_brand().style.color}
