"""The item layout of review pages."""

from __future__ import annotations

from typing import Any

from django.utils.translation import ngettext

from workspace.dashboard.charts import Point
from workspace.dashboard.item_duplication import Duplication
from workspace.dashboard.item_layout import ItemLayout, Tab
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.reviews.api import stats_tools, testimonial_tools, tools
from workspace.products.reviews.api.serializers import page_detail, page_summaries
from workspace.products.reviews.api.stats_tools import Stats
from workspace.products.reviews.domain.queries import pages_for
from workspace.products.reviews.models import ReviewPage
from workspace.products.reviews.public.views import SECOND_STEP


def _stars_context(stats: Stats) -> dict[str, Any]:
    counts = list(enumerate(stats["stars"], 1))
    return {
        "stars": [
            Point(ngettext("%(count)s star", "%(count)s stars", stars) % {"count": stars}, count)
            for stars, count in reversed(counts)
        ]
    }


def _embed_context(page: ReviewPage) -> dict[str, Any]:
    return {"page": page_detail(page)}


LAYOUT = ItemLayout(
    ReviewPage,
    noun="page",
    id="page_id",
    edit=tools.edit,
    delete=testimonial_tools.delete,
    tabs=(
        Tab("", owner_gettext_lazy("Edit")),
        Tab("look", owner_gettext_lazy("Design")),
        Tab("items", owner_gettext_lazy("Reviews"), submissions="testimonial"),
    ),
    stats=stats_tools.stats,
    counts={
        "received": owner_gettext_lazy("Reviews"),
        "views": owner_gettext_lazy("Page views"),
        "wall_views": owner_gettext_lazy("Wall views"),
        "widget_views": owner_gettext_lazy("Widget views"),
    },
    results="reviews/owner/parts/stars.html",
    results_context=_stars_context,
    settings=("consent_text", "disclosure"),
    settings_form="reviews/owner/parts/settings.html",
    labels={
        "title": owner_gettext_lazy("Heading"),
        "intro": owner_gettext_lazy("Introduction"),
        "questions": owner_gettext_lazy("Guiding questions"),
        "thank_you": owner_gettext_lazy("Thank-you message"),
        "consent_text": owner_gettext_lazy("Consent text"),
        "disclosure": owner_gettext_lazy("Disclosure"),
        "color": owner_gettext_lazy("Color"),
        "layout": owner_gettext_lazy("Layout"),
    },
    share="reviews/owner/parts/embeds.html",
    share_context=_embed_context,
    deletion_text=owner_gettext_lazy("Its reviews and photos are deleted too."),
    steps=(("", owner_gettext_lazy("Rating")), (SECOND_STEP, owner_gettext_lazy("Review and name"))),
    copy=Duplication(tools.create),
    website=True,
    embed_noun=owner_gettext_lazy("the widget"),
    example="corner-cafe",
    empty_state=(
        owner_gettext_lazy("No review pages yet"),
        owner_gettext_lazy("Collect reviews from your guests, and show the ones you approve on your website."),
        owner_gettext_lazy("Create review page"),
    ),
    load_rows=lambda account, ids: page_summaries(pages_for.fetch_by_ids(ids, account)),
    new_label=owner_gettext_lazy("New review page"),
)
