"""Structured data (https://schema.org/Review) of the wall, with only the content of the page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from workspace.products.reviews.domain.wall_content import ReviewStats
from workspace.products.reviews.models import ReviewPage, Testimonial

# In a script element, "</script" ends it and "<!--" changes how it is parsed, even inside quotes.
_ESCAPES = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


def render_json_ld(page: ReviewPage, stats: ReviewStats, testimonials: Sequence[Testimonial]) -> SafeString:
    """Return the JSON for a `<script type="application/ld+json">`.

    It is empty if the page shows neither testimonials nor ratings.
    """
    data: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "Organization",
        "name": page.account.name,
        "url": f"{page.public_url}/wall",
    }
    if stats.rating_count:
        data["aggregateRating"] = {
            "@type": "AggregateRating",
            "ratingValue": stats.average_text,
            "ratingCount": stats.rating_count,
            "bestRating": 5,
            "worstRating": 1,
        }
    if testimonials:
        data["review"] = [_review_data(testimonial, page) for testimonial in testimonials]
    if len(data) == 4:
        return SafeString("")
    return mark_safe(json.dumps(data, ensure_ascii=False).translate(_ESCAPES))


def _review_data(testimonial: Testimonial, page: ReviewPage) -> dict[str, Any]:
    result: dict[str, Any] = {
        "@type": "Review",
        "author": {"@type": "Person", "name": testimonial.name},
        "datePublished": testimonial.written_at.astimezone(page.account.zone).date().isoformat(),
        "reviewBody": testimonial.text,
    }
    if testimonial.rating:
        result["reviewRating"] = {
            "@type": "Rating",
            "ratingValue": testimonial.rating,
            "bestRating": 5,
            "worstRating": 1,
        }
    return result
