"""Guest pages at `/w/SLUG`: the text with the form to sign it, on one page that works without scripts."""

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

from workspace.brand.models import Brand
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError
from workspace.products.waiver import messages
from workspace.products.waiver.domain import signings
from workspace.products.waiver.domain.returning_signers import build_token, find_signing, list_changes, prefill_form
from workspace.products.waiver.domain.signings import CONSENT, SigningContext
from workspace.products.waiver.models import Signing, Waiver
from workspace.products.waiver.public import form_data
from workspace.products.waiver.public.form_data import errors_by_field, parse_form
from workspace.products.waiver.rules.validity import compute_last_day
from workspace.public_site import guest_page
from workspace.public_site.current_embed import build_part_url, current_frame
from workspace.public_site.guest_page import GuestActionDeclinedError, guest_transaction
from workspace.public_site.page_cache import RenderedPage
from workspace.public_site.share_preview import SharePreview, build_metadata
from workspace.public_site.spam_protection import (
    STAMP_FIELD,
    SpamVerdict,
    check_submission,
    consume_with_work,
    render_hidden_fields,
)
from workspace.publishing.language import format_day
from workspace.publishing.locale import current_locale
from workspace.publishing.markdown import render_html
from workspace.publishing.models import Address
from workspace.storage.client_address import client_address

FORM_NAME = "waiver-sign"


def page(request: HttpRequest, address: Address) -> HttpResponse:
    return guest_page.render_page(request, address, _render_page)


def _render_page(address: Address) -> RenderedPage:
    waiver = Waiver.from_address(address)
    context = {**build_context(waiver), "share": build_metadata(address, share_preview(waiver))}
    return RenderedPage(render_to_string("waiver/page.html", context))


def share_preview_at(address: Address) -> SharePreview:
    return share_preview(Waiver.from_address(address))


def share_preview(waiver: Waiver) -> SharePreview:
    """Return the share preview of a waiver."""
    return SharePreview.from_brand(
        waiver.account, waiver.title, gettext("Read and sign"), style=Brand.for_account(waiver.account).style
    )


@dataclass(frozen=True, slots=True)
class SigningPlace:
    """The place of a signing: the guest page, or the owner's kiosk.

    `form_url` is the URL of the form, and `done_url` the next page after signing. `can_sign` checks the rate limit.
    """

    form_url: str
    done_url: str
    can_sign: Callable[[HttpRequest, Waiver], bool]
    template: str = "waiver/sign.html"
    is_kiosk: bool = False


def sign_page(request: HttpRequest, address: Address) -> HttpResponse:
    """Show and handle the form at `/w/SLUG/sign`. On the owner's website, it is displayed in a frame."""
    path = f"/w/{address.slug}"
    if current_frame() is not None:
        return handle_signing(
            request, address, SigningPlace(build_part_url(path), build_part_url(path, signed="1"), _can_sign)
        )
    return handle_signing(
        request,
        address,
        SigningPlace(
            current_locale().localize_url(f"{path}/sign"),
            current_locale().localize_url(f"{path}/sign?signed"),
            _can_sign,
        ),
    )


def _find_earlier_signing(request: HttpRequest, waiver: Waiver, place: SigningPlace) -> Signing | None:
    text = request.POST.get("again", "") or request.GET.get("again", "")
    return None if place.is_kiosk else find_signing(waiver, text)


def _can_sign(request: HttpRequest, waiver: Waiver) -> bool:
    return consume_with_work("waiver-sign", request, FORM_NAME, item=waiver.pk).is_granted


def handle_signing(request: HttpRequest, address: Address, place: SigningPlace) -> HttpResponse:
    """Show and handle the form, which has a button that adds fields for another child."""
    waiver = Waiver.from_address(address)
    if request.method in ("GET", "HEAD"):
        before = _find_earlier_signing(request, waiver, place)
        terms = signings.load_terms(waiver)
        data = (
            prefill_form(before, terms, clock.today(waiver.account.time_zone), request.GET.get("only", ""))
            if before
            else form_data.filter_prefill(request.GET)
        )
        return _render_form(request, waiver, place, data, done="signed" in request.GET)
    if request.method != "POST":
        return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
    if "add" in request.POST:
        data = request.POST.copy()
        data["children"] = str(form_data.count_children(data, signings.load_terms(waiver)) + 1)
        return _render_form(request, waiver, place, data, added=True)
    return _handle_submission(request, address, waiver, place)


