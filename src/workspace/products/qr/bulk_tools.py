"""Many codes at once, from a list or a CSV file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.products.qr.arguments import Folder, Name, TargetUrl
from workspace.products.qr.making import make, room
from workspace.products.qr.models import KIND
from workspace.products.qr.rows import CodeRow, codes_of, one_line, rows
from workspace.products.qr.tools import tools
from workspace.publishing.arguments import Slug
from workspace.publishing.models import Address
from workspace.publishing.models.publication import TAKEN
from workspace.toolkit.answer import Answer, bullets
from workspace.toolkit.errors import InvalidInput, Issue
from workspace.toolkit.validation import MAX_ISSUES

MAX_ROWS = 500


class NewCode(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    name: Name
    target_url: TargetUrl
    folder: Folder = ""
    slug: Slug | None = None


class BulkCreated(TypedDict):
    created: int
    did_not_fit: int
    items: list[CodeRow]


@tools.tool("svc_qr_bulk_create", title="Create many QR codes")
def bulk_create(
    account: Account, codes: Annotated[list[NewCode], Field(min_length=1, max_length=MAX_ROWS)]
) -> Answer[BulkCreated]:
    """Create up to 500 codes in one step. One wrong entry refuses them all, named at its place. When the plan has no
    room for all, the first ones are made and `did_not_fit` tells how many were left out."""
    if issues := [*doubled(codes), *taken(codes)]:
        raise InvalidInput(sorted(issues, key=lambda issue: int(issue.path.split(".")[1]))[:MAX_ISSUES])
    fit = codes[: room(account, len(codes))]
    made = make(account, [code.model_dump() for code in fit])
    items = rows(codes_of(account).filter(pk__in=[code.pk for code in made]).order_by("-id"))
    left = len(codes) - len(made)
    head = f"Created {len(made)} QR codes." + (f" {left} did not fit into your plan." if left else "")
    data: BulkCreated = {"created": len(made), "did_not_fit": left, "items": items}
    return Answer(data, "\n".join([head, "", *bullets(items[:20], one_line)]))


def doubled(codes: Sequence[NewCode], numbers: Sequence[int] | None = None) -> list[Issue]:
    """Each entry whose slug another one has before it. `numbers`: the lines by which people know the entries."""
    issues: list[Issue] = []
    first: dict[str, int] = {}
    for index, slug in enumerate(code.slug for code in codes):
        if slug and (earlier := first.setdefault(slug, index)) != index:
            where = f"on lines {numbers[earlier]} and {numbers[index]}" if numbers else f"first at codes.{earlier}"
            issues.append(Issue(f"codes.{index}.slug", f"“{slug}” is given twice, {where}"))
    return issues


def taken(codes: Sequence[NewCode]) -> list[Issue]:
    """Each entry whose slug a code has already, anybody's."""
    wanted = {code.slug: index for index, code in enumerate(codes) if code.slug}
    found = Address.objects.filter(kind=KIND, slug__in=wanted).values_list("slug", flat=True)
    return [Issue(f"codes.{wanted[slug]}.slug", TAKEN) for slug in found]
