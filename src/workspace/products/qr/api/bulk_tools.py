"""Tools for several codes: creating, changing and deleting them with one list, or creating very many with a job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.delivery import jobs
from workspace.lib.errors import InvalidInputError, ToolError
from workspace.lib.tabular.list_table import group_warnings
from workspace.lib.text import format_count
from workspace.owner_translation import owner_gettext_noop
from workspace.products.qr import messages
from workspace.products.qr.api.arguments import CodeEntry, CodeId
from workspace.products.qr.api.serializers import CodeSummary, code_summaries
from workspace.products.qr.api.text import format_code
from workspace.products.qr.api.tools import box
from workspace.products.qr.domain import code_list_csv
from workspace.products.qr.domain.code_list_input import (
    STYLE_FIELDS,
    CodeListRequest,
    find_repeated_slugs,
    resolve_items,
)
from workspace.products.qr.domain.queries import codes_for
from workspace.products.qr.models import Code, new_code_id
from workspace.products.qr.rules.code_fields import SavedCode
from workspace.products.qr.rules.code_list_headings import MAX_ROWS
from workspace.publishing.list_columns import ListColumnFields, ListCsv, SkippedCell, list_skipped_cells, place_issues
from workspace.publishing.models import RememberedColumns
from workspace.tools.answer import Answer, format_bullets
from workspace.tools.validation import validate_arguments

MAX_PER_TRANSACTION = 200  # codes in one transaction, for which others must wait; a longer list becomes a job
JOB_NAME = "qr.bulk"

CodeEntries = Annotated[
    list[CodeEntry],
    Field(
        max_length=MAX_ROWS,
        description=(
            "Codes to create (name, target_url or static) or update (id). More than 200 new ones run as a job."
        ),
    ),
]
RemovedIds = Annotated[
    list[CodeId],
    Field(max_length=MAX_PER_TRANSACTION, description="IDs of codes to delete. svc_undo restores them within 30 days."),
]


class SavedCodeSummary(CodeSummary):
    scans_well: NotRequired[Annotated[str, Field(description="good or risky, if you passed a design.")]]


class SavedCodes(TypedDict):
    created: int
    changed: int
    removed: int
    did_not_fit: Annotated[int, Field(description="Number of new codes beyond the plan's limit.")]
    unchanged: NotRequired[Annotated[int, Field(description="Lines of csv that change nothing.")]]
    warnings: NotRequired[Annotated[list[str], Field(description="What csv contains that is not used.")]]
    skipped_cells: NotRequired[list[SkippedCell]]
    items: Annotated[
        list[SavedCodeSummary], Field(description="Codes that were created or updated, in the order of the list.")
    ]
    job_id: NotRequired[
        Annotated[str, Field(description="Job ID, for more than 200 codes. svc_jobs_get shows progress.")]
    ]


def _check_styles(account: Account, value: Any) -> None:
    """Check styles before the transaction.

    Inside the transaction, the results are cached, and problems are reported.
    """
    if any(name in item for item in value.items or () for name in (*STYLE_FIELDS, "static")):
        with suppress(ToolError):
            resolve_items(account, value.items, value.remove or ())


@box.tool(
    "svc_qr_save",
    title="Bulk create and update QR codes",
    about="Bulk create, update and delete QR codes. One invalid entry rejects the whole list. At the plan's limit, "
    "creates what fits and returns did_not_fit. Create up to 1,000 codes per call; more than 200 run as a job. static "
    "creates codes that contain Wi-Fi, contact, email, phone or text data.",
    short="Create or update many QR codes, or static ones such as Wi-Fi.",
    synonyms="many codes, batch, mass, list of codes, spreadsheet, csv, wifi code, guest network, vcard code, "
    "static, phone number code, viele codes, stapel, wlan, gastnetz, liste, varios códigos, lote, masivo, wifi",
    prepare=_check_styles,
)
def save(
    account: Account,
    items: CodeEntries | None = None,
    remove: RemovedIds | None = None,
    csv: Annotated[
        ListCsv, Field(description="CSV, instead of items. Columns: name, destination, folder, custom link, id.")
    ]
    | None = None,
    columns: ListColumnFields | None = None,
    has_heading: Annotated[
        bool, Field(description="With csv: whether the first line names the columns. Detected by default.")
    ]
    | None = None,
) -> Answer[SavedCodes]:
    if csv is None:
        return _save_items(account, items or [], remove or [])
    if items or remove:
        raise InvalidInputError.at_path("csv", messages.CSV_ALONE)
    return _save_csv(account, csv, columns or {}, has_heading=bool(has_heading))


def _save_csv(account: Account, csv: str, columns: Mapping[str, str], *, has_heading: bool) -> Answer[SavedCodes]:
    """Save the lines of a table. Errors name the line and the field, such as `csv.3.target_url`."""
    table = code_list_csv.parse_code_list(account, csv, columns, has_heading=has_heading)
    RememberedColumns.remember(account, code_list_csv.LIST_NAME, table.sheet)
    if len(table.items) > MAX_PER_TRANSACTION and any("id" in item for item in table.items):
        raise InvalidInputError.at_path("csv", messages.TOO_MANY_CHANGED_LINES(most=MAX_PER_TRANSACTION))
    try:
        arguments: Any = validate_arguments(save, {"items": table.items})
        if issues := find_repeated_slugs(arguments.items, table.numbers):
            raise InvalidInputError(issues)
        answer = _save_items(account, arguments.items, []) if table.items else _no_changes()
    except InvalidInputError as refusal:
        raise place_issues(refusal, table.numbers) from None
    warnings = [*table.sheet.notes(), *group_warnings(table.skipped)]
    data: SavedCodes = {
        **answer.data,
        "unchanged": table.unchanged_count,
        "warnings": warnings,
        "skipped_cells": list_skipped_cells(table.skipped),
    }
    return Answer(data, lambda: "\n".join([answer.text, *(f"- {warning}" for warning in warnings)]))


def _no_changes() -> Answer[SavedCodes]:
    data: SavedCodes = {"created": 0, "changed": 0, "removed": 0, "did_not_fit": 0, "items": []}
    return Answer(data, _format_counts(data))


def _save_items(account: Account, items: list[SavedCode], remove: list[str]) -> Answer[SavedCodes]:
    if not items and not remove:
        raise InvalidInputError.at_path("items", messages.NOTHING_TO_SAVE)
    if len(items) > MAX_PER_TRANSACTION and (remove or any("id" in item for item in items)):
        raise InvalidInputError.at_path("items", messages.LONG_LIST_WITH_CHANGES(most=MAX_PER_TRANSACTION))
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
    """Return the fields of a new code in their stored form."""
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
    return format_code(saved_code) + (f", scan test: {saved_code['scans_well']}" if "scans_well" in saved_code else "")


def _format_counts(data: SavedCodes) -> str:
    acts = {"created": "created", "updated": "changed", "deleted": "removed"}
    counts = {act: int(data[name]) for act, name in acts.items()}  # type: ignore[literal-required]
    text = ", ".join(f"{act} {format_count(count, 'QR code')}" for act, count in counts.items() if count)
    left = f" {format_count(data['did_not_fit'], 'code')} skipped: plan limit reached." if data["did_not_fit"] else ""
    return f"{text[:1].upper()}{text[1:]}.{left}" if text else f"No changes.{left}"


def _start_job(account: Account, requested: Sequence[Mapping[str, Any]], left_out_count: int) -> Answer[SavedCodes]:
    # a job stores its list, but a password must be stored only as a hash
    if any(fields.get("password") for fields in requested):
        raise InvalidInputError.at_path("items", messages.TOO_MANY_SECRET_COPIES(most=MAX_PER_TRANSACTION))
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
    text = f"Creating {len(requested):,} QR codes. Get the progress with svc_jobs_get: `{job.pk}`."
    return Answer(
        data, text + (f" {format_count(left_out_count, 'code')} skipped: plan limit reached." if left_out_count else "")
    )


def _delete_created(account: Account, results: Sequence[Any]) -> None:
    if codes := list(account.codes.filter(pk__in=[result["id"] for result in results])):
        Code.undo_creation_many(codes)


@jobs.job(JOB_NAME, title=owner_gettext_noop("QR codes from a list"), noun="codes", undo=_delete_created)
def create_code(account: Account, item: jobs.Item) -> dict[str, str]:
    """Create a code from a list that has been validated as a whole.

    If something has changed since then, such as the plan or a slug, the error is reported only for this code.
    """
    Code.check_quota(account)
    return {"id": Code.open(account, **item.body).pk}
