"""The form of a dish, for its page and for the live preview."""

from __future__ import annotations

from typing import Any

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.menu.api import section_and_item_tools
from workspace.products.menu.rules.diets_and_allergens import ALLERGENS

# for fields that are not arguments of the tool
LABELS = {
    "photo": owner_gettext_lazy("Photo"),
    **{f"allergens.{key}": allergen.label for key, allergen in ALLERGENS.items()},
}
PRICE_FIELDS = ("price", "variants.price", "add_ons.price")


def build_dish_form(
    request: SignedInRequest,
    menu_id: str,
    currency: str,
    initial: dict[str, Any],
    fixed: dict[str, str],
    *,
    editing: bool = False,
) -> ToolForm:
    """Build the form of a dish in the tool's list. `fixed` is the id of the dish, or the section of a new dish."""
    return ToolForm(
        section_and_item_tools.save_items,
        request,
        initial=initial,
        fixed={"menu_id": menu_id},
        editing=editing,
        labels=LABELS,
        amounts=dict.fromkeys(PRICE_FIELDS, currency),
        entry="items",
        entry_fixed=fixed,
    )
