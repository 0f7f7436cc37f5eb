"""Many codes at once: made, changed and deleted by one list, or made by a job where they are very many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.delivery import jobs
from workspace.lib.errors import InvalidInput, Refusal
from workspace.lib.text import counted
from workspace.products.qr.api.arguments import CodeId, Entry
from workspace.products.qr.api.serializers import CodeRow, line, rows
from workspace.products.qr.api.tools import box
from workspace.products.qr.domain.code_list_input import OF_LOOK, Wanted, read
from workspace.products.qr.domain.queries import codes_of
from workspace.products.qr.models import Code, new_code_id
from workspace.tools.answer import Answer, bullets

MAX_ROWS = 1000
AT_ONCE = 200  # in one transaction, for which others wait; more of them are a job
JOB = "qr.bulk"

Items = Annotated[
    list[Entry],
    Field(
        max_length=MAX_ROWS,
        description="Codes to make (name, target_url or static) or to change (id); over 200 new: a job",
    ),
]
Remove = Annotated[
    list[CodeId], Field(max_length=AT_ONCE, description="Ids of codes to delete: for 30 days svc_undo helps")
]


class SavedCodeRow(CodeRow):
    scans_well: NotRequired[Annotated[str, Field(description="Where a look was given: good or risky")]]


class SavedCodes(TypedDict):
    created: int
    changed: int
    removed: int
    did_not_fit: Annotated[int, Field(description="New ones for which the plan has no room")]
    items: Annotated[list[SavedCodeRow], Field(description="What was made or named, in the order of the list")]
    job_id: NotRequired[Annotated[str, Field(description="Of more than 200: svc_jobs_get tells how it comes along")]]


def _judge(account: Account, given: Any) -> None:
    """Looks are read back before the transaction; within it they are known, and what is wrong is told there."""
    if any(name in item for item in given.items or () for name in (*OF_LOOK, "static")):
        with suppress(Refusal):
            read(account, given.items, given.remove or ())


@box.tool("svc_qr_save_codes", title="Make and change many QR codes", prepare=_judge)
def save_codes(account: Account, items: Items | None = None, remove: Remove | None = None) -> Answer[SavedCodes]:
    """Make, change and delete many codes in one step. One wrong entry refuses them all, named at its place, before
    anything is written. When the plan has no room for all that are new, the first ones are made and `did_not_fit` tells
    how many were left out. Up to 1,000 new ones: more than 200 are made by a job. `static` makes one that holds its
    content itself: a guest Wi-Fi, a contact, an e-mail, a number, a text. Each look is read back by two readers; one
    that would not scan is refused."""
    items, remove = items or [], remove or []
    if not items and not remove:
        raise InvalidInput.at("items", "Give codes to make or to change, or ids to remove")
    if len(items) > AT_ONCE and (remove or any("id" in item for item in items)):
        raise InvalidInput.at(
            "items", f"A list of more than {AT_ONCE} makes new codes and no more: change others apart"
        )
    wanted = read(account, items, remove)
    if wanted.gone:
        Code.remove_many(wanted.gone)
    fit = Code.room(account, len(wanted.new)) if wanted.new else 0
    left = len(wanted.new) - fit
    for place in list(wanted.new)[fit:]:
        del wanted.new[place]
    new = [_sealed(account, fields) for fields in wanted.new.values()]
    if len(items) > AT_ONCE:
        return _begun(account, new, left)
    made = Code.open_many(account, new, paths=[f"items.{place}" for place in wanted.new])
    changed = _change(wanted)
    ids = dict(zip(wanted.new, (code.pk for code in made), strict=True))
    ids |= {place: code.pk for place, (code, _) in wanted.old.items()}
    data: SavedCodes = {
        "created": len(made),
        "changed": len(changed),
        "removed": len(wanted.gone),
        "did_not_fit": left,
        "items": _rows(account, ids, wanted.verdicts),
    }
    return Answer(data, "\n".join([_head(data), "", *bullets(data["items"], _line)]))


def _sealed(account: Account, fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of a new code as they are kept."""
    static = fields.pop("static", None)
    return {**fields, **Code.sealed(account, static)} if static else fields


def _change(wanted: Wanted) -> set[str]:
    """The ids of those that differ."""
    slugs = [(code, fields.pop("slug")) for code, fields in wanted.old.values() if "slug" in fields]
    paths = [f"items.{place}" for place in wanted.old]
    changed = {code.pk for code in Code.change_many(wanted.old.values(), paths=paths)}
    for code, slug in slugs:
        if slug != code.slug:
            code.move(slug)
            changed.add(code.pk)
    return changed


def _rows(account: Account, ids: Mapping[int, str], verdicts: Mapping[int, str]) -> list[SavedCodeRow]:
    found = {row["id"]: row for row in rows(codes_of(account).filter(pk__in=ids.values()))}
    return [
        {**found[id], "scans_well": verdicts[place]} if place in verdicts else {**found[id]}
        for place, id in sorted(ids.items())
    ]


def _line(found: SavedCodeRow) -> str:
    return line(found) + (f", its look scans: {found['scans_well']}" if "scans_well" in found else "")


def _head(data: SavedCodes) -> str:
    acts = {"Made": "created", "changed": "changed", "deleted": "removed"}
    counts = {act: int(data[name]) for act, name in acts.items()}  # type: ignore[literal-required]
    said = ", ".join(f"{act} {counted(count, 'QR code')}" for act, count in counts.items() if count)
    left = f" {counted(data['did_not_fit'], 'code')} did not fit into your plan." if data["did_not_fit"] else ""
    return f"{said[:1].upper()}{said[1:]}.{left}" if said else f"Nothing changed: all of it is so already.{left}"


def _begun(account: Account, wanted: Sequence[Mapping[str, Any]], left: int) -> Answer[SavedCodes]:
    if any(fields.get("password") for fields in wanted):  # a job's list is kept, and a password's hash is not
        raise InvalidInput.at("items", f"Of a code with a password at most {AT_ONCE} at once are made like it")
    # ids are drawn here, the first one's last, so that lists show the codes in the order of this one
    ids = sorted((new_code_id() for _ in wanted), reverse=True)
    job = jobs.start(account, JOB, [{**fields, "id": id} for id, fields in zip(ids, wanted, strict=True)])
    data: SavedCodes = {
        "created": 0,
        "changed": 0,
        "removed": 0,
        "did_not_fit": left,
        "items": [],
        "job_id": job.pk,
    }
    text = f"Began to make {len(wanted):,} QR codes. svc_jobs_get tells how it comes along: `{job.pk}`."
    return Answer(data, text + (f" {counted(left, 'code')} did not fit into your plan." if left else ""))


def _unmake(account: Account, results: Sequence[Any]) -> None:
    if codes := list(account.codes.filter(pk__in=[result["id"] for result in results])):
        Code.unmake_many(codes)


@jobs.job(JOB, title="QR codes from a list", noun="codes", undo=_unmake)
def make_one(account: Account, item: jobs.Item) -> dict[str, str]:
    """One code of a list that was judged as a whole; what changed since (the plan, an address) is its own fault."""
    Code.check_room(account)
    return {"id": Code.open(account, **item.body).pk}
