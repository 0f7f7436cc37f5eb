"""What a guest meets at `/w/SLUG`: the text, and below it the form to sign it, on one page that needs no script."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext

from workspace.analytics.visitor import client_address
from workspace.brand.models import Brand
from workspace.lib import clock
from workspace.lib.errors import InvalidInput
from workspace.products.waiver.domain import signings
from workspace.products.waiver.domain.returning_signers import changed_since, filled_in, signed_before, token
from workspace.products.waiver.domain.signings import CONSENT, Session
from workspace.products.waiver.models import Signing, Waiver
from workspace.products.waiver.public import form_data
from workspace.products.waiver.public.form_data import given_of, problems_of
from workspace.products.waiver.rules.validity import last_day
from workspace.public_site import guest_page
from workspace.public_site.active_frame import frame, within
from workspace.public_site.guest_form import HOUR, Declined
from workspace.public_site.guest_page import acting
from workspace.public_site.page_cache import Drawn
from workspace.public_site.share_preview import Face, sharing
from workspace.public_site.spam_protection import STAMP, Verdict, allow_with_work, hidden_fields, judge
from workspace.publishing.language import day
from workspace.publishing.locale import voice
from workspace.publishing.markdown import html
from workspace.publishing.models import Address

FORM = "waiver-sign"
HOURLY = 60  # signings of one place within an hour: a school's bus comes at once


def page(request: HttpRequest, address: Address) -> HttpResponse:
    return guest_page.show(request, address, _draw)


def _draw(address: Address) -> Drawn:
    waiver = Waiver.at(address)
    context = {**context_of(waiver), "share": sharing(address, face_of(waiver))}
    return Drawn(render_to_string("waiver/page.html", context))


def face_at(address: Address) -> Face:
    return face_of(Waiver.at(address))


def face_of(waiver: Waiver) -> Face:
    """What is seen of it where its address is sent."""
    return Face.of(waiver.account, waiver.title, gettext("Read and sign"), look=Brand.of(waiver.account).look)


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody signs: the guests' page, or the owner's kiosk. `home` is the form's address, `done` where who has
    signed is sent; `may` says whether one more may sign from here."""

    home: str
    done: str
    may: Callable[[HttpRequest, Waiver], bool]
    template: str = "waiver/sign.html"
    kiosk: bool = False


def sign(request: HttpRequest, address: Address) -> HttpResponse:
    """`/w/SLUG/sign`: the form, and what it makes of a post; on the owner's website it stands in a frame."""
    path = f"/w/{address.slug}"
    if frame() is not None:
        return signed_at(request, address, Place(within(path), within(path, signed="1"), _may))
    return signed_at(request, address, Place(voice().along(f"{path}/sign"), voice().along(f"{path}/sign?signed"), _may))


def _before(request: HttpRequest, waiver: Waiver, place: Place) -> Signing | None:
    given = request.POST.get("again", "") or request.GET.get("again", "")
    return None if place.kiosk else signed_before(waiver, given)


def _may(request: HttpRequest, waiver: Waiver) -> bool:
    return allow_with_work(request, f"{FORM}:{waiver.pk}", FORM, limit=HOURLY, window=HOUR)


def signed_at(request: HttpRequest, address: Address, place: Place) -> HttpResponse:
    """The form, and what it makes of a post. A button adds a place for one more child."""
    waiver = Waiver.at(address)
    if request.method in ("GET", "HEAD"):
        before = _before(request, waiver, place)
        terms = signings.terms_of(waiver)
        data = (
            filled_in(before, terms, clock.today(waiver.account.time_zone), request.GET.get("only", ""))
            if before
            else form_data.brought(request.GET)
        )
        return _shown(request, waiver, place, data, done="signed" in request.GET)
    if request.method != "POST":
        return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
    if "add" in request.POST:
        data = request.POST.copy()
        data["children"] = str(form_data.children_of(data, signings.terms_of(waiver)) + 1)
        return _shown(request, waiver, place, data, added=True)
    return _taken(request, address, waiver, place)


