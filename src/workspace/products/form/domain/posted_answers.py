"""Parsing the answers that a guest's browser submits, page by page or at once, with or without scripts.

Controls are named `f-KEY`. The text of an "other" option is `f-KEY-other`, the drawing of a signature `f-KEY-drawn`.
Answers of other pages are passed along in hidden controls with the same names. They are not trusted, because all
answers are validated again with each page. They are therefore neither stored on the server nor signed.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest, QueryDict

from workspace.analytics.visitor import visitor_from_request
from workspace.products.form.rules import field_types
from workspace.products.form.rules.definition_fields import answerable_fields
from workspace.public_site.spam_protection import STAMP_FIELD

FIELD_PREFIX = "f-"  # prefix of a field's key, to avoid collisions with our own controls
OTHER_SUFFIX = "-other"  # the value of the "other" option, and the suffix of its text
DRAWING_SUFFIX = "-drawn"
MAX_CHARACTERS = 100_000  # of all answers
MAX_DRAWING_LENGTH = 60_000  # characters of a signature; its maximum of 10,000 coordinates needs less
MAX_BODY_BYTES = 1024 * 1024  # bytes of a request without files
_MAX_VALUES = 200
_TOKEN_PATTERN = re.compile(r"[A-Za-z0-9_-]{20,64}", re.ASCII)
_TYPES_NOT_FROM_LINKS = (*field_types.GUEST_ONLY_TYPES, "calculated")


@dataclass(slots=True)
class FormPost:
    """A submitted page.

    `page` is the key of the submitted page. `visible_fields` are the fields shown on it, calculated ones with their
    value as shown (`total=12.5`). `action` is empty, `back` or `later`."""

    answers: dict[str, Any]
    page: str = ""
    visible_fields: set[str] = field(default_factory=set)
    action: str = ""
    dedupe_key: str = ""
    token: str = ""
    resume_token: str = ""
    change_shown: bool = False  # the hint on changed fields was already shown, or is not needed


class FormTooLargeError(Exception):
    """The request is larger than any form allows."""


def check_size(request: HttpRequest, *, takes_files: bool) -> None:
    """Check the size of a request before it is read. Raise FormTooLargeError if it is too large."""
    declared_size = request.META.get("CONTENT_LENGTH") or "0"
    if not takes_files and declared_size.isdecimal() and int(declared_size) > MAX_BODY_BYTES:
        raise FormTooLargeError


def parse_post(request: HttpRequest, definition: Mapping[str, Any]) -> FormPost:
    """Parse a submitted page. Raise FormTooLargeError if it is too large."""
    post = request.POST
    if sum(len(text) for name in post if name.startswith(FIELD_PREFIX) for text in post.getlist(name)) > MAX_CHARACTERS:
        raise FormTooLargeError
    token, seen = post.get("token", ""), set(post.get("seen", "")[:20_000].split())
    answers: dict[str, Any] = default_answers(definition)
    for form_field in answerable_fields(definition):
        if FIELD_PREFIX + form_field["key"] in post or FIELD_PREFIX + form_field["key"] + DRAWING_SUFFIX in post:
            answers[form_field["key"]] = parse_control(post, form_field)
        elif form_field["key"] in seen:
            answers[form_field["key"]] = ""  # it was shown, and was left empty or cleared
    result = FormPost(
        answers=answers,
        page=post.get("page", "")[:60],
        visible_fields=seen,
        action=post.get("go", ""),
        token=token if _TOKEN_PATTERN.fullmatch(token) else "",
        resume_token=post.get("resume", "")[:64],
        change_shown="told" in post or "seen" not in post,
    )
    result.dedupe_key = _submission_key(request, result)
    return result


def parse_control(post: QueryDict, item: Mapping[str, Any]) -> Any:
    """Return the value that the controls of a field submitted."""
    name = FIELD_PREFIX + item["key"]
    family = field_types.answer_family(item["type"])
    items: list[Any] = post.getlist(name)[:_MAX_VALUES]
    if family == field_types.SIGNATURE:
        return {"name": items[-1] if items else "", "drawn": _parse_strokes(post.get(name + DRAWING_SUFFIX, ""))}
    if item.get("other"):
        items = [{"other": post.get(name + OTHER_SUFFIX, "")} if text == OTHER_SUFFIX else text for text in items]
    if family == field_types.FILES:
        return [id for id in items if id]  # browsers send an empty name if no file is chosen
    if family == field_types.MULTI:
        return items
    return items[-1]


def default_answers(definition: Mapping[str, Any]) -> dict[str, Any]:
    """Return the initial answers of a form."""
    return {field["key"]: field["default"] for field in answerable_fields(definition) if "default" in field}


def answers_from_link(query: QueryDict, definition: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answers prefilled by the URL: `?name=Ada&menu=Grill`."""
    return {
        field["key"]: query.getlist(field["key"])[:50]
        if field["type"] == "multi_choice"
        else query[field["key"]][:1000]
        for field in answerable_fields(definition)
        if field["key"] in query and field["type"] not in _TYPES_NOT_FROM_LINKS
    }


def _parse_strokes(text: str) -> Any:
    """Parse a submitted drawing.

    If it cannot be parsed, return an invalid value, which the field's rule then rejects.
    """
    try:
        return json.loads(text) if 0 < len(text) <= MAX_DRAWING_LENGTH else text and "too long"
    except (ValueError, RecursionError):
        return "no drawing"


def _submission_key(request: HttpRequest, post: FormPost) -> str:
    """Return a key that is the same for a repeated submission, after a double click or going back.

    Many guests share a cached page, so if the browser has no token yet, the key depends on the guest's IP address.
    """
    sender = post.token or visitor_from_request(request).address_key
    text = json.dumps([sender, request.POST.get(STAMP_FIELD, ""), post.answers], sort_keys=True, ensure_ascii=True)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
