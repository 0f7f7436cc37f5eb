"""What a guest's browser sends of a form, page by page or at once, with a script or without.

The controls are called `f-KEY`; beside an option of one's own stands `f-KEY-other`, beside a signature `f-KEY-drawn`.
Answers of other pages travel in hidden controls of the same names: nothing in them is trusted, since all is judged once
more with each page, so nothing of them rests on the server and they need no seal.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest, QueryDict

from workspace.analytics.visitor import visitor_of_request
from workspace.products.form.rules import field_types
from workspace.products.form.rules.form_output import asked
from workspace.public_site.spam_protection import STAMP

PREFIX = "f-"  # before a field's key, so that none is called as a control of ours
OTHER = "-other"  # the value of an option of the guest's own, and what its text is called
DRAWN = "-drawn"
MOST_TYPED = 100_000  # characters of all answers
MOST_DRAWN = 60_000  # of a signature: more than its 10,000 coordinates take
LARGEST = 1024 * 1024  # bytes of what is sent without files
_MOST_PARTS = 200
_TOKEN = re.compile(r"[A-Za-z0-9_-]{20,64}", re.ASCII)
_NOT_FROM_LINKS = (*field_types.OF_THE_GUEST, "calculated")


@dataclass(slots=True)
class Posted:
    """`page` is the key of the page that was filled in; `seen` what stood on it, with what was counted out as it was
    shown (`total=12.5`); `asks` is empty, `back` or `later`."""

    answers: dict[str, Any]
    page: str = ""
    seen: set[str] = field(default_factory=set)
    asks: str = ""
    once: str = ""
    token: str = ""
    resume: str = ""
    was_told: bool = False  # that something has come to stand there


class TooMuch(Exception):
    """More than any form can hold."""


def check_size(request: HttpRequest, *, takes_files: bool) -> None:
    """Before it is read. Raises TooMuch."""
    told = request.META.get("CONTENT_LENGTH") or "0"
    if not takes_files and told.isdecimal() and int(told) > LARGEST:
        raise TooMuch


def read(request: HttpRequest, definition: Mapping[str, Any]) -> Posted:
    """Raises TooMuch."""
    post = request.POST
    if sum(len(text) for name in post if name.startswith(PREFIX) for text in post.getlist(name)) > MOST_TYPED:
        raise TooMuch
    token, seen = post.get("token", ""), set(post.get("seen", "")[:20_000].split())
    answers: dict[str, Any] = begun(definition)
    for one in asked(definition):
        if PREFIX + one["key"] in post or PREFIX + one["key"] + DRAWN in post:
            answers[one["key"]] = typed(post, one)
        elif one["key"] in seen:
            answers[one["key"]] = ""  # it stood there, and was left or taken away
    found = Posted(
        answers=answers,
        page=post.get("page", "")[:60],
        seen=seen,
        asks=post.get("go", ""),
        token=token if _TOKEN.fullmatch(token) else "",
        resume=post.get("resume", "")[:64],
        was_told="told" in post or "seen" not in post,
    )
    found.once = _once(request, found)
    return found


def typed(post: QueryDict, one: Mapping[str, Any]) -> Any:
    """What stands in the controls of one field."""
    name = PREFIX + one["key"]
    family = field_types.family(one["type"])
    given: list[Any] = post.getlist(name)[:_MOST_PARTS]
    if family == field_types.SIGNATURE:
        return {"name": given[-1] if given else "", "drawn": _strokes(post.get(name + DRAWN, ""))}
    if one.get("other"):
        given = [{"other": post.get(name + OTHER, "")} if told == OTHER else told for told in given]
    if family == field_types.FILES:
        return [id for id in given if id]  # where none is chosen, browsers send an empty name
    if family == field_types.MULTI:
        return given
    return given[-1]


def begun(definition: Mapping[str, Any]) -> dict[str, Any]:
    """What stands in a form before somebody answers."""
    return {one["key"]: one["default"] for one in asked(definition) if "default" in one}


def from_link(query: QueryDict, definition: Mapping[str, Any]) -> dict[str, Any]:
    """Answers that the address brings along: `?name=Ada&menu=Grill`."""
    return {
        one["key"]: query.getlist(one["key"])[:50] if one["type"] == "multi_choice" else query[one["key"]][:1000]
        for one in asked(definition)
        if one["key"] in query and one["type"] not in _NOT_FROM_LINKS
    }


def _strokes(text: str) -> Any:
    """A drawing as it was sent; what is none is told so by the field's own rule."""
    try:
        return json.loads(text) if 0 < len(text) <= MOST_DRAWN else text and "too long"
    except (ValueError, RecursionError):
        return "no drawing"


def _once(request: HttpRequest, posted: Posted) -> str:
    """The same for a form that was sent twice, by a second click or by going back. A page that is kept is many guests',
    so where the browser brings no token of its own it is the guest's."""
    whose = posted.token or visitor_of_request(request).address_key
    told = json.dumps([whose, request.POST.get(STAMP, ""), posted.answers], sort_keys=True, ensure_ascii=True)
    return hashlib.blake2b(told.encode(), digest_size=16).hexdigest()
