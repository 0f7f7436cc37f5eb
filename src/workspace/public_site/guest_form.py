"""Public forms, validated by a pydantic model with the same types as tool arguments.

    class Details(BaseModel):
        name: Annotated[str, Line(120), require_text(gettext_lazy("Enter your name"))]
        email: Email = ""

    FORM = GuestForm("card-lead", Details, "card/exchange.html")

    def exchange(request: HttpRequest, address: Address) -> HttpResponse:
        card = Card.from_address(address)
        return handle_form(request, address, FORM, {"card": card}, partial(leave, card), limited_item=card.pk)

`handle_form` and `submit_form` render the form, validate it, limit its rate, process it while the page is live, and
redirect. A product that needs another order calls the steps itself. The template gets `sheet`. It renders its fields
with `{% guest_field sheet "name" _("Your name") %}`, after `{{ hidden_fields }}`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Generic, TypeVar

from django.core import signing
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from pydantic import AfterValidator, BaseModel, BeforeValidator, ValidationError

from workspace.lib.messages import Message
from workspace.public_site.guest_page import GuestActionDeclinedError, guest_transaction
from workspace.public_site.spam_protection import (
    MIN_SECONDS,
    STAMP_FIELD,
    SpamVerdict,
    check_submission,
    consume_with_work,
    render_hidden_fields,
)
from workspace.publishing.locale import current_locale
from workspace.publishing.models import Address
from workspace.tools.validation import issue_from_error

MAX_FIELD_LENGTH = 20_000  # longer values are cut; the limits of all fields are lower
WHOLE_FORM = "form"  # key of problems that do not concern a single field
_SALT = "guest_form.text"
# Messages of the shared argument types, marked for translation. Messages about lengths contain a number.
SHARED_MESSAGES = [
    _("Use plain text on one line"),
    _("Use plain text only"),
    _("Fill in this field"),
    _("Enter a phone number like +43 1 234 56 78"),
]

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class GuestForm(Generic[M]):
    """A public form.

    `name` identifies its hidden fields, and is the name of its limit in `rate_limits/table.py`. `min_seconds` is the
    minimum time for filling it in.
    """

    name: str
    model: type[M]
    template: str
    min_seconds: float = MIN_SECONDS


@dataclass(slots=True)
class FormState(Generic[M]):
    """Submitted values and problems by field, and the validated data if there are no problems."""

    model: type[M]
    values: dict[str, str] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    data: M | None = None


class _FormExpiredError(ValueError):
    pass


def require_text(words: str | Promise | Message) -> BeforeValidator:
    """Return a validator that rejects an empty required field with this message."""

    def check(typed: Any) -> Any:
        if not str(typed).strip():
            raise ValueError(str(words))
        return typed

    return BeforeValidator(check)


def require_checkbox(words: str | Promise | Message) -> BeforeValidator:
    """Return a validator that requires a checkbox (a `bool` whose input sends `yes`), with this message."""

    def check(typed: Any) -> bool:
        if typed != "yes":
            raise ValueError(str(words))
        return True

    return BeforeValidator(check)


def sign_words(words: str) -> str:
    """Sign a text for a hidden field.

    Guests agree to the text that they saw, even if the owner has changed it in the meantime.
    """
    return signing.dumps(words, salt=_SALT)


def _unsign_words(text: str) -> str:
    try:
        return str(signing.loads(text, salt=_SALT))
    except (signing.BadSignature, ValueError):
        raise _FormExpiredError(SpamVerdict.STALE.advice) from None


SeenWords = Annotated[str, AfterValidator(_unsign_words)]


def handle_form(
    request: HttpRequest,
    address: Address,
    form: GuestForm[M],
    context: Mapping[str, object],
    process: Callable[[M], object],
    *,
    limited_item: str = "",
) -> HttpResponse:
    """Handle the page of a form: render it, or process a submission. `address` must be open to the guest."""
    if request.method in ("GET", "HEAD"):
        return render_form(request, form, context, FormState(form.model), sent="sent" in request.GET)
    if request.method != "POST":
        return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
    return submit_form(request, address, form, context, process, limited_item=limited_item)


def submit_form(
    request: HttpRequest,
    address: Address,
    form: GuestForm[M],
    context: Mapping[str, object],
    process: Callable[[M], object],
    *,
    limited_item: str = "",
) -> HttpResponse:
    """Process a submitted form.

    `process(data)` runs in a transaction while the page is live, and may raise GuestActionDeclinedError. `limited_item`
    is the item whose limit applies if submissions are limited per item. Raise ItemGoneError if the page is no longer
    live.
    """
    verdict = check_submission(request, form.name, min_seconds=form.min_seconds)
    if verdict is SpamVerdict.TRAPPED:
        return thank_you_redirect(request)
    sheet = parse_form(request, form.model)
    if verdict is not SpamVerdict.FINE:
        sheet.problems[WHOLE_FORM] = verdict.advice
    if sheet.data is None or sheet.problems:
        return render_form(request, form, context, sheet, status=400)
    if not consume_with_work(form.name, request, form.name, item=limited_item):
        sheet.problems[WHOLE_FORM] = gettext("You’ve sent this form several times. Try again in an hour.")
        return render_form(request, form, context, sheet, status=429)
    try:
        with guest_transaction(address.publication_id):
            process(sheet.data)
    except GuestActionDeclinedError as declined:
        sheet.problems[WHOLE_FORM] = declined.message
        return render_form(request, form, context, sheet, status=declined.status)
    return thank_you_redirect(request)


def parse_form(request: HttpRequest, model: type[M]) -> FormState[M]:
    """Parse and validate the submitted values, and report the first problem of each field."""
    sheet = FormState(model, read_values(request, model))
    try:
        sheet.data = model.model_validate(sheet.values)
    except ValidationError as error:
        for detail in error.errors():
            found = issue_from_error(detail)
            stale = isinstance(detail.get("ctx", {}).get("error"), _FormExpiredError)
            sheet.problems.setdefault(
                WHOLE_FORM if stale or not found.path else found.path, _format_problem(detail, found.message)
            )
    return sheet


def _format_problem(detail: Any, message: str) -> str:
    if detail["type"] == "string_too_long":
        return gettext("Use at most %(most)s characters") % {"most": detail["ctx"]["max_length"]}
    return gettext(message)


def read_values(request: HttpRequest, model: type[BaseModel]) -> dict[str, str]:
    return {
        name: request.POST.get(name, "")[:MAX_FIELD_LENGTH].replace("\r\n", "\n").replace("\r", "\n").strip()
        for name in model.model_fields
    }


def submission_key(request: HttpRequest, model: type[BaseModel]) -> str:
    """Return a key of 32 characters that is the same if a form is submitted twice, such as by a double click."""
    content = "\0".join((request.POST.get(STAMP_FIELD, ""), *read_values(request, model).values()))
    return hashlib.blake2b(content.encode("utf-8", "replace"), digest_size=16).hexdigest()


def render_form(
    request: HttpRequest,
    form: GuestForm[M],
    context: Mapping[str, object],
    state: FormState[M],
    *,
    status: int = 200,
    **more: object,
) -> HttpResponse:
    """Render the page of a form, which is never cached.

    `more` is passed to the template, such as `sent` or `closed`.
    """
    given = {"sheet": state, "hidden_fields": render_hidden_fields(form.name), **more}
    if taken := given.keys() & context.keys():
        raise ValueError(f"The form's own names in its template: {', '.join(taken)}")
    response = render(request, form.template, {**context, **given}, status=status)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def thank_you_redirect(request: HttpRequest) -> HttpResponse:
    """Redirect to the thank-you page, so that a reload does not send the form again."""
    return HttpResponseRedirect(current_locale().localize_url(f"{request.path}?sent"), status=303)
