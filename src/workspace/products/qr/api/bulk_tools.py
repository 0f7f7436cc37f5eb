"""Tools for several codes: created, changed and deleted by one list, or created by a job if there are very many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.delivery import jobs
from workspace.lib.errors import InvalidInputError, ToolError
from workspace.lib.text import format_count
from workspace.products.qr.api.arguments import CodeEntry, CodeId
from workspace.products.qr.api.serializers import CodeSummary, code_summaries
from workspace.products.qr.api.text import format_code
from workspace.products.qr.api.tools import box
from workspace.products.qr.domain.code_list_input import STYLE_FIELDS, CodeListRequest, resolve_items
from workspace.products.qr.domain.queries import codes_for
from workspace.products.qr.models import Code, new_code_id
from workspace.tools.answer import Answer, format_bullets

MAX_ROWS = 1000
MAX_PER_TRANSACTION = 200  # codes in one transaction, for which others wait; a longer list becomes a job
JOB_NAME = "qr.bulk"

CodeEntries = Annotated[
    list[CodeEntry],
    Field(
        max_length=MAX_ROWS,
        description="Codes to make (name, target_url or static) or to change (id); over 200 new: a job",
    ),
]
RemovedIds = Annotated[
    list[CodeId],
    Field(max_length=MAX_PER_TRANSACTION, description="Ids of codes to delete: for 30 days svc_undo helps"),
]


class SavedCodeSummary(CodeSummary):
    scans_well: NotRequired[Annotated[str, Field(description="Where a look was given: good or risky")]]


class SavedCodes(TypedDict):
    created: int
    changed: int
    removed: int
    did_not_fit: Annotated[int, Field(description="New ones for which the plan has no room")]
    items: Annotated[list[SavedCodeSummary], Field(description="What was made or named, in the order of the list")]
    job_id: NotRequired[Annotated[str, Field(description="Of more than 200: svc_jobs_get tells how it comes along")]]


def _check_styles(account: Account, value: Any) -> None:
    """Check styles before the transaction.

    Inside it the results are cached, and problems are reported there.
    """
    if any(name in item for item in value.items or () for name in (*STYLE_FIELDS, "static")):
        with suppress(ToolError):
            resolve_items(account, value.items, value.remove or ())


@box.tool("svc_qr_save", title="Make and change many QR codes", prepare=_check_styles)
def save(account: Account, items: CodeEntries | None = None, remove: RemovedIds | None = None) -> Answer[SavedCodes]:
    """Make, change and delete many codes in one step. One wrong entry refuses them all, named at its place, before
    anything is written. When the plan has no room for all that are new, the first ones are made and `did_not_fit` tells
    how many were left out. Up to 1,000 new ones: more than 200 are made by a job. `static` makes one that holds its
    content itself: a guest Wi-Fi, a contact, an e-mail, a number, a text. Each look is read back by two readers; one
    that would not scan is refused."""
    items, remove = items or [], remove or []
    if not items and not remove:
        raise InvalidInputError.at_path("items", "Give codes to make or to change, or ids to remove")
    if len(items) > MAX_PER_TRANSACTION and (remove or any("id" in item for item in items)):
        raise InvalidInputError.at_path(
            "items", f"A list of more than {MAX_PER_TRANSACTION} makes new codes and no more: change others apart"
        )
    list_request = resolve_items(account, items, remove)
    if list_request.removed:
        Code.remove_many(list_request.removed)
    fit = Code.remaining_quota(account, len(list_request.new)) if list_request.new else 0
    left = len(list_request.new) - fit
    for place in list(list_request.new)[fit:]:
        del list_request.new[place]
    new = [_storable_fields(account, fields) for fields in list_request.new.values()]
    if len(items) > MAX_PER_TRANSACTION:
        return _start_job(account, new, left)
    codes = Code.open_many(account, new, paths=[f"items.{place}" for place in list_request.new])
    changed = _update_codes(list_request)
    ids = dict(zip(list_request.new, (code.pk for code in codes), strict=True))
    ids |= {place: code.pk for place, (code, _) in list_request.existing.items()}
    data: SavedCodes = {
        "created": len(codes),
        "changed": len(changed),
        "removed": len(list_request.removed),
        "did_not_fit": left,
        "items": _saved_summaries(account, ids, list_request.verdicts),
    }
    return Answer(data, "\n".join([_format_counts(data), "", *format_bullets(data["items"], _format_saved_code)]))


def _storable_fields(account: Account, fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a new code as they are stored."""
    static = fields.pop("static", None)
    return {**fields, **Code.static_fields(account, static)} if static else fields


