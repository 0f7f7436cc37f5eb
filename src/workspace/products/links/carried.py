"""Link pages when an account moves."""

from __future__ import annotations

from workspace.accounts.carrying import readers
from workspace.accounts.carrying.tables import Carried
from workspace.products.links.arguments import PageChanges
from workspace.products.links.models import Element, Page
from workspace.products.links.rules.types import Icon, TargetUrl

CARRIED = (
    Carried(
        model=Page,
        reads=readers.as_given(PageChanges, "bio", "theme", "social_profiles", "share_title", "share_description"),
    ),
    Carried(
        model=Element,
        reads={
            "kind": readers.one_of("link", "heading", "text", "live"),
            "url": readers.or_erased(TargetUrl),
            "icon": Icon,
            "live": readers.Identifier,
        },
    ),
)
