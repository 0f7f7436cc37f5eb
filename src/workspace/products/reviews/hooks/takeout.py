"""Reviews when an account moves."""

from __future__ import annotations

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import Carried
from workspace.products.reviews.api.arguments import PageChanges
from workspace.products.reviews.models import ReviewPage, Testimonial
from workspace.products.reviews.models.testimonial import SUSPICIONS
from workspace.products.reviews.rules.fields import Relationship

CARRIED = (
    Carried(
        model=ReviewPage,
        reads=column_types.as_given(
            PageChanges, "intro", "questions", "consent_text", "disclosure", "thanks", "layout", "hosts"
        ),
    ),
    Carried(
        model=Testimonial,
        reads={
            **dict.fromkeys(("excerpt", "reply"), column_types.PlainText),
            **dict.fromkeys(("byline", "source_name"), column_types.OneLine),
            "rating": column_types.up_to(5, 1),
            "relationship": Relationship,
            "suspicion": column_types.one_of(*SUSPICIONS),
            "tags": column_types.matching(r"\|[^|\x00-\x1f]+(\|[^|\x00-\x1f]+)*\|", "Write tags as |first|second|"),
        },
    ),
)
