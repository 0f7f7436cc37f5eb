"""Files that guests upload with a form.

The type is detected from the content. Images are re-encoded to remove metadata. Files are stored under random names,
and only the form's owner can open them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_noop

from workspace.lib.errors import BusyError
from workspace.products.form.domain import error_messages
from workspace.products.form.domain.posted_answers import FIELD_PREFIX, FormPost
from workspace.products.form.domain.submissions import today_for
from workspace.products.form.models import Form, FormVersion, GuestFile
from workspace.products.form.models.file import StorageFullError
from workspace.products.form.rules.answer_validation import MAX_FILE_MB, MAX_TOTAL_MB, TOO_HEAVY, WRONG_KIND
from workspace.products.form.rules.definition_fields import answerable_fields
from workspace.products.form.rules.evaluation import evaluate_form
from workspace.rate_limits.counter import consume
from workspace.storage.files import images, media_types

MB = 1024 * 1024
TYPE_MISMATCH_MESSAGE = gettext_noop(
    "This file’s content doesn’t match its type. Open it, save it again and choose the new file."
)
UNSUPPORTED_IMAGE_MESSAGE = gettext_noop(
    "Send this image as JPEG or PNG. Its current format may reveal where it was taken."
)
_REENCODED_TYPES = ("image/jpeg", "image/png", "image/webp")
# formats that contain scripts, or that phones and email clients cannot show
_REJECTED_IMAGE_ENDINGS = ("svg", "svgz", "bmp", "ico")
_ALLOWED_IMAGE_TYPES = (*_REENCODED_TYPES, "image/gif")


def uploaded_files(request: HttpRequest, definition: Mapping[str, Any]) -> dict[str, list[UploadedFile[bytes]]]:
    """Return the files of this request, keyed by field."""
    result = {}
    for field in answerable_fields(definition):
        if field["type"] == "file" and (
            files := [file for file in request.FILES.getlist(FIELD_PREFIX + field["key"]) if file]
        ):
            result[field["key"]] = files
    return result


def store_uploads(request: HttpRequest, form: Form, version: FormVersion, post: FormPost) -> dict[str, str]:
    """Store the files of visible fields, and add their ids to the answers. Return errors keyed by field."""
    wrong: dict[str, str] = {}
    came = uploaded_files(request, version.body)
    if not came:
        return wrong
    fields = {field["key"]: field for field in answerable_fields(version.body)}
    supposed = {**post.answers, **{key: ["new"] for key in came}}
    shown = evaluate_form(version.body, supposed, today_for(form.account)).visible
    room: int | None = None
    for key, files in came.items():
        if key not in shown:
            continue
        item, before = fields[key], post.answers.get(key) or []
        if len(before) + len(files) > item.get("max_files", 1):
            before = post.answers[key] = []  # new files replace those uploaded earlier
        if room is None:
            room = remaining_bytes(form, post.answers, version.body)
        room -= sum(file.size or 0 for file in files)
        if room < 0:
            wrong[key] = error_messages.error_message(item, TOO_HEAVY, "")
            continue
        ids, problem = store_files(request, form, item, files)
        post.answers[key] = [*before, *ids]
        if problem:
            wrong[key] = problem
    return wrong


def store_files(
    request: HttpRequest, form: Form, item: Mapping[str, Any], files: list[UploadedFile[bytes]]
) -> tuple[list[str], str]:
    """Store files. Return their ids and an error. Call it outside of transactions, because it is slow."""
    ids: list[str] = []
    most = item.get("max_files", 1)
    if len(files) > most:
        return ids, gettext("Attach at most %s files").replace("%s", str(most))
    for file in files:
        try:
            ids.append(_store_file(request, form, item, file))
        except BusyError:
            return ids, gettext("Too many images are being uploaded right now. Choose yours again in a minute.")
        except StorageFullError:
            return ids, gettext("We can’t store files right now. Please send yours another way.")
        except ValueError as problem:
            return ids, gettext(str(problem))
    return ids, ""


def _store_file(request: HttpRequest, form: Form, item: Mapping[str, Any], file: UploadedFile[bytes]) -> str:
    most = item.get("max_mb", MAX_FILE_MB)
    if not file.size or file.size > most * MB:
        raise ValueError(gettext("This file is too large (max. %s MB)").replace("%s", str(most)))
    if not consume("form-file", request, item=form.pk):
        raise ValueError(gettext("Too many files were uploaded from this network. Try again in an hour."))
    name, content = media_types.clean_file_name(file.name or ""), file.read()
    kind = media_types.detect_media_type(content, name, max_bytes=MAX_FILE_MB * MB)
    if not media_types.name_matches_type(name, kind):
        raise ValueError(gettext(TYPE_MISMATCH_MESSAGE))
    if not is_accepted_file(item, name, kind):
        raise ValueError(error_messages.error_message(item, WRONG_KIND, ""))
    if (
        kind.startswith("image/") and kind not in _ALLOWED_IMAGE_TYPES
    ):  # an image that cannot be re-encoded would keep its metadata
        raise ValueError(gettext(UNSUPPORTED_IMAGE_MESSAGE))
    if kind in _REENCODED_TYPES:
        picture = images.normalize_image(content, max_size=MAX_FILE_MB * MB)
        content, kind = picture.content, picture.media_type
    return GuestFile.store_file(form, item["key"], name, kind, content).pk


def is_accepted_file(item: Mapping[str, Any], name: str, kind: str) -> bool:
    """Return whether a field accepts a file. The file's extension must be accepted and match the content.

    For images, only the content is checked, because apps often use the wrong extension.
    """
    requested = item.get("accept")
    if not requested:
        return True
    ending = name.rpartition(".")[2].lower()
    if "image" in requested and ending in _REJECTED_IMAGE_ENDINGS:
        return False
    if kind.startswith("image/"):
        own = kind.removeprefix("image/")
        return "image" in requested or own in requested or (own == "jpeg" and "jpg" in requested)
    return ending in requested


def list_file_names(form: Form, answers: Mapping[str, Any], definition: Mapping[str, Any]) -> dict[str, str]:
    """Return the names, keyed by id, of uploaded files whose form has not been submitted yet."""
    return {file.pk: file.name for file in list_waiting_files(form, answers, definition)}


def remaining_bytes(form: Form, answers: Mapping[str, Any], definition: Mapping[str, Any]) -> int:
    """Return how many more bytes may be uploaded for this response."""
    return MAX_TOTAL_MB * MB - sum(file.size for file in list_waiting_files(form, answers, definition))


def list_waiting_files(form: Form, answers: Mapping[str, Any], definition: Mapping[str, Any]) -> list[GuestFile]:
    ids = [
        id
        for field in answerable_fields(definition)
        if field["type"] == "file" and isinstance(several := answers.get(field["key"]), list)
        for id in several
        if isinstance(id, str) and len(id) <= 60
    ]
    return list(GuestFile.objects.filter(form=form, pk__in=ids[:200], response=None)) if ids else []
