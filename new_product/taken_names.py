"""Names that a new product cannot have, because something else has them. Set up Django first."""

from __future__ import annotations

import builtins
import keyword

from django.apps import apps
from django.urls import Resolver404, resolve
from svc.root_group import OWN_COMMANDS

from new_product.names import InvalidNameError, Names
from new_product.skeleton_files import list_identifiers
from workspace.accounts.models import Account
from workspace.accounts.plans import PRODUCTS
from workspace.interfaces.tool_catalog import CATALOG
from workspace.products import PRODUCT_NAMES
from workspace.publishing.models import Publication

SERVER_PATHS = ("api", "health", "mcp", "metrics", "static")  # answered before Django


def check_names(names: Names) -> None:
    """Raise InvalidNameError if a name is malformed or taken, or is a word used in the code."""
    names.check_spelling()
    if owner := _find_owner(names.product):
        raise InvalidNameError(f"“{names.product}” is taken by {owner}: choose another name")
    words = list_identifiers() | {*keyword.kwlist, *keyword.softkwlist, *dir(builtins)}
    for word in (names.item_variable, names.items_variable, names.class_name, names.product):
        if word in words:
            raise InvalidNameError(f"“{word}” has another meaning in the code of a product: choose a more exact name")
    for model, word in ((Account, names.items_variable), (Publication, names.item_variable)):
        if hasattr(model, word):
            raise InvalidNameError(f"“{word}” is an attribute of {model.__name__}: choose a more exact name")


def _find_owner(product: str) -> str:
    """Return what already has this name, or ""."""
    prefixes = {f"{model._meta.pk.get_default()}".partition("_")[0] for model in apps.get_models()}
    first_words = {word for tool in CATALOG for word in (tool.name_parts[0], tool.name_parts[0].removesuffix("s"))}
    owners = {
        "a product": product in PRODUCT_NAMES or product in PRODUCTS,
        "a tool": product in first_words,
        "a package": product in {app.label for app in apps.get_app_configs()} or product in ("apps", "account"),
        "a command of svc": product in OWN_COMMANDS,
        "a kind of ID": product in prefixes,
        "a page": product in SERVER_PATHS or any(map(_is_page, (f"/{product}", f"/{product}/a", f"/app/{product}"))),
    }
    return next((owner for owner, is_taken in owners.items() if is_taken), "")


def _is_page(path: str) -> bool:
    try:
        resolve(path)
    except Resolver404:
        return False
    return True
