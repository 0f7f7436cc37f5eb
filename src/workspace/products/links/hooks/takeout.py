"""Export and import of link pages."""

from __future__ import annotations

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import TakeoutTable
from workspace.products.links.api.arguments import PageChanges
from workspace.products.links.models import Element, Page
from workspace.products.links.rules.element_fields import Icon, TargetUrl

TAKEOUT_TABLES = (
    TakeoutTable(
        model=Page,
        column_types=column_types.from_arguments(
            PageChanges, "bio", "theme", "social_profiles", "share_title", "share_description"
        ),
    ),
    TakeoutTable(
        model=Element,
        column_types={
            "kind": column_types.one_of("link", "heading", "text", "live"),
            "url": column_types.allow_erased(TargetUrl),
            "icon": Icon,
            "live_block_kind": column_types.Identifier,
        },
    ),
)
