"""The client's page at `/p/TOKEN` and its actions.

The rules are in `read_receipts`, `decisions` and `client_questions`. The views parse the forms and respond with the
current page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial, wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext

from workspace.lib import clock
from workspace.products.bid.domain import client_questions, decisions, deposits
from workspace.products.bid.domain.decisions import Approval, ProposalChangedError, Signer
from workspace.products.bid.models import Proposal, Status
from workspace.products.bid.public.context import build_context, describe_changes_since, is_owner
from workspace.products.bid.public.forms import APPROVAL_FORM, DECLINE_FORM, QUESTION_FORM, ApprovalInput, parse_strokes
from workspace.products.bid.rules.offer import Selection
from workspace.products.bid.rules.selection import build_selection
from workspace.public_site import guest_checkout, guest_form, guest_page
from workspace.public_site.guest_form import WHOLE_FORM, FormState, GuestForm
from workspace.public_site.guest_page import GuestActionDeclinedError, guest_transaction
from workspace.public_site.page_cache import RenderedPage
from workspace.public_site.spam_protection import (
    SpamVerdict,
    check_submission,
    consume_with_work,
    is_same_origin,
)
from workspace.publishing.locale import current_locale
from workspace.publishing.models import Address
from workspace.rate_limits.counter import consume
from workspace.storage.client_address import client_address

View = Callable[[HttpRequest, Address], HttpResponse]


def page(request: HttpRequest, address: Address) -> HttpResponse:
    """Show the proposal at `/p/TOKEN`. Only its owner sees a draft; others read that it is not published yet.

    The page itself reports the view once it is displayed (`record_view`).
    """
    bid = Proposal.from_address(address)
    if bid.status == Status.DRAFT and not guest_page.is_preview(request, address.publication):
        if request.method in ("GET", "HEAD") and is_owner(request, bid):
            return _render_again(request, bid, 200, is_preview=True)
        return guest_page.render_page(request, address, _render_unpublished, event=None, use_cache=False)
    # the preview on the owner's pages submits nothing and runs no scripts
    is_shown = guest_page.is_preview(request, address.publication)
    draw = partial(_render_page, bid=bid, show_unpublished=is_shown)
    return guest_page.render_page(request, address, draw, event=None)


def _render_page(address: Address, *, bid: Proposal, show_unpublished: bool = False) -> RenderedPage:
    context = build_context(bid, is_preview=bid.status == Status.DRAFT, show_unpublished=show_unpublished)
    return RenderedPage(render_to_string("bid/page.html", context), _cache_expiry(bid, context["decided"]))


def _cache_expiry(bid: Proposal, decided: Mapping[str, Any]) -> datetime | None:
    """Return when the cached page becomes outdated, or None.

    An open proposal becomes outdated when it expires. An approved one changes when the signed copy is ready or the
    deposit's state changes.
    """
    if bid.is_open and not bid.is_expired:
        return bid.ends_at
    is_moving = not decided.get("is_sealed") or decided.get("deposit_moves")
    return clock.now() if bid.status == Status.APPROVED and is_moving else None


def _render_unpublished(address: Address) -> RenderedPage:
    return RenderedPage(
        render_to_string("bid/unpublished.html", {"business": Proposal.from_address(address).account.name})
    )


def post_only(view: View) -> View:
    """Accept POST requests up to a rate limit. For a GET, show the page. Reject all requests for a draft."""

    @wraps(view)
    def accept_post(request: HttpRequest, address: Address) -> HttpResponse:
        if request.method in ("GET", "HEAD"):
            return page(request, address)
        if request.method != "POST":
            return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
        bid = Proposal.from_address(address)
        if bid.status == Status.DRAFT:
            return _redirect_to_page(address)
        if not consume("bid-post", request, item=bid.pk):
            return _rate_limited_response(request, bid)
        return view(request, address)

    return accept_post


def _rate_limited_response(request: HttpRequest, bid: Proposal) -> HttpResponse:
    """Return a short message. A full page would make repeated requests by strangers expensive."""
    context = {
        "sign": "…",
        "eyebrow": bid.account.name,
        "heading": gettext("Too many attempts"),
        "text": gettext("You’ve sent this form several times. Try again in an hour."),
        "url": current_locale().localize_url(f"/p/{bid.slug}"),
        "action": gettext("View proposal"),
    }
    return as_private_response(render(request, "public/message.html", context, status=429))


@post_only
def recalculate(request: HttpRequest, address: Address) -> HttpResponse:
    """Show the page again with the totals of the selection, for browsers without scripts."""
    bid = Proposal.from_address(address)
    return _render_again(request, bid, 200, selection=_parse_selection(request, bid), **_typed_values_context(request))


@post_only
def approve(request: HttpRequest, address: Address) -> HttpResponse:
    """Save an approval. If the email address must be confirmed, check the one-time code first."""
    bid = Proposal.from_address(address)
    sheet, status = _validate_form(request, bid, APPROVAL_FORM)
    if sheet is None:
        return _redirect_to_page(address)
    stored = _typed_values_context(request)
    try:
        strokes = parse_strokes(stored["drawn_signature"])
    except ValueError as problem:
        sheet.problems.setdefault("drawing", str(problem))
        stored["drawn_signature"], status = "", status or 400
    selection = _parse_selection(request, bid)
    if sheet.data is None or sheet.problems:
        return _render_again(request, bid, status or 400, approving=sheet, selection=selection, **stored)
    approval: ApprovalInput = sheet.data
    try:
        verified = _verify_code(bid, address, approval)
        signer = _build_signer(request, approval, verified)
        given = Approval(approval.hash, selection, approval.total, approval.words, signer, strokes)
        prepared = decisions.prepare_approval(bid, given)
        with guest_transaction(address.publication_id):
            decisions.save_decision(prepared)
    except GuestActionDeclinedError as declined:
        return _render_rejected_action(
            request, address, declined, "approving", sheet, approval.hash, selection=selection, **stored
        )
    return _redirect_to_page(address)


@post_only
def decline(request: HttpRequest, address: Address) -> HttpResponse:
    bid = Proposal.from_address(address)
    sheet, status = _validate_form(request, bid, DECLINE_FORM)
    if sheet is None:
        return _redirect_to_page(address)
    if sheet.data is None or sheet.problems:
        return _render_again(request, bid, status or 400, declining=sheet)
    said = sheet.data
    try:
        signer = _build_signer(request, None, False)
        prepared = decisions.prepare_decline(bid, said.hash, said.reason, said.why, signer)
        with guest_transaction(address.publication_id):
            decisions.save_decision(prepared)
    except GuestActionDeclinedError as declined:
        return _render_rejected_action(request, address, declined, "declining", sheet, said.hash)
    return _redirect_to_page(address)


@post_only
def ask_question(request: HttpRequest, address: Address) -> HttpResponse:
    bid = Proposal.from_address(address)
    sheet, status = _validate_form(request, bid, QUESTION_FORM)
    if sheet is None:
        return _redirect_to_page(address)
    if sheet.data is None or sheet.problems:
        return _render_again(request, bid, status or 400, asking=sheet)
    text, once = sheet.data, guest_form.submission_key(request, QUESTION_FORM.model)
    with guest_transaction(address.publication_id):
        client_questions.save_question(bid, once, name=text.asker, email=text.reply_to, text=text.question)
    return _redirect_to_page(address, "questions")


@post_only
def send_code(request: HttpRequest, address: Address) -> HttpResponse:
    """Send a one-time code to the email address that the client typed."""
    bid = Proposal.from_address(address)
    sheet = guest_form.parse_form(request, ApprovalInput)
    sheet.problems = {name: words for name, words in sheet.problems.items() if name == "email"}
    stored, text = _typed_values_context(request), ""
    status = 400 if sheet.problems else 200
    if not is_same_origin(request) or not bid.is_open:
        return _redirect_to_page(address)
    if not sheet.problems and not consume("bid-code-request", request, item=bid.pk):
        sheet.problems["code"] = gettext(
            "We’ve already sent you several codes. Check your inbox, or try again in an hour."
        )
        status = 429
    if not sheet.problems:
        text = sheet.values["email"]
        try:
            with guest_transaction(address.publication_id):
                client_questions.send_code(bid, text, current_locale().language)
        except GuestActionDeclinedError as declined:
            sheet.problems["code"], status, text = declined.message, declined.status, ""
    return _render_again(
        request, bid, status, approving=sheet, selection=_parse_selection(request, bid), code_sent=text, **stored
    )


@post_only
def pay_deposit(request: HttpRequest, address: Address) -> HttpResponse:
    """Redirect to the payment page of the owner's provider."""
    bid = Proposal.from_address(address)
    if not is_same_origin(request):
        return _redirect_to_page(address)
    # without a fragment, because a URL with a fragment is not reloaded
    back = current_locale().localize_url(f"/p/{address.slug}")
    try:
        with guest_transaction(address.publication_id):
            payment = deposits.start_payment(bid, current_locale().language, back)
        url = guest_checkout.payment_url(payment)
    except GuestActionDeclinedError as declined:
        return _render_again(request, bid, declined.status, payment_problem=declined.message)
    return as_private_response(HttpResponseRedirect(url, status=303))