def _handle_submission(request: HttpRequest, address: Address, waiver: Waiver, place: SigningPlace) -> HttpResponse:
    verdict = check_submission(request, FORM_NAME)
    if verdict is SpamVerdict.TRAPPED:
        return _redirect_done(place)
    if verdict is not SpamVerdict.FINE:
        return _render_form(request, waiver, place, request.POST, message=verdict.advice, status=400)
    try:
        post = signings.parse_submission(waiver, parse_form(request, signings.load_terms(waiver)))
    except InvalidInputError as refusal:
        problems, others = errors_by_field(refusal.issues)
        text = " ".join(others) or str(messages.CHECK_FIELDS)
        return _render_form(request, waiver, place, request.POST, problems=problems, message=text, status=400)
    if not place.can_sign(request, waiver):
        text = str(messages.TOO_MANY_SIGNINGS)
        return _render_form(request, waiver, place, request.POST, message=text, status=429)
    session = SigningContext(
        ip=client_address(request),
        user_agent=request.headers.get("User-Agent", "")[:300],
        language=current_locale().language,
        kiosk=place.is_kiosk,
        consent=gettext(CONSENT),
    )
    try:
        new = signings.prepare_signing(waiver, post, session)
        with guest_transaction(address.publication_id):
            signings.save_signing(new)
    except GuestActionDeclinedError as declined:
        fresh = Waiver.from_address(address)
        return _render_form(request, fresh, place, request.POST, message=declined.message, status=declined.status)
    return _redirect_done(place)


def _redirect_done(place: SigningPlace) -> HttpResponse:
    return HttpResponseRedirect(place.done_url, status=303)


def _render_form(
    request: HttpRequest,
    waiver: Waiver,
    place: SigningPlace,
    data: QueryDict,
    *,
    status: int = 200,
    done: bool = False,
    **more: Any,
) -> HttpResponse:
    context = {**build_context(waiver, data, kiosk=place.is_kiosk, **more), "home": place.form_url, "done": done}
    if done:
        last = compute_last_day(waiver.valid_for, clock.today(waiver.account.time_zone))
        context["until"] = format_day(last, current_locale().language) if last else ""
    if before := None if done else _find_earlier_signing(request, waiver, place):
        context |= {"before": before, "again": build_token(before), "changes": list_changes(before)}
        context["before_on"] = format_day(
            before.signed_at.astimezone(waiver.account.zone).date(), current_locale().language
        )
    return private_response(render(request, place.template, context, status=status))


def private_response(response: HttpResponse) -> HttpResponse:
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def build_context(
    waiver: Waiver,
    data: QueryDict | None = None,
    *,
    problems: dict[str, str] | None = None,
    message: str = "",
    added: bool = False,
    kiosk: bool = False,
) -> dict[str, Any]:
    """Build the template's context.

    `kiosk` means that the device is shared. The page then offers no suggestions from earlier input and no links to
    other sites.
    """
    fields, wrong, terms = data if data is not None else QueryDict(""), problems or {}, signings.load_terms(waiver)
    count = form_data.count_children(fields, terms)
    signer = form_data.signer_fields(fields, terms, wrong)
    clauses = [
        {
            "title": clause["title"],
            "html": render_html(clause["text"], links=not kiosk),
            "initials": form_data.initials_field(clause, fields, wrong) if clause["initials"] else None,
        }
        for clause in waiver.clauses
    ]
    children = [
        form_data.child_fields(n, fields, terms, wrong, has_focus=added and n == count - 1) for n in range(count)
    ]
    questions = form_data.question_fields(terms, fields, wrong)
    initials = [clause["initials"] for clause in clauses if clause["initials"]]
    last = [
        form_data.FormField("typed", gettext("Signature"), problem=wrong.get("typed", "")),
        form_data.FormField("consent", gettext("Sign"), problem=wrong.get("consent", "")),
    ]
    return {
        "summary": form_data.error_summary([*initials, *signer, *chain(*children), *questions, *last]),
        "waiver": waiver,
        "slug": waiver.slug,
        "business": waiver.account.name,
        "html": render_html(waiver.text, links=not kiosk),
        "clauses": clauses,
        "open": waiver.accepting and waiver.archived_at is None,
        "signer": [field.for_shared_device for field in signer] if kiosk else signer,
        "children": children,
        "count": count,
        "may_add": terms.minors != "refused" and count < terms.max_minors,
        "asks_part": bool(count) and terms.guardian == "ask",
        "part": fields.get("part") == "yes",
        "questions": questions,
        "consent": gettext(CONSENT),
        "consented": fields.get("consent") == "yes",
        "consent_problem": wrong.get("consent", ""),
        "marketed": fields.get("marketing") == "yes",
        "typed": fields.get("typed", "")[:120],
        "typed_problem": wrong.get("typed", ""),
        "ways": waiver.signature,
        "drawn": fields.get("drawn", "")[: form_data.MAX_DRAWING_LENGTH] if waiver.signature != "typed" else "",
        "token": fields.get("token", "")[:64] or secrets.token_urlsafe(24),
        "message": message,
        "hidden_fields": render_hidden_fields(FORM_NAME, since=fields.get(STAMP_FIELD, "")),
    }
