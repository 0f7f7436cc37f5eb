"""A form that anybody may send, judged by one pydantic model made of the same types that judge the owner's tools.

    class Details(BaseModel):
        name: Annotated[str, Line(120), needed(gettext_lazy("Please tell your name"))]
        email: Email = ""

    FORM = Form("card-lead", Details, "card/exchange.html", hourly=5)

    def exchange(request: HttpRequest, address: Address) -> HttpResponse:
        card = Card.at(address)
        return answer(request, address, FORM, {"card": card}, partial(leave, card), whose=card.pk)

The steps stand in their order in `handle_form` and `submit_form`: shown, judged, rated, done while the page is live,
redirected. A product that needs another order calls them one by one. The template takes `sheet` and lays its fields out
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

from workspace.public_site.guest_page import guest_transaction
from workspace.public_site.spam_protection import (
    MIN_SECONDS,
    STAMP_FIELD,
    SpamVerdict,
    allow_attempt_with_work,
    check_submission,
    render_hidden_fields,
)
from workspace.publishing.locale import current_locale
from workspace.publishing.models import Address
from workspace.tools.validation import issue_from_error

HOUR_SECONDS = 3600
MAX_FIELD_LENGTH = 20_000  # characters of a field that are looked at; every field's own limit lies below
WHOLE_FORM = "form"  # where a problem stands that is no single field's
_SALT = "guests.words"
# what the shared types say of what was typed, and how the lengths are told, which have a number in them
SHARED_MESSAGES = [
    _("Use plain text on one line"),
    _("Use plain text"),
    _("Must not be empty"),
    _("Write the number in digits, such as +43 1 234 56 78"),
]

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class GuestForm(Generic[M]):
    """`name` is what its hidden fields are made for, `hourly_limit` how often one guest may send it within an hour,
    `min_seconds` the seconds that a person needs to fill it in."""

    name: str
    model: type[M]
    template: str
    hourly_limit: int
    min_seconds: float = MIN_SECONDS


@dataclass(slots=True)
class FormState(Generic[M]):
    """What a guest typed, by field; what is wrong with it, by field; and what it says, once nothing is wrong."""

    model: type[M]
    values: dict[str, str] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    data: M | None = None


class GuestActionDeclinedError(Exception):
    """What the guest asks for is not done just now; `message` is for them."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.message, self.status = message, status


class _FormExpiredError(ValueError):
    pass


def require_text(words: str | Promise) -> BeforeValidator:
    """For a field that must not stay empty: what to say where it does."""

    def check(typed: Any) -> Any:
        if not str(typed).strip():
            raise ValueError(str(words))
        return typed

    return BeforeValidator(check)


def require_checkbox(words: str | Promise) -> BeforeValidator:
    """For a box (a `bool` whose input sends `yes`) that must be ticked: what to say where it is not."""

    def check(typed: Any) -> bool:
        if typed != "yes":
            raise ValueError(str(words))
        return True

    return BeforeValidator(check)


def sign_words(words: str) -> str:
    """Words for a hidden field: a guest agrees to what they saw, though the owner may have changed it meanwhile."""
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
    act: Callable[[M], object],
    *,
    whose: str,
) -> HttpResponse:
    """A page of its own for a form: shown, and taken when it is sent. `address` is one that is open to the guest."""
    if request.method in ("GET", "HEAD"):
        return render_form(request, form, context, FormState(form.model), sent="sent" in request.GET)
    if request.method != "POST":
        return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
    return submit_form(request, address, form, context, act, whose=whose)


def submit_form(
    request: HttpRequest,
    address: Address,
    form: GuestForm[M],
    context: Mapping[str, object],
    act: Callable[[M], object],
    *,
    whose: str,
) -> HttpResponse:
    """A form that was sent. `act(said)` runs in a transaction while the page is live and may raise Declined; `whose`
    names what the guest's rate is counted for. Raises ItemGoneError."""
    verdict = check_submission(request, form.name, least=form.min_seconds)
    if verdict is SpamVerdict.TRAPPED:
        return thank_you_redirect(request)
    sheet = parse_form(request, form.model)
    if verdict is not SpamVerdict.FINE:
        sheet.problems[WHOLE_FORM] = verdict.advice
    if sheet.data is None or sheet.problems:
        return render_form(request, form, context, sheet, status=400)
    if not allow_attempt_with_work(
        request, f"{form.name}:{whose}", form.name, limit=form.hourly_limit, window=HOUR_SECONDS
    ):
        sheet.problems[WHOLE_FORM] = gettext("You have sent this several times just now. Please come back in an hour.")
        return render_form(request, form, context, sheet, status=429)
    try:
        with guest_transaction(address.publication_id):
            act(sheet.data)
    except GuestActionDeclinedError as declined:
        sheet.problems[WHOLE_FORM] = declined.message
        return render_form(request, form, context, sheet, status=declined.status)
    return thank_you_redirect(request)


def parse_form(request: HttpRequest, model: type[M]) -> FormState[M]:
    """What was typed into the model's fields, and what the model thinks of it: the first problem of each."""
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
        return gettext("At most %(most)s characters") % {"most": detail["ctx"]["max_length"]}
    return gettext(message)


def read_values(request: HttpRequest, model: type[BaseModel]) -> dict[str, str]:
    return {
        name: request.POST.get(name, "")[:MAX_FIELD_LENGTH].replace("\r\n", "\n").replace("\r", "\n").strip()
        for name in model.model_fields
    }


def submission_key(request: HttpRequest, model: type[BaseModel]) -> str:
    """The same for a form that was sent twice, by a second click or by going back: 32 letters."""
    told = "\0".join((request.POST.get(STAMP_FIELD, ""), *read_values(request, model).values()))
    return hashlib.blake2b(told.encode("utf-8", "replace"), digest_size=16).hexdigest()


def render_form(
    request: HttpRequest,
    form: GuestForm[M],
    context: Mapping[str, object],
    sheet: FormState[M],
    *,
    status: int = 200,
    **more: object,
) -> HttpResponse:
    """The form's page, kept nowhere. `more` is for the template: `thank_you_redirect` once it was, `closed` where it
    takes none."""
    given = {"sheet": sheet, "hidden_fields": render_hidden_fields(form.name), **more}
    if taken := given.keys() & context.keys():
        raise ValueError(f"The form's own names in its template: {', '.join(taken)}")
    response = render(request, form.template, {**context, **given}, status=status)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def thank_you_redirect(request: HttpRequest) -> HttpResponse:
    """Thanks by a redirect, so that reloading does not send it again."""
    return HttpResponseRedirect(current_locale().localize_url(f"{request.path}?sent"), status=303)
