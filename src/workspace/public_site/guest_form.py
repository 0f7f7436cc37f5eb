"""A form that anybody may send, judged by one pydantic model made of the same types that judge the owner's tools.

    class Details(BaseModel):
        name: Annotated[str, Line(120), needed(gettext_lazy("Please tell your name"))]
        email: Email = ""

    FORM = Form("card-lead", Details, "card/exchange.html", hourly=5)

    def exchange(request: HttpRequest, address: Address) -> HttpResponse:
        card = Card.at(address)
        return answer(request, address, FORM, {"card": card}, partial(leave, card), whose=card.pk)

The steps stand in their order in `answer` and `take`: shown, judged, rated, done while the page is live, redirected. A
product that needs another order calls them one by one. The template takes `sheet` and lays its fields out with
`{% guest_field sheet "name" _("Your name") %}`, after `{{ hidden_fields }}`.
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

from workspace.public_site.guest_page import acting
from workspace.public_site.spam_protection import LEAST, STAMP, Verdict, allow_with_work, hidden_fields, judge
from workspace.publishing.locale import voice
from workspace.publishing.models import Address
from workspace.tools.validation import issue

HOUR = 3600
LONGEST = 20_000  # characters of a field that are looked at; every field's own limit lies below
WHOLE = "form"  # where a problem stands that is no single field's
_SALT = "guests.words"
# what the shared types say of what was typed, and how the lengths are told, which have a number in them
SHARED = [
    _("Use plain text on one line"),
    _("Use plain text"),
    _("Must not be empty"),
    _("Write the number in digits, such as +43 1 234 56 78"),
]

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Form(Generic[M]):
    """`name` is what its hidden fields are made for, `hourly` how often one guest may send it within an hour, `least`
    the seconds that a person needs to fill it in."""

    name: str
    model: type[M]
    template: str
    hourly: int
    least: float = LEAST


@dataclass(slots=True)
class Sheet(Generic[M]):
    """What a guest typed, by field; what is wrong with it, by field; and what it says, once nothing is wrong."""

    model: type[M]
    typed: dict[str, str] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    said: M | None = None


class Declined(Exception):
    """What the guest asks for is not done just now; `message` is for them."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.message, self.status = message, status


class _Stale(ValueError):
    pass


def needed(words: str | Promise) -> BeforeValidator:
    """For a field that must not stay empty: what to say where it does."""

    def check(typed: Any) -> Any:
        if not str(typed).strip():
            raise ValueError(str(words))
        return typed

    return BeforeValidator(check)


def ticked(words: str | Promise) -> BeforeValidator:
    """For a box (a `bool` whose input sends `yes`) that must be ticked: what to say where it is not."""

    def check(typed: Any) -> bool:
        if typed != "yes":
            raise ValueError(str(words))
        return True

    return BeforeValidator(check)


def signed_words(words: str) -> str:
    """Words for a hidden field: a guest agrees to what they saw, though the owner may have changed it meanwhile."""
    return signing.dumps(words, salt=_SALT)


def _unsigned(text: str) -> str:
    try:
        return str(signing.loads(text, salt=_SALT))
    except (signing.BadSignature, ValueError):
        raise _Stale(Verdict.STALE.advice) from None


SeenWords = Annotated[str, AfterValidator(_unsigned)]


def answer(
    request: HttpRequest,
    address: Address,
    form: Form[M],
    context: Mapping[str, object],
    act: Callable[[M], object],
    *,
    whose: str,
) -> HttpResponse:
    """A page of its own for a form: shown, and taken when it is sent. `address` is one that is open to the guest."""
    if request.method in ("GET", "HEAD"):
        return show(request, form, context, Sheet(form.model), sent="sent" in request.GET)
    if request.method != "POST":
        return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
    return take(request, address, form, context, act, whose=whose)


def take(
    request: HttpRequest,
    address: Address,
    form: Form[M],
    context: Mapping[str, object],
    act: Callable[[M], object],
    *,
    whose: str,
) -> HttpResponse:
    """A form that was sent. `act(said)` runs in a transaction while the page is live and may raise Declined; `whose`
    names what the guest's rate is counted for. Raises Gone."""
    verdict = judge(request, form.name, least=form.least)
    if verdict is Verdict.TRAPPED:
        return sent(request)
    sheet = read(request, form.model)
    if verdict is not Verdict.FINE:
        sheet.problems[WHOLE] = verdict.advice
    if sheet.said is None or sheet.problems:
        return show(request, form, context, sheet, status=400)
    if not allow_with_work(request, f"{form.name}:{whose}", form.name, limit=form.hourly, window=HOUR):
        sheet.problems[WHOLE] = gettext("You have sent this several times just now. Please come back in an hour.")
        return show(request, form, context, sheet, status=429)
    try:
        with acting(address.publication_id):
            act(sheet.said)
    except Declined as declined:
        sheet.problems[WHOLE] = declined.message
        return show(request, form, context, sheet, status=declined.status)
    return sent(request)


def read(request: HttpRequest, model: type[M]) -> Sheet[M]:
    """What was typed into the model's fields, and what the model thinks of it: the first problem of each."""
    sheet = Sheet(model, typed(request, model))
    try:
        sheet.said = model.model_validate(sheet.typed)
    except ValidationError as error:
        for detail in error.errors():
            found = issue(detail)
            stale = isinstance(detail.get("ctx", {}).get("error"), _Stale)
            sheet.problems.setdefault(WHOLE if stale or not found.path else found.path, _told(detail, found.message))
    return sheet


def _told(detail: Any, message: str) -> str:
    if detail["type"] == "string_too_long":
        return gettext("At most %(most)s characters") % {"most": detail["ctx"]["max_length"]}
    return gettext(message)


def typed(request: HttpRequest, model: type[BaseModel]) -> dict[str, str]:
    return {
        name: request.POST.get(name, "")[:LONGEST].replace("\r\n", "\n").replace("\r", "\n").strip()
        for name in model.model_fields
    }


def once_of(request: HttpRequest, model: type[BaseModel]) -> str:
    """The same for a form that was sent twice, by a second click or by going back: 32 letters."""
    told = "\0".join((request.POST.get(STAMP, ""), *typed(request, model).values()))
    return hashlib.blake2b(told.encode("utf-8", "replace"), digest_size=16).hexdigest()


def show(
    request: HttpRequest,
    form: Form[M],
    context: Mapping[str, object],
    sheet: Sheet[M],
    *,
    status: int = 200,
    **more: object,
) -> HttpResponse:
    """The form's page, kept nowhere. `more` is for the template: `sent` once it was, `closed` where it takes none."""
    given = {"sheet": sheet, "hidden_fields": hidden_fields(form.name), **more}
    if taken := given.keys() & context.keys():
        raise ValueError(f"The form's own names in its template: {', '.join(taken)}")
    response = render(request, form.template, {**context, **given}, status=status)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def sent(request: HttpRequest) -> HttpResponse:
    """Thanks by a redirect, so that reloading does not send it again."""
    return HttpResponseRedirect(voice().along(f"{request.path}?sent"), status=303)