def _validate_form(request: HttpRequest, bid: Proposal, form: GuestForm[Any]) -> tuple[FormState[Any] | None, int]:
    """Validate the form. Return it with its errors, and the HTTP status.

    Return None for a bot, which gets a normal response.
    """
    verdict = check_submission(request, form.name, min_seconds=form.min_seconds)
    if verdict is SpamVerdict.TRAPPED:
        return None, 0
    sheet = guest_form.parse_form(request, form.model)
    if verdict is not SpamVerdict.FINE:
        sheet.problems[WHOLE_FORM] = verdict.advice
    if sheet.data is None or sheet.problems:
        return sheet, 400
    if not consume_with_work(form.name, request, form.name, item=bid.pk):
        sheet.problems[WHOLE_FORM] = gettext("You’ve sent this form several times. Try again in an hour.")
        return sheet, 429
    return sheet, 0


def _verify_code(bid: Proposal, address: Address, approval: ApprovalInput) -> bool:
    """Return whether a code confirmed the address. A wrong code remains recorded."""
    if not approval.code:
        return False
    with guest_transaction(address.publication_id):
        word = client_questions.check_code(bid, approval.email, approval.code)
    if not word:
        raise WrongCodeError(gettext("Wrong code. Check it, or leave the field empty."))
    return True


