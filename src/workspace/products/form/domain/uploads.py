"""Files that guests send with a form: told by their bytes, pictures drawn anew without what cameras write into them,
kept under random names for the form's owner alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_noop

from workspace.lib.errors import Busy
from workspace.products.form.domain import error_messages
from workspace.products.form.domain.posted_answers import PREFIX, Posted
from workspace.products.form.domain.submissions import today_of
from workspace.products.form.models import Form, FormVersion, GuestFile
from workspace.products.form.models.file import NoRoom
from workspace.products.form.rules.answer_validation import MOST_MB, MOST_MB_IN_ALL, TOO_HEAVY, WRONG_KIND
from workspace.products.form.rules.evaluation import evaluate
from workspace.products.form.rules.form_output import asked
from workspace.public_site.guest_form import HOUR
from workspace.public_site.spam_protection import allow
from workspace.storage.files import images, media_types

HOURLY = 60  # files from one place
MB = 1024 * 1024
NOT_AS_NAMED = gettext_noop("This file is not what its name says. Please open it, save it anew and choose that one.")
LIKE_A_CAMERAS = gettext_noop("Please send this picture as JPEG or PNG: as it is, it may tell where it was taken")
_DRAWN_ANEW = ("image/jpeg", "image/png", "image/webp")
_NO_PICTURES = ("svg", "svgz", "bmp", "ico")  # a program, or what phones and mail do not show
_KEPT = (*_DRAWN_ANEW, "image/gif")


def came_with(request: HttpRequest, definition: Mapping[str, Any]) -> dict[str, list[UploadedFile[bytes]]]:
    """The files of this request, by key."""
    found = {}
    for one in asked(definition):
        if one["type"] == "file" and (files := [file for file in request.FILES.getlist(PREFIX + one["key"]) if file]):
            found[one["key"]] = files
    return found


def take(request: HttpRequest, form: Form, version: FormVersion, posted: Posted) -> dict[str, str]:
    """Keep what came along for fields that are shown, and put its ids among the answers; what is wrong, by key."""
    wrong: dict[str, str] = {}
    came = came_with(request, version.body)
    if not came:
        return wrong
    fields = {one["key"]: one for one in asked(version.body)}
    supposed = {**posted.answers, **{key: ["new"] for key in came}}
    shown = evaluate(version.body, supposed, today_of(form.account)).shown
    room: int | None = None
    for key, files in came.items():
        if key not in shown:
            continue
        one, before = fields[key], posted.answers.get(key) or []
        if len(before) + len(files) > one.get("max_files", 1):
            before = posted.answers[key] = []  # what is chosen anew stands for what was sent before
        if room is None:
            room = room_beside(form, posted.answers, version.body)
        room -= sum(file.size or 0 for file in files)
        if room < 0:
            wrong[key] = error_messages.words(one, TOO_HEAVY, "")
            continue
        ids, problem = keep(request, form, one, files)
        posted.answers[key] = [*before, *ids]
        if problem:
            wrong[key] = problem
    return wrong


def keep(
    request: HttpRequest, form: Form, one: Mapping[str, Any], files: list[UploadedFile[bytes]]
) -> tuple[list[str], str]:
    """Ids of what is kept, and what is wrong. Outside of a transaction, since it takes some time."""
    ids: list[str] = []
    most = one.get("max_files", 1)
    if len(files) > most:
        return ids, gettext("At most %s files").replace("%s", str(most))
    for file in files:
        try:
            ids.append(_kept(request, form, one, file))
        except Busy:
            return ids, gettext("Many pictures come in just now. Please choose it again in a moment.")
        except NoRoom:
            return ids, gettext("There is no room for files at the moment. Please send it another way.")
        except ValueError as problem:
            return ids, gettext(str(problem))
    return ids, ""


def _kept(request: HttpRequest, form: Form, one: Mapping[str, Any], file: UploadedFile[bytes]) -> str:
    most = one.get("max_mb", MOST_MB)
    if not file.size or file.size > most * MB:
        raise ValueError(gettext("A file may have up to %s MB").replace("%s", str(most)))
    if not allow(request, f"form-files:{form.pk}", limit=HOURLY, window=HOUR):
        raise ValueError(gettext("Many files came from this place just now. Please come back in an hour."))
    name, content = media_types.plain_name(file.name or ""), file.read()
    kind = media_types.media_type(content, name, most=MOST_MB * MB)
    if not media_types.agrees(name, kind):
        raise ValueError(gettext(NOT_AS_NAMED))
    if not accepts(one, name, kind):
        raise ValueError(error_messages.words(one, WRONG_KIND, ""))
    if kind.startswith("image/") and kind not in _KEPT:  # what cannot be drawn anew keeps what a camera wrote into it
        raise ValueError(gettext(LIKE_A_CAMERAS))
    if kind in _DRAWN_ANEW:
        picture = images.redraw(content, most=MOST_MB * MB)
        content, kind = picture.content, picture.media_type
    return GuestFile.keep(form, one["key"], name, kind, content).pk


def accepts(one: Mapping[str, Any], name: str, kind: str) -> bool:
    """By the ending, which agrees with the bytes; a picture by its bytes, since apps call one kind another."""
    wanted = one.get("accept")
    if not wanted:
        return True
    ending = name.rpartition(".")[2].lower()
    if "image" in wanted and ending in _NO_PICTURES:
        return False
    if kind.startswith("image/"):
        own = kind.removeprefix("image/")
        return "image" in wanted or own in wanted or (own == "jpeg" and "jpg" in wanted)
    return ending in wanted


def names_of(form: Form, answers: Mapping[str, Any], definition: Mapping[str, Any]) -> dict[str, str]:
    """Of files that were sent with this form and wait to be claimed, by id."""
    return {one.pk: one.name for one in waiting(form, answers, definition)}


def room_beside(form: Form, answers: Mapping[str, Any], definition: Mapping[str, Any]) -> int:
    """Bytes that may come along with what was sent before."""
    return MOST_MB_IN_ALL * MB - sum(one.size for one in waiting(form, answers, definition))


def waiting(form: Form, answers: Mapping[str, Any], definition: Mapping[str, Any]) -> list[GuestFile]:
    ids = [
        id
        for one in asked(definition)
        if one["type"] == "file" and isinstance(several := answers.get(one["key"]), list)
        for id in several
        if isinstance(id, str) and len(id) <= 60
    ]
    return list(GuestFile.objects.filter(form=form, pk__in=ids[:200], response=None)) if ids else []
