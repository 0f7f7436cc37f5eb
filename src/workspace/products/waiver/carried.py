"""Waivers when an account moves."""

from __future__ import annotations

from workspace.accounts.carrying.tables import Carried
from workspace.products.waiver.models import Signing

CARRIED = (Carried(model=Signing, files=("pdf_key",), hashed={"pdf_key": "pdf_sha256"}),)
