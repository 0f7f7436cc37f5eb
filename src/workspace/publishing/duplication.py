"""Duplicating an item.

The copy supplies the values of arguments that are not given. Its address, visits and submissions are its own.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.publishing import messages
from workspace.publishing.models import PublishedItem
from workspace.publishing.models.publication import State
from workspace.tools.argument_types import Id

CopyOf = Annotated[Id, Field(description="Item to copy. Its slug and analytics are not copied.")]
_EXCLUDED_FIELDS = frozenset(["id", "account", "publication", "created_at", "updated_at", "binned_at"])


def copy_fields(original: PublishedItem) -> dict[str, Any]:
    """Return the fields of the copy in the format that `PublishedItem.open` accepts.

    Images are represented by the ids of their uploads. State, password and expiry are copied, so that the copy is not
    visible to more people than the original. Raise OperationNotAllowedError if the original is blocked.
    """
    publication = original.publication
    if publication.state is State.BANNED:
        raise OperationNotAllowedError(messages.ITEM_IS_BLOCKED)
    names = [
        field.name
        for field in original._meta.concrete_fields
        if field.name not in _EXCLUDED_FIELDS | original.COPY_EXCLUDED
    ]
    fields = {name: getattr(original, name) for name in names if name not in original.pictures}
    pictures = {f"{name}_id": getattr(original, f"{name}_id") or "" for name in original.pictures}
    ends = publication.expires_at
    return {
        **fields,
        **pictures,
        "live": publication.state is State.LIVE,
        "password": publication.password,
        "expires_at": clock.to_iso(ends) if ends is not None and ends > clock.now() else "",
        "code_style": publication.code_style,
    }
