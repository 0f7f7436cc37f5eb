"""The fields that a guest fills in to book: name, email, phone, and the service's questions."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Annotated, Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext, gettext_lazy
from pydantic import AfterValidator, BaseModel, create_model

from workspace.lib.phone_number import clean_phone
from workspace.products.booking import messages
from workspace.products.booking.models import Service
from workspace.public_site.guest_form import require_checkbox, require_text
from workspace.tools.argument_types import Line, Lines


def _check_email(text: str) -> str:
    try:
        validate_email(text)
    except ValidationError:
        raise ValueError(messages.INVALID_EMAIL) from None
    return text


class BookingDetails(BaseModel):
    name: Annotated[str, Line(120), require_text(gettext_lazy("Enter your name."))]
    email: Annotated[
        str, Line(254), AfterValidator(_check_email), require_text(gettext_lazy("Enter your email address."))
    ]
    phone: Annotated[str, Line(40, least=0), AfterValidator(clean_phone)] = ""


def build_details_model(service: Service) -> type[BookingDetails]:
    """Return a form model that has the questions of a service as `question0`, `question1` and so on."""
    return _build_model(json.dumps(service.questions))


@lru_cache(maxsize=256)
def _build_model(questions: str) -> type[BookingDetails]:
    fields: dict[str, Any] = {
        f"question{number}": (_field_type(item), ... if item.get("required") else "")
        for number, item in enumerate(json.loads(questions))
    }
    return create_model("Asked", __base__=BookingDetails, **fields)


def _field_type(question: dict[str, Any]) -> Any:
    must = [require_text(gettext_lazy("Answer this question."))] if question.get("required") else []
    match question["type"]:
        case "tick":
            return Annotated[bool, require_checkbox(gettext_lazy("Check this box."))] if must else str
        case "long":
            return Annotated[str, Lines(2000), *must]
        case "phone":
            return Annotated[str, Line(40, least=0), AfterValidator(clean_phone), *must]
        case "choice":
            return Annotated[str, Line(100, least=0), AfterValidator(_choice_validator(question["options"])), *must]
    return Annotated[str, Line(300, least=0), *must]


def _choice_validator(options: Sequence[str]) -> Callable[[str], str]:
    def check(text: str) -> str:
        if text and text not in options:
            raise ValueError(messages.UNKNOWN_OPTION)
        return text

    return check


def build_answers(service: Service, booking_details: BookingDetails) -> list[dict[str, Any]]:
    answers = [
        (question, getattr(booking_details, f"question{number}")) for number, question in enumerate(service.questions)
    ]
    words = {"yes": gettext("Yes"), True: gettext("Yes")}
    return [
        {"label": item["label"], "text": words.get(text, text) if item["type"] == "tick" else text}
        for item, text in answers
        if text
    ]
