"""The item layout of review pages."""

from __future__ import annotations

from typing import Any

from workspace.dashboard.charts import Point
from workspace.dashboard.item_duplication import Duplication
from workspace.dashboard.item_layout import ItemLayout, Tab
from workspace.products.reviews.api import stats_tools, testimonial_tools, tools
from workspace.products.reviews.api.serializers import page_detail, page_summaries
from workspace.products.reviews.api.stats_tools import Stats
from workspace.products.reviews.domain.queries import pages_for
from workspace.products.reviews.models import ReviewPage
from workspace.products.reviews.public.views import SECOND_STEP


def _stars_context(stats: Stats) -> dict[str, Any]:
    counts = list(enumerate(stats["stars"], 1))
    return {"stars": [Point(f"{stars} star{'' if stars == 1 else 's'}", count) for stars, count in reversed(counts)]}


def _embed_context(page: ReviewPage) -> dict[str, Any]:
    return {"page": page_detail(page)}


LAYOUT = ItemLayout(
    ReviewPage,
    noun="page",
    id="page_id",
    edit=tools.edit,
    delete=testimonial_tools.delete,
    tabs=(Tab("", "Edit"), Tab("look", "Look"), Tab("items", "Reviews", submissions="testimonial")),
    stats=stats_tools.stats,
    counts={
        "received": "Reviews",
        "views": "Views of the page",
        "wall_views": "Views of the wall",
        "widget_views": "Views of the widget",
    },
    results="reviews/parts/stars.html",
    results_context=_stars_context,
    settings=("consent_text", "disclosure"),
    settings_form="reviews/parts/settings.html",
    labels={
        "title": "Heading",
        "intro": "A few words below it",
        "questions": "Guiding questions",
        "thank_you": "Thanks after sending",
        "consent_text": "What guests agree to",
        "disclosure": "What readers should know",
        "color": "Color",
        "layout": "Layout",
    },
    share="reviews/parts/embeds.html",
    share_context=_embed_context,
    deletion_text="Its reviews and their photos go with it.",
    steps=(("", "Stars"), (SECOND_STEP, "Words and name")),
    copy=Duplication(tools.create),
    website=True,
    embed_noun="the widget",
    example="corner-cafe",
    empty_state=(
        "No review page yet",
        "Make one, print its code for the counter, and let happy guests speak for you. You decide what is shown; "
        "nobody can change a word.",
        "Make your first page",
    ),
    load_rows=lambda account, ids: page_summaries(pages_for(account).filter(pk__in=ids)),
    new_label="New page",
)
