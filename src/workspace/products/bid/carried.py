"""Proposals when an account moves."""

from __future__ import annotations

from workspace.accounts.carrying.tables import Carried
from workspace.products.bid.models import Decision, Numbering

CARRIED = (
    Carried(model=Numbering, replaces=True),
    Carried(model=Decision, files=("pdf_key",), hashed={"pdf_key": "pdf_sha256"}),
)
