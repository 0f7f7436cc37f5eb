"""Types for URLs that the fast path redirects. A product names the column with the destination."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import models


@dataclass(frozen=True, slots=True)
class FollowDecision:
    """A decision to count `event` for the publication and redirect the guest to `location`, an absolute URL."""

    publication_id: str
    event: str
    location: str
    part: str = ""


@dataclass(frozen=True, slots=True)
class RedirectResolver:
    """Redirects the guests of a product. `column` of its `model` has the destination, and `event` is counted."""

    model: type[models.Model]
    column: str
    event: str
