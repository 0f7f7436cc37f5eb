"""Making codes, one or many, within the plan. Called under the account's lock, so that a limit holds under parallel
calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from workspace.accounts.models import Account
from workspace.products.qr.models import KIND, Code, new_code_id, searchable
from workspace.publishing.models import Publication
from workspace.toolkit.errors import ToolError


def room(account: Account, wanted: int) -> int:
    """How many of the wanted codes the plan has room for, at least one; raises ToolError when it has room for none."""
    most = account.limits(KIND).codes
    if most is None:
        return wanted
    fit = min(wanted, most - account.codes.count())
    if fit <= 0:
        raise ToolError(f"Your plan holds {most} QR codes and all are in use: delete one, or move to a larger plan")
    return fit


def make(account: Account, wanted: Sequence[Mapping[str, Any]]) -> list[Code]:
    """A code for each of {name, target_url, folder, slug}; the latter two may be missing or empty."""
    publications = Publication.open_many(account, KIND, [one.get("slug") or None for one in wanted])
    # ids of one millisecond sort by chance; from the last to the first, since lists show the newest first
    ids = sorted((new_code_id() for _ in wanted), reverse=True)
    codes = [
        Code(
            id=id,
            account=account,
            publication=publication,
            name=one["name"],
            target_url=one["target_url"],
            folder=one.get("folder") or "",
            search=searchable(one["name"], one["target_url"]),
        )
        for id, one, publication in zip(ids, wanted, publications, strict=True)
    ]
    return Code.objects.bulk_create(codes)
