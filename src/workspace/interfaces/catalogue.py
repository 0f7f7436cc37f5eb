"""The tools of this installation: one line a product."""

from __future__ import annotations

from workspace.accounts.tools import tools as account
from workspace.toolkit.catalogue import Catalogue

CATALOGUE = Catalogue([account])
