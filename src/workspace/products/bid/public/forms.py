"""The forms that a client submits: approval, rejection, and questions."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field

from workspace.products.bid.domain.decisions import clean_signature_strokes
from workspace.products.bid.models.decision import DECLINE_REASONS
from workspace.public_site.guest_form import GuestForm, SeenWords, require_checkbox, require_text
from workspace.publishing.shared_item_arguments import clean_email
from workspace.tools.argument_types import Line, Lines

MAX_DRAWING_LENGTH = 120_000  # characters, more than 4,000 points in JSON
_HASH_PATTERN = re.compile(r"[0-9a-f]{64}")


def _check_reason(text: str) -> str:
    if text not in DECLINE_REASONS:
        raise ValueError(gettext("Choose a reason"))
    return text


def _clean_hash(text: str) -> str:
    return text if _HASH_PATTERN.fullmatch(text) else ""


def _parse_minor_units(text: Any) -> int:
    """Parse the sum on the button. For anything but digits, return -1, which is never shown."""
    return int(text) if isinstance(text, str) and text.isascii() and text.isdigit() and len(text) < 16 else -1


def _parse_seconds(text: Any) -> int:
    return min(max(_parse_minor_units(text), 0), 10**6)


Email = Annotated[str, Line(254, least=0), AfterValidator(clean_email)]
SeenHash = Annotated[str, AfterValidator(_clean_hash)]


class ApprovalInput(BaseModel):
    """The form of an approval.

    `hash` and `total` are the values shown, and `words` is the consent text. The browser sends `zone` and `seconds`.
    The drawing is sent separately, because it is longer than a field may be.
    """

    name: Annotated[str, Line(120), require_text(_("Enter your name"))]
    email: Annotated[Email, require_text(_("Enter your email address"))]
    code: Annotated[str, Line(20, least=0)] = ""
    agreed: Annotated[bool, require_checkbox(_("Check the box to agree"))]
    words: SeenWords
    hash: SeenHash
    total: Annotated[int, BeforeValidator(_parse_minor_units)]
    zone: Annotated[str, Field(max_length=64)] = ""
    seconds: Annotated[int, BeforeValidator(_parse_seconds)] = 0


class DeclineInput(BaseModel):
    reason: Annotated[str, AfterValidator(_check_reason)]
    why: Annotated[str, Lines(2000)] = ""
    hash: SeenHash


class QuestionInput(BaseModel):
    asker: Annotated[str, Line(120), require_text(_("Enter your name"))]
    reply_to: Annotated[Email, require_text(_("Enter your email address"))]
    question: Annotated[str, Lines(2000, least=1), require_text(_("Enter your question"))]


APPROVAL_FORM = GuestForm("bid-approve", ApprovalInput, "bid/page.html")
DECLINE_FORM = GuestForm("bid-decline", DeclineInput, "bid/page.html")
QUESTION_FORM = GuestForm("bid-ask", QuestionInput, "bid/page.html")


def parse_strokes(text: str) -> list[list[list[int]]]:
    """Parse the strokes that the page sends. Return an empty list if there are none.

    Raise ValueError if they are invalid.
    """
    if not text:
        return []
    try:
        result = json.loads(text) if len(text) <= MAX_DRAWING_LENGTH else None
    except (ValueError, RecursionError):
        result = None
    return clean_signature_strokes(result)
