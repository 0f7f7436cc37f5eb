"""What a client sends from the page of a proposal: their yes, their no, a question."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field

from workspace.products.bid.domain.decisions import clean_strokes
from workspace.products.bid.models.decision import REASONS
from workspace.public_site.guest_form import Form, SeenWords, needed, ticked
from workspace.publishing.arguments import clean_email
from workspace.tools.argument_types import Line, Lines

LONGEST_DRAWING = 120_000  # characters: more than 4,000 points in JSON
_HASH = re.compile(r"[0-9a-f]{64}")


def _reason(text: str) -> str:
    if text not in REASONS:
        raise ValueError(gettext("Please say why"))
    return text


def _hash(text: str) -> str:
    return text if _HASH.fullmatch(text) else ""


def _minor(text: Any) -> int:
    """What stood on the button; what is no number is no sum that was ever shown."""
    return int(text) if isinstance(text, str) and text.isascii() and text.isdigit() and len(text) < 16 else -1


def _seconds(text: Any) -> int:
    return min(max(_minor(text), 0), 10**6)


Email = Annotated[str, Line(254, least=0), AfterValidator(clean_email)]
Seen = Annotated[str, AfterValidator(_hash)]


class Approving(BaseModel):
    """`hash` and `total` are what was shown, `words` the consent as it was read; `zone` and `seconds` are told by the
    browser. The drawing comes beside it, since it is longer than a field."""

    name: Annotated[str, Line(120), needed(_("Please tell your name"))]
    email: Annotated[Email, needed(_("Please tell your e-mail address"))]
    code: Annotated[str, Line(20, least=0)] = ""
    agreed: Annotated[bool, ticked(_("Please say whether you agree"))]
    words: SeenWords
    hash: Seen
    total: Annotated[int, BeforeValidator(_minor)]
    zone: Annotated[str, Field(max_length=64)] = ""
    seconds: Annotated[int, BeforeValidator(_seconds)] = 0


class Declining(BaseModel):
    reason: Annotated[str, AfterValidator(_reason)]
    why: Annotated[str, Lines(2000)] = ""
    hash: Seen


class Asking(BaseModel):
    asker: Annotated[str, Line(120), needed(_("Please tell your name"))]
    reply_to: Annotated[Email, needed(_("Please tell your e-mail address"))]
    question: Annotated[str, Lines(2000, least=1), needed(_("Please write your question"))]


APPROVE = Form("bid-approve", Approving, "bid/page.html", hourly=20)
DECLINE = Form("bid-decline", Declining, "bid/page.html", hourly=20)
ASK = Form("bid-ask", Asking, "bid/page.html", hourly=5)


def drawing(text: str) -> list[list[list[int]]]:
    """The strokes that the page sends along; none for none. Raises ValueError."""
    if not text:
        return []
    try:
        found = json.loads(text) if len(text) <= LONGEST_DRAWING else None
    except (ValueError, RecursionError):
        found = None
    return clean_strokes(found)
