"""Files that guests send with a form: told by their bytes, pictures drawn anew without what cameras write into them,
kept under random names for the form's owner alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.utils.translation import gettext

from workspace.products.form.answering import PREFIX
from workspace.products.form.models import Form, GuestFile
from workspace.products.form.models.file import NoRoom
from workspace.products.form.written import asked
from workspace.publishing.guest_form import HOUR
from workspace.publishing.guests import allow
from workspace.storage import media, pictures
from workspace.toolkit.errors import Busy

MOST_MB = 8  # of a file, where its field does not say less
HOURLY = 60  # files from one place
_DRAWN_ANEW = ("image/jpeg", "image/png", "image/webp")


def came(request: HttpRequest, definition: Mapping[str, Any]) -> dict[str, list[UploadedFile[bytes]]]:
    """The files of this request, by key."""
    found = {}
    for one in asked(definition):
        if one["type"] == "file" and (files := [file for file in request.FILES.getlist(PREFIX + one["key"]) if file]):
            found[one["key"]] = files
    return found


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
    if not file.size or file.size > most * 1024 * 1024:
        raise ValueError(gettext("A file may have up to %s MB").replace("%s", str(most)))
    if not allow(request, f"form-files:{form.pk}", limit=HOURLY, window=HOUR):
        raise ValueError(gettext("Many files came from this place just now. Please come back in an hour."))
    name, content = media.plain_name(file.name or ""), file.read()
    kind = media.media_type(content, name)
    if not accepts(one, name, kind):
        raise ValueError(gettext("This kind of file is not taken here"))
    if kind in _DRAWN_ANEW:
        picture = pictures.redraw(content)
        content, kind = picture.content, picture.media_type
    return GuestFile.keep(form, one["key"], name, kind, content).pk


def accepts(one: Mapping[str, Any], name: str, kind: str) -> bool:
    """By the ending and by the bytes: a picture is one, whatever it is called, and nothing else passes for one."""
    wanted = one.get("accept")
    if not wanted:
        return True
    ending = name.rpartition(".")[2].lower()
    if kind.startswith("image/"):
        own = kind.removeprefix("image/")
        return "image" in wanted or own in wanted or (own == "jpeg" and "jpg" in wanted)
    if ending in ("jpg", "jpeg", "png", "gif", "webp", "heic", "heif"):
        return False
    return ending in wanted and (ending != "pdf" or kind == "application/pdf")


def names_of(form: Form, answers: Mapping[str, Any], definition: Mapping[str, Any]) -> dict[str, str]:
    """Of files that were sent with this form and wait to be claimed, by id."""
    ids = [
        id
        for one in asked(definition)
        if one["type"] == "file" and isinstance(several := answers.get(one["key"]), list)
        for id in several
        if isinstance(id, str) and len(id) <= 60
    ]
    if not ids:
        return {}
    waiting = GuestFile.objects.filter(form=form, pk__in=ids[:200], response=None)
    return dict(waiting.values_list("pk", "name"))