def _taken(request: HttpRequest, address: Address, waiver: Waiver, place: Place) -> HttpResponse:
    verdict = judge(request, FORM)
    if verdict is Verdict.TRAPPED:
        return _thanks(place)
    if verdict is not Verdict.FINE:
        return _shown(request, waiver, place, request.POST, told=verdict.advice, status=400)
    try:
        post = signings.read(waiver, given_of(request, signings.terms_of(waiver)))
    except InvalidInput as refusal:
        problems, others = problems_of(refusal.issues)
        told = ". ".join(others) or gettext("Please look at the fields below.")
        return _shown(request, waiver, place, request.POST, problems=problems, told=told, status=400)
    if not place.may(request, waiver):
        told = gettext("Many have signed from here just now. Please come back in an hour, or ask at the desk.")
        return _shown(request, waiver, place, request.POST, told=told, status=429)
    session = Session(
        ip=client_address(request),
        user_agent=request.headers.get("User-Agent", "")[:300],
        language=voice().language,
        kiosk=place.kiosk,
        consent=gettext(CONSENT),
    )
    try:
        with acting(address.publication_id):
            signings.sign(waiver, post, session)
    except Declined as declined:
        fresh = Waiver.at(address)
        return _shown(request, fresh, place, request.POST, told=declined.message, status=declined.status)
    return _thanks(place)


def _thanks(place: Place) -> HttpResponse:
    return HttpResponseRedirect(place.done, status=303)


def _shown(
    request: HttpRequest,
    waiver: Waiver,
    place: Place,
    data: QueryDict,
    *,
    status: int = 200,
    done: bool = False,
    **more: Any,
) -> HttpResponse:
    context = {**context_of(waiver, data, kiosk=place.kiosk, **more), "home": place.home, "done": done}
    if done:
        last = last_day(waiver.valid_for, clock.today(waiver.account.time_zone))
        context["until"] = day(last, voice().language) if last else ""
    if before := None if done else _before(request, waiver, place):
        context |= {"before": before, "again": token(before), "changes": changed_since(before)}
        context["before_on"] = day(before.at.astimezone(waiver.account.zone).date(), voice().language)
    return kept_nowhere(render(request, place.template, context, status=status))


def kept_nowhere(response: HttpResponse) -> HttpResponse:
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def context_of(
    waiver: Waiver,
    data: QueryDict | None = None,
    *,
    problems: dict[str, str] | None = None,
    told: str = "",
    added: bool = False,
    kiosk: bool = False,
) -> dict[str, Any]:
    """`kiosk`: on a device of many, where nothing is offered from what was typed before, and no link leads away."""
    typed, wrong, terms = data if data is not None else QueryDict(""), problems or {}, signings.terms_of(waiver)
    count = form_data.children_of(typed, terms)
    signer = form_data.about_signer(typed, terms, wrong)
    clauses = [
        {
            "title": clause["title"],
            "html": html(clause["text"], links=not kiosk),
            "initials": form_data.initials_of(clause, typed, wrong) if clause["initials"] else None,
        }
        for clause in waiver.clauses
    ]
    children = [form_data.about_child(n, typed, terms, wrong, here=added and n == count - 1) for n in range(count)]
    questions = form_data.questions_of(terms, typed, wrong)
    initials = [clause["initials"] for clause in clauses if clause["initials"]]
    last = [
        form_data.Field("typed", gettext("Signature"), problem=wrong.get("typed", "")),
        form_data.Field("consent", gettext("Sign"), problem=wrong.get("consent", "")),
    ]
    return {
        "summary": form_data.summary_of([*initials, *signer, *chain(*children), *questions, *last]),
        "waiver": waiver,
        "slug": waiver.slug,
        "business": waiver.account.name,
        "html": html(waiver.text, links=not kiosk),
        "clauses": clauses,
        "open": waiver.accepting and waiver.archived_at is None,
        "signer": [one.of_many for one in signer] if kiosk else signer,
        "children": children,
        "count": count,
        "may_add": terms.minors != "refused" and count < terms.most,
        "asks_part": bool(count) and terms.guardian == "ask",
        "part": typed.get("part") == "yes",
        "questions": questions,
        "consent": gettext(CONSENT),
        "consented": typed.get("consent") == "yes",
        "consent_problem": wrong.get("consent", ""),
        "marketed": typed.get("marketing") == "yes",
        "typed": typed.get("typed", "")[:120],
        "typed_problem": wrong.get("typed", ""),
        "ways": waiver.signature,
        "drawn": typed.get("drawn", "")[: form_data.LONGEST_DRAWING] if waiver.signature != "typed" else "",
        "token": typed.get("token", "")[:64] or secrets.token_urlsafe(24),
        "told": told,
        "hidden_fields": hidden_fields(FORM, since=typed.get(STAMP, "")),
    }
