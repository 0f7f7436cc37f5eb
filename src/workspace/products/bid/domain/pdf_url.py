"""URLs of a proposal's files."""

from __future__ import annotations

from urllib.parse import urlencode

from django.conf import settings

from workspace.products.bid.models import Proposal


def pdf_url(proposal: Proposal) -> str:
    """Return the owner's URL of the PDF, which shows the current state or the signed copy of the agreement."""
    return f"{settings.BASE_URL}/files/bid/export?{urlencode({'kind': 'pdf', 'id': proposal.pk})}"
