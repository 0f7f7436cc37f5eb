"""Exporting any number of responses to a file.

A job reads them in parts, and finally writes CSV or XLSX row by row. The parts are stored compressed in the job, so
neither a large number of responses nor a killed worker is a problem.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import tzinfo
from itertools import chain
from pathlib import Path
from typing import Any

from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.delivery import jobs
from workspace.delivery.jobs import Item, ItemResult, JobFile
from workspace.lib.errors import NotFoundError
from workspace.lib.tabular import csv_table
from workspace.owner_translation import owner_gettext_noop
from workspace.products.form import messages
from workspace.products.form.domain import workbook_writer
from workspace.products.form.models import PARTIAL, Form, FormVersion, GuestFile, Response
from workspace.products.form.rules.answer_text import format_value, option_labels
from workspace.products.form.rules.definition_fields import answerable_fields
from workspace.publishing.export_answers import BOM

JOB_KIND = "form.export"
BATCH_SIZE = 200  # responses
MAX_PART_LENGTH = 60_000  # characters of a part stored in the job; a larger part is read again at the end
FIRST_COLUMNS = ("submitted", "reference", "status")
EMAIL_COLUMN = "contact email"  # of unsent responses: the only email address that need not be an answer
LAST_COLUMNS = ("version", "id")
MEDIA_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
MAX_COLUMNS = 16_000  # limit of a worksheet
ExportQuestion = tuple[str, str, dict[str, str]]  # key, type, labels of its options
QuestionsByVersion = dict[int, list[ExportQuestion]]  # by version
# the values of the first and last columns of a response, and its answers by key
ExportRow = tuple[list[Any], dict[str, Any]]


def build_items(form: Form, responses: QuerySet[Response], format: str) -> list[dict[str, Any]]:
    """Return the items of the job: batches of response ids, oldest first."""
    ids = list(responses.order_by("created_at", "id").values_list("pk", flat=True))
    chunks = [ids[start : start + BATCH_SIZE] for start in range(0, len(ids), BATCH_SIZE)] or [[]]
    data = {"form": form.pk, "format": format, "unsent": responses.filter(folder=PARTIAL).exists()}
    return [
        {"name": f"{place * BATCH_SIZE + 1} to {place * BATCH_SIZE + len(chunk)}", "ids": chunk, **data}
        for place, chunk in enumerate(chunks)
    ]


def _load_parts(account: Account, items: Sequence[Item]) -> list[dict[str, Any]]:
    """Return the data of each part. It is read outside of a transaction, which would block other writers."""
    questions_by_version: QuestionsByVersion = {}
    return [_build_part(account, item.body, questions_by_version) for item in items]


def _build_part(account: Account, body: dict[str, Any], questions_by_version: QuestionsByVersion) -> dict[str, Any]:
    """Build a part: its compressed responses, or only their ids if they are too large to store."""
    data = {name: value for name, value in body.items() if name not in ("name", "ids")}
    packed = _compress_rows(_load_rows(account, body["form"], body["ids"], questions_by_version))
    return {**data, "packed": packed} if len(packed) <= MAX_PART_LENGTH else {**data, "ids": body["ids"]}


def _load_rows(
    account: Account, form: str, ids: list[str], questions_by_version: QuestionsByVersion
) -> list[ExportRow]:
    """Load the rows of responses. There may be many, so each answer must be cheap to read."""
    matching = Response.objects.filter(account=account, form=form, pk__in=ids)
    results = list(matching.defer("search").order_by("created_at", "id"))
    if missing := {item.version for item in results} - questions_by_version.keys():
        for version in FormVersion.objects.filter(form=form, number__in=missing):
            questions_by_version[version.number] = [
                (field["key"], field["type"], option_labels(field)) for field in answerable_fields(version.body)
            ]
    names = dict(GuestFile.objects.filter(response__in=[item.pk for item in results]).values_list("pk", "name"))
    return [_build_row(item, questions_by_version.get(item.version, ()), names, account.zone) for item in results]


def _build_row(
    response: Response, questions: Iterable[ExportQuestion], names: Mapping[str, str], zone: tzinfo
) -> ExportRow:
    answers: dict[str, Any] = {}
    for key, type, labels in questions:
        value = response.answers.get(key)
        if value is None:
            continue
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            answers[key] = value
        else:
            answers[key] = format_value(value, names if type == "file" else labels)
    moment = f"{response.created_at.astimezone(zone):%Y-%m-%d %H:%M}"
    return [moment, response.reference, response.status, response.email, response.version, response.pk], answers


def _compress_rows(rows: list[ExportRow]) -> str:
    return base64.b64encode(zlib.compress(json.dumps(rows, ensure_ascii=False).encode(), 1)).decode()


def _write_file(account: Account, outcomes: Iterator[ItemResult], path: Path) -> JobFile:
    """Write the file. Raise NotFoundError if the form was deleted in the meantime."""
    first = next(outcomes)
    result = first.result or {}
    form = Form.objects.filter(account=account, pk=result.get("form")).first()
    if form is None:
        raise NotFoundError(messages.FORM_DELETED)
    columns = list_columns(form)
    rows = _iterate_rows(account, form, first, outcomes, list(columns))
    before = [*FIRST_COLUMNS, EMAIL_COLUMN] if result.get("unsent") else [*FIRST_COLUMNS]
    heading = [*before, *(columns[key]["label"] for key in columns), *LAST_COLUMNS]
    format = result["format"]
    if format == "csv":
        with path.open("w", encoding="utf-8", newline="") as out:
            out.write(BOM)
            csv_table.write_to(out, heading, rows)
    else:
        types = [*before, *(columns[key]["type"] for key in columns), *LAST_COLUMNS]
        workbook_writer.write_workbook(path, "Responses", list(zip(heading, types, strict=True)), rows)
    return JobFile(f"responses-{form.slug}.{format}", MEDIA_TYPES[format])


def list_columns(form: Form) -> dict[str, dict[str, Any]]:
    """Return the questions by key: current ones first, then those of older versions that have answers."""
    result = {field["key"]: field for field in answerable_fields(form.definition)}
    answered = Response.objects.filter(form=form).order_by().values_list("version", flat=True).distinct()
    for version in FormVersion.objects.filter(form=form, number__in=answered).order_by("-number").iterator():
        for field in answerable_fields(version.body):
            result.setdefault(field["key"], {**field, "label": f"{field['label']} (no longer asked)"})
    return dict(list(result.items())[:MAX_COLUMNS])


def _iterate_rows(
    account: Account, form: Form, first: ItemResult, more: Iterator[ItemResult], columns: Sequence[str]
) -> Iterator[list[Any]]:
    questions_by_version: QuestionsByVersion = {}
    for outcome in chain([first], more):
        result = outcome.result or {}
        if "ids" in result:
            rows = _load_rows(account, form.pk, result["ids"], questions_by_version)
        else:
            rows = json.loads(zlib.decompress(base64.b64decode(result["packed"]))) if "packed" in result else []
        for text, answers in rows:
            own = text[: -len(LAST_COLUMNS)]
            before = own if result.get("unsent") else own[: len(FIRST_COLUMNS)]
            yield [*before, *map(answers.get, columns), *text[-len(LAST_COLUMNS) :]]


def _get_result(account: Account, item: Item) -> Any:
    return item.ready


def _undo_nothing(account: Account, results: Sequence[Any]) -> None:
    """Do nothing, because the only result is the file, which is deleted with the job."""


jobs.job(
    JOB_KIND,
    title=owner_gettext_noop("Export of form responses"),
    noun="parts",
    prepare=_load_parts,
    finish=_write_file,
    undo=_undo_nothing,
)(_get_result)
