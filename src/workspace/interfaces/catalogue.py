"""The tools of this installation: one line a product. Importing a product's tool modules fills its box."""

from __future__ import annotations

from workspace.accounts import activity_tools, upload_tools  # noqa: F401
from workspace.accounts.tools import box as account
from workspace.delivery import job_tools  # noqa: F401
from workspace.products.card import lead_tools as card_lead_tools  # noqa: F401
from workspace.products.card.tools import box as card
from workspace.products.links import element_tools, file_tools  # noqa: F401
from workspace.products.links import stats_tools as link_stats_tools  # noqa: F401
from workspace.products.links.tools import tools as links
from workspace.products.menu import item_tools, section_tools, stats_tools  # noqa: F401
from workspace.products.menu.tools import tools as menu
from workspace.products.qr import bulk_tools, scan_tools  # noqa: F401
from workspace.products.qr.tools import tools as qr
from workspace.products.reviews import add_tools, page_tools  # noqa: F401
from workspace.products.reviews.tools import tools as reviews
from workspace.toolkit.catalogue import Catalogue

CATALOGUE = Catalogue([account, qr, card, menu, reviews, links])
