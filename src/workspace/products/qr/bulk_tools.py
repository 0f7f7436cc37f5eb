"""Many codes at once, from a list or a CSV file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NotRequired

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.delivery import jobs
from workspace.products.qr.arguments import Folder, Name, TargetUrl
from workspace.products.qr.making import ids_for, make, room
from workspace.products.qr.models import KIND
from workspace.products.qr.rows import CodeRow, codes_of, one_line, rows
from workspace.products.qr.tools import tools
from workspace.publishing.arguments import Slug
from workspace.publishing.models import Address
from workspace.publishing.models.publication import TAKEN
from workspace.toolkit.answer import Answer, bullets
from workspace.toolkit.errors import InvalidInput, Issue
from workspace.toolkit.validation import MAX_ISSUES

MAX_ROWS = 1000
MAX_AT_ONCE = 500  # in one transaction, for which others wait
JOB = "qr.bulk"


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
    job_id: NotRequired[Annotated[str, Field(description="svc_jobs_get tells how it comes along")]]


@tools.tool("svc_qr_bulk_create", title="Create many QR codes")
def bulk_create(
    account: Account,
    codes: Annotated[list[NewCode], Field(min_length=1, max_length=MAX_ROWS)],
    background: Annotated[
        bool, Field(description="Answer at once with a job_id, and make them one by one; for more than 500")
    ] = False,
) -> Answer[BulkCreated]:
    """Create up to 500 codes in one step, or up to 1,000 in the background. One wrong entry refuses them all, named at
    its place, before any is made. When the plan has no room for all, the first ones are made and `did_not_fit` tells
    how many were left out."""
    if len(codes) > MAX_AT_ONCE and not background:
        raise InvalidInput.at("codes", f"At most {MAX_AT_ONCE} at once: with background=true up to {MAX_ROWS:,}")
    if issues := [*doubled(codes), *taken(codes)]:
        raise InvalidInput(sorted(issues, key=lambda issue: int(issue.path.split(".")[1]))[:MAX_ISSUES])
    fit = codes[: room(account, len(codes))]
    if background:
        return _begun(account, fit, len(codes) - len(fit))
    made = make(account, [code.model_dump() for code in fit])
    items = rows(codes_of(account).filter(pk__in=[code.pk for code in made]).order_by("-id"))
    left = len(codes) - len(made)
    head = f"Created {len(made)} QR codes." + (f" {left} did not fit into your plan." if left else "")
    data: BulkCreated = {"created": len(made), "did_not_fit": left, "items": items}
    return Answer(data, "\n".join([head, "", *bullets(items[:20], one_line)]))


def _begun(account: Account, codes: Sequence[NewCode], left: int) -> Answer[BulkCreated]:
    ids = ids_for(len(codes))
    job = jobs.start(account, JOB, [{**code.model_dump(), "id": id} for id, code in zip(ids, codes, strict=True)])
    head = f"{len(codes):,} QR codes are being made. svc_jobs_get tells how it comes along: `{job.pk}`."
    data: BulkCreated = {"created": 0, "did_not_fit": left, "items": [], "job_id": job.pk}
    return Answer(data, head + (f" {left} did not fit into your plan." if left else ""))


@jobs.job(JOB, title="QR codes from a list", noun="codes")
def make_one(account: Account, item: jobs.Item) -> dict[str, str]:
    """One code of a list that was judged as a whole; what changed since (the plan, an address) is its own fault."""
    room(account, 1)
    [code] = make(account, [item.body], [item.body["id"]])
    return {"id": code.pk}


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
