"""Reviews when an account moves."""

from __future__ import annotations

from workspace.accounts.carrying import readers
from workspace.accounts.carrying.tables import Carried
from workspace.products.reviews.arguments import PageChanges
from workspace.products.reviews.models import ReviewPage, Testimonial
from workspace.products.reviews.models.testimonial import SUSPICIONS
from workspace.products.reviews.rules.fields import Relationship

CARRIED = (
    Carried(
        model=ReviewPage,
        reads=readers.as_given(
            PageChanges, "intro", "questions", "consent_text", "disclosure", "thanks", "layout", "hosts"
        ),
    ),
    Carried(
        model=Testimonial,
        reads={
            **dict.fromkeys(("excerpt", "reply"), readers.PlainText),
            **dict.fromkeys(("byline", "source_name"), readers.OneLine),
            "rating": readers.up_to(5, 1),
            "relationship": Relationship,
            "suspicion": readers.one_of(*SUSPICIONS),
            "tags": readers.matching(r"\|[^|\x00-\x1f]+(\|[^|\x00-\x1f]+)*\|", "Write tags as |first|second|"),
        },
    ),
)