def _update_codes(list_request: CodeListRequest) -> set[str]:
    """Update existing codes. Return the ids of those that changed."""
    slugs = [(code, fields.pop("slug")) for code, fields in list_request.existing.values() if "slug" in fields]
    paths = [f"items.{place}" for place in list_request.existing]
    changed = {code.pk for code in Code.change_many(list_request.existing.values(), paths=paths)}
    for code, slug in slugs:
        if slug != code.slug:
            code.move(slug)
            changed.add(code.pk)
    return changed


def _saved_summaries(account: Account, ids: Mapping[int, str], verdicts: Mapping[int, str]) -> list[SavedCodeSummary]:
    result = {row["id"]: row for row in code_summaries(codes_for(account).filter(pk__in=ids.values()))}
    return [
        {**result[id], "scans_well": verdicts[place]} if place in verdicts else {**result[id]}
        for place, id in sorted(ids.items())
    ]


def _format_saved_code(saved_code: SavedCodeSummary) -> str:
    return format_code(saved_code) + (
        f", its look scans: {saved_code['scans_well']}" if "scans_well" in saved_code else ""
    )


def _format_counts(data: SavedCodes) -> str:
    acts = {"Made": "created", "changed": "changed", "deleted": "removed"}
    counts = {act: int(data[name]) for act, name in acts.items()}  # type: ignore[literal-required]
    text = ", ".join(f"{act} {format_count(count, 'QR code')}" for act, count in counts.items() if count)
    left = f" {format_count(data['did_not_fit'], 'code')} did not fit into your plan." if data["did_not_fit"] else ""
    return f"{text[:1].upper()}{text[1:]}.{left}" if text else f"Nothing changed: all of it is so already.{left}"


def _start_job(account: Account, requested: Sequence[Mapping[str, Any]], left_out_count: int) -> Answer[SavedCodes]:
    # a job stores its list, but a password must be stored only as a hash
    if any(fields.get("password") for fields in requested):
        raise InvalidInputError.at_path(
            "items", f"Of a code with a password at most {MAX_PER_TRANSACTION} at once are made like it"
        )
    # Ids are created here in descending order, so that lists show the codes in the order of this list.
    ids = sorted((new_code_id() for _ in requested), reverse=True)
    job = jobs.start(account, JOB_NAME, [{**fields, "id": id} for id, fields in zip(ids, requested, strict=True)])
    data: SavedCodes = {
        "created": 0,
        "changed": 0,
        "removed": 0,
        "did_not_fit": left_out_count,
        "items": [],
        "job_id": job.pk,
    }
    text = f"Began to make {len(requested):,} QR codes. svc_jobs_get tells how it comes along: `{job.pk}`."
    return Answer(
        data, text + (f" {format_count(left_out_count, 'code')} did not fit into your plan." if left_out_count else "")
    )


def _delete_created(account: Account, results: Sequence[Any]) -> None:
    if codes := list(account.codes.filter(pk__in=[result["id"] for result in results])):
        Code.unmake_many(codes)


@jobs.job(JOB_NAME, title="QR codes from a list", noun="codes", undo=_delete_created)
def create_code(account: Account, item: jobs.Item) -> dict[str, str]:
    """Create a code of a list that was validated as a whole.

    Errors from changes since then (the plan, a slug) are reported for this code only.
    """
    Code.check_quota(account)
    return {"id": Code.open(account, **item.body).pk}
