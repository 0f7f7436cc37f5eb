"""Export and import of reviews."""

from __future__ import annotations

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import TakeoutTable
from workspace.products.reviews import messages
from workspace.products.reviews.api.arguments import PageChanges
from workspace.products.reviews.models import ReviewPage, Testimonial
from workspace.products.reviews.models.testimonial import SUSPICION_REASONS
from workspace.products.reviews.rules.testimonial_fields import Relationship

TAKEOUT_TABLES = (
    TakeoutTable(
        model=ReviewPage,
        column_types=column_types.from_arguments(
            PageChanges, "intro", "questions", "consent_text", "disclosure", "thank_you", "layout", "hosts"
        ),
    ),
    TakeoutTable(
        model=Testimonial,
        column_types={
            **dict.fromkeys(("excerpt", "reply"), column_types.PlainText),
            **dict.fromkeys(("byline", "source_name"), column_types.OneLine),
            "rating": column_types.integer_up_to(5, 1),
            "relationship": Relationship,
            "suspicion": column_types.one_of(*SUSPICION_REASONS),
            "tags": column_types.text_matching(r"\|[^|\x00-\x1f]+(\|[^|\x00-\x1f]+)*\|", str(messages.TAGS_INVALID)),
        },
    ),
)
