"""The newest approved testimonial, for the account's other pages."""

from __future__ import annotations

from workspace.accounts.models import Account
from workspace.products.reviews.models import Status, Testimonial
from workspace.publishing.live_blocks import LiveBlock
from workspace.publishing.models import State

TITLE = "Newest review"
LONGEST = 220


def newest(account: Account) -> LiveBlock | None:
    found = (
        Testimonial.objects.filter(account=account, status=Status.APPROVED, suspicion="")
        .filter(page__publication__password="", page__publication__paused_at=None)
        .exclude(consented_at=None)
        .select_related("page__publication")
        .order_by("-written_at", "-id")
    )
    # pages that are expired or banned are few, and their state is no column
    for one in found[:50]:
        if one.page.publication.state is State.LIVE:
            return LiveBlock(
                heading="What people say",
                lines=(f"“{_short((one.excerpt or one.text).strip())}”", _signed(one)),
                url=f"/r/{one.page.slug}/wall",
                label="Read more",
                fresh_until=one.page.publication.expires_at,
            )
    return None


def _signed(one: Testimonial) -> str:
    stars = f"{'★' * one.rating} " if one.rating else ""
    return f"{stars}{one.name}"


def _short(words: str) -> str:
    """The beginning, cut between words, with a mark that there is more."""
    words = " ".join(words.split())
    return words if len(words) <= LONGEST else words[:LONGEST].rpartition(" ")[0] + " …"
