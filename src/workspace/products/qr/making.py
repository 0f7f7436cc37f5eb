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
        way_out = account.or_larger(KIND, "delete one")
        raise ToolError(f"Your plan holds {most} QR codes and all are in use: {way_out}")
    return fit


def ids_for(count: int) -> list[str]:
    """Ids of new codes, the last one's first, since lists show the newest first. (Those of one millisecond would
    otherwise sort by chance.)"""
    return sorted((new_code_id() for _ in range(count)), reverse=True)


def make(account: Account, wanted: Sequence[Mapping[str, Any]], ids: Sequence[str] = ()) -> list[Code]:
    """A code for each of {name, target_url, folder, slug}; the latter two may be missing or empty. `ids`: those that
    they get, where they were drawn before."""
    publications = Publication.open_many(account, KIND, [one.get("slug") or None for one in wanted])
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
        for id, one, publication in zip(ids or ids_for(len(wanted)), wanted, publications, strict=True)
    ]
    return Code.objects.bulk_create(codes)