class WrongCodeError(GuestActionDeclinedError):
    """The one-time code is wrong."""


def _render_rejected_action(
    request: HttpRequest,
    address: Address,
    reason: GuestActionDeclinedError,
    name: str,
    form_state: FormState[Any],
    hash: str,
    **more: Any,
) -> HttpResponse:
    """Render the current page with the reason why the action was rejected."""
    form_state.problems["code" if isinstance(reason, WrongCodeError) else WHOLE_FORM] = reason.message
    bid = Proposal.from_address(address)
    if isinstance(reason, ProposalChangedError) and reason.cause == "revised":
        more["changes"] = describe_changes_since(bid, hash)
        form_state.values.pop("agreed", None)  # the former consent was for other content
    return _render_again(request, bid, reason.status, **{name: form_state}, **more)


def _parse_selection(request: HttpRequest, bid: Proposal) -> Selection:
    """Return the selection on the page, without items that are no longer offered."""
    offer = bid.offer
    package = request.POST.get("package", "")[:40]
    options = [id for id in request.POST.getlist("option")[:500] if id in offer.options]
    return build_selection(offer, package if offer.find_package(package) else None, options)


def _typed_values_context(request: HttpRequest) -> dict[str, Any]:
    """Return the values, besides the fields, that a page rendered again must contain."""
    return {"drawn_signature": request.POST.get("drawn", "")[:130_000]}


def _build_signer(request: HttpRequest, approval: ApprovalInput | None, verified: bool) -> Signer:
    return Signer(
        name=approval.name if approval else "",
        email=approval.email if approval else "",
        verified=verified,
        ip=client_address(request),
        user_agent=request.headers.get("User-Agent", "")[:300],
        language=current_locale().language,
        time_zone=approval.zone if approval else "",
        seconds=approval.seconds if approval else 0,
    )


def _render_again(request: HttpRequest, bid: Proposal, status: int, **more: Any) -> HttpResponse:
    return as_private_response(render(request, "bid/page.html", build_context(bid, **more), status=status))


def as_private_response(response: HttpResponse) -> HttpResponse:
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _redirect_to_page(address: Address, part: str = "") -> HttpResponse:
    url = current_locale().localize_url(f"/p/{address.slug}")
    return HttpResponseRedirect(f"{url}#{part}" if part else url, status=303)
