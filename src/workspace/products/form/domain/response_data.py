"""The serializer of a response, with the labels of its questions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from typing_extensions import TypedDict

from workspace.lib import clock
from workspace.products.form.models import FormVersion, GuestFile, Response
from workspace.products.form.rules.answer_text import format_answer
from workspace.products.form.rules.definition_fields import answerable_fields
from workspace.storage.database.compiled_function import compile_once


class LabeledAnswer(TypedDict):
    key: str
    label: str
    text: str


class FileData(TypedDict):
    id: str
    name: str
    size: int
    url: str


class ResponseData(TypedDict):
    """A response. `answers` are by key, and `labelled` has the questions and answers as people read them."""

    id: str
    form_id: str
    reference: str
    submitted_at: str | None
    status: str
    suspicion: str
    version: int
    email: str
    by_owner: bool
    answers: dict[str, Any]
    labelled: list[LabeledAnswer]
    files: list[FileData]


def list_response_data(responses: Iterable[Response]) -> list[ResponseData]:
    """Return the data of responses, with a few queries. Labels are those of the version that was answered."""
    results = list(responses)
    requested = {(response.form_id, response.version) for response in results}
    if not results:
        return []
    forms, numbers = (sorted(set(values)) for values in zip(*requested, strict=True))
    versions = _versions_of.fetch(forms, numbers)
    fields = {(version.form_id, version.number): answerable_fields(version.body) for version in versions}
    files: dict[str, list[GuestFile]] = {}
    for file in _files_of.fetch([response.pk for response in results]):
        files.setdefault(str(file.response_id), []).append(file)
    return [
        build_response_data(response, fields.get((response.form_id, response.version), []), files.get(response.pk, []))
        for response in results
    ]


@compile_once
def _versions_of(form_ids: list[str], numbers: list[int]) -> QuerySet[FormVersion]:
    return FormVersion.objects.filter(form__in=form_ids, number__in=numbers)


@compile_once
def _files_of(response_ids: list[str]) -> QuerySet[GuestFile]:
    return GuestFile.objects.filter(response__in=response_ids).order_by("pk")


def build_response_data(
    response: Response, fields: list[dict[str, Any]], guest_files: Iterable[GuestFile]
) -> ResponseData:
    """Return the data of a response, given the fields of its version and its files. This runs no queries."""
    files: list[FileData] = [
        {"id": file.pk, "name": file.name, "size": file.size, "url": f"{settings.BASE_URL}/files/{file.pk}"}
        for file in sorted(guest_files, key=lambda file: file.pk)
    ]
    names = {file["id"]: {"name": file["name"]} for file in files}
    labelled: list[LabeledAnswer] = []
    for field in fields:
        value = response.answers.get(field["key"])
        if value is None:
            continue
        if field["type"] == "file":
            value = [names.get(id, {"name": id}) for id in value]
        labelled.append({"key": field["key"], "label": field["label"], "text": format_answer(field, value)})
    return {
        "id": response.pk,
        "form_id": response.form_id,
        "reference": response.reference,
        "submitted_at": clock.to_iso(response.created_at),
        "status": response.status,
        "suspicion": response.suspicion,
        "version": response.version,
        "email": response.email,
        "by_owner": response.by_owner,
        "answers": response.answers,
        "labelled": labelled,
        "files": files,
    }
