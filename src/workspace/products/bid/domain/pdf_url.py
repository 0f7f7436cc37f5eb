"""Where the files of a proposal are."""

from __future__ import annotations

from urllib.parse import urlencode

from django.conf import settings

from workspace.products.bid.models import Proposal


def pdf_url(proposal: Proposal) -> str:
    """The owner's: as it stands, or the sealed copy of what was agreed."""
    return f"{settings.BASE_URL}/files/bid/export?{urlencode({'kind': 'pdf', 'id': proposal.pk})}"
