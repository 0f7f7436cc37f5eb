"""Another thing like one that there is: what it begins with, where nothing else was given. Its address, what guests did
with it and left with it are its own."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.publishing.models import PublishedItem
from workspace.publishing.models.publication import State
from workspace.tools.argument_types import Id

CopyOf = Annotated[Id, Field(description="One of yours: what is not given is as there; slug and figures are its own")]
_EXCLUDED_FIELDS = frozenset(["id", "account", "publication", "created_at", "updated_at", "binned_at"])


def copy_fields(like: PublishedItem) -> dict[str, Any]:
    """Fields as `Published.open` takes them, pictures by the ids of their uploads, and how it is published: whoever
    must not see the one, by its password or its state, does not see the other. Raises OperationNotAllowedError for one
    that is blocked."""
    publication = like.publication
    if publication.state is State.BANNED:
        raise OperationNotAllowedError("This one is blocked: it cannot be duplicated")
    names = [
        field.name for field in like._meta.concrete_fields if field.name not in _EXCLUDED_FIELDS | like.COPY_EXCLUDED
    ]
    fields = {name: getattr(like, name) for name in names if name not in like.pictures}
    pictures = {f"{name}_id": getattr(like, f"{name}_id") or "" for name in like.pictures}
    ends = publication.expires_at
    return {
        **fields,
        **pictures,
        "live": publication.state is State.LIVE,
        "password": publication.password,
        "expires_at": clock.to_iso(ends) if ends is not None and ends > clock.now() else "",
        "code_style": publication.code_style,
    }
