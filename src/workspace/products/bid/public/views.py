"""What a client meets at `/p/TOKEN`: the proposal, and what they can do with it. `viewing`, `deciding` and `asking` say
what each of that means; here it is read, and answered with the same page as it stands then."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial, wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext

from workspace.analytics.visitor import client_address
from workspace.lib import clock
from workspace.products.bid.domain import client_questions, decisions, deposits
from workspace.products.bid.domain.decisions import Approval, Signer, Stale
from workspace.products.bid.models import Proposal, Status
from workspace.products.bid.public.context import changed_since, context_of, is_owner
from workspace.products.bid.public.forms import APPROVE, ASK, DECLINE, Approving, drawing
from workspace.products.bid.rules.offer import Selection
from workspace.products.bid.rules.selection import selection_of
from workspace.public_site import guest_checkout, guest_form, guest_page
from workspace.public_site.guest_form import HOUR, WHOLE, Declined, Form, Sheet
from workspace.public_site.guest_page import acting
from workspace.public_site.page_cache import Drawn
from workspace.public_site.spam_protection import Verdict, allow, allow_with_work, judge, same_origin
from workspace.publishing.locale import voice
from workspace.publishing.models import Address

View = Callable[[HttpRequest, Address], HttpResponse]
CODES = 6
HOURLY = 120  # that one place may post to one proposal


def page(request: HttpRequest, address: Address) -> HttpResponse:
    """`/p/TOKEN`: the proposal; of a draft, that it is not published yet, but for its owner. A view is counted by the
    page itself, once it has been drawn (`seen`)."""
    bid = Proposal.at(address)
    if bid.status == Status.DRAFT and not guest_page.is_preview(request, address.publication):
        if request.method in ("GET", "HEAD") and is_owner(request, bid):
            return _again(request, bid, 200, is_preview=True)
        return guest_page.show(request, address, _unpublished, event=None, keep=False)
    # in the phone of the owner's pages nothing is sent and no script runs
    is_shown = guest_page.is_preview(request, address.publication)
    return guest_page.show(request, address, partial(_draw, is_shown=is_shown), event=None)


def _draw(address: Address, *, is_shown: bool = False) -> Drawn:
    bid = Proposal.at(address)
    context = context_of(bid, is_preview=bid.status == Status.DRAFT, is_shown=is_shown)
    return Drawn(render_to_string("bid/page.html", context), _fresh_until(bid, context["decided"]))


def _fresh_until(bid: Proposal, decided: Mapping[str, Any]) -> datetime | None:
    """It says that it is over once it is, has the sealed copy as soon as there is one, and tells of a deposit what its
    provider does."""
    if bid.is_open and not bid.is_expired:
        return bid.ends_at
    is_moving = not decided.get("is_sealed") or decided.get("deposit_moves")
    return clock.now() if bid.status == Status.APPROVED and is_moving else None


def _unpublished(address: Address) -> Drawn:
    return Drawn(render_to_string("bid/unpublished.html", {"business": Proposal.at(address).account.name}))


def posted(view: View) -> View:
    """For what a client sends, not without end: of a draft nobody sees anything, and who only looks sees the page."""

    @wraps(view)
    def taken(request: HttpRequest, address: Address) -> HttpResponse:
        if request.method in ("GET", "HEAD"):
            return page(request, address)
        if request.method != "POST":
            return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
        bid = Proposal.at(address)
        if bid.status == Status.DRAFT:
            return _back(address)
        if not allow(request, f"bid:{bid.pk}", limit=HOURLY, window=HOUR):
            return _too_often(request, bid)
        return view(request, address)

    return taken


def _too_often(request: HttpRequest, bid: Proposal) -> HttpResponse:
    """Whatever is posted may draw the whole page, which is what a stranger's tries cost."""
    context = {
        "sign": "…",
        "eyebrow": bid.account.name,
        "heading": gettext("Please wait a little"),
        "text": gettext("You have sent this several times just now. Please come back in an hour."),
        "url": voice().along(f"/p/{bid.slug}"),
        "action": gettext("See the proposal"),
    }
    return kept_nowhere(render(request, "public/message.html", context, status=429))


@posted
def sums(request: HttpRequest, address: Address) -> HttpResponse:
    """The page once more with what is chosen, for browsers without script."""
    bid = Proposal.at(address)
    return _again(request, bid, 200, selection=_chosen(request, bid), **_kept(request))


@posted
def approve(request: HttpRequest, address: Address) -> HttpResponse:
    bid = Proposal.at(address)
    sheet, status = _judged(request, bid, APPROVE)
    if sheet is None:
        return _back(address)
    kept = _kept(request)
    try:
        strokes = drawing(kept["drawn"])
    except ValueError as problem:
        sheet.problems.setdefault("drawing", str(problem))
        kept["drawn"], status = "", status or 400
    selection = _chosen(request, bid)
    if sheet.said is None or sheet.problems:
        return _again(request, bid, status or 400, approving=sheet, selection=selection, **kept)
    said: Approving = sheet.said
    try:
        verified = _is_confirmed(bid, address, said)
        signer = _signer(request, said, verified)
        with acting(address.publication_id):
            decisions.approve(bid, Approval(said.hash, selection, said.total, said.words, signer, strokes))
    except Declined as declined:
        return _declined(request, address, declined, "approving", sheet, said.hash, selection=selection, **kept)
    return _back(address)


@posted
def decline(request: HttpRequest, address: Address) -> HttpResponse:
    bid = Proposal.at(address)
    sheet, status = _judged(request, bid, DECLINE)
    if sheet is None:
        return _back(address)
    if sheet.said is None or sheet.problems:
        return _again(request, bid, status or 400, declining=sheet)
    said = sheet.said
    try:
        with acting(address.publication_id):
            decisions.decline(bid, said.hash, said.reason, said.why, _signer(request, None, False))
    except Declined as declined:
        return _declined(request, address, declined, "declining", sheet, said.hash)
    return _back(address)


@posted
def ask(request: HttpRequest, address: Address) -> HttpResponse:
    bid = Proposal.at(address)
    sheet, status = _judged(request, bid, ASK)
    if sheet is None:
        return _back(address)
    if sheet.said is None or sheet.problems:
        return _again(request, bid, status or 400, asking=sheet)
    said, once = sheet.said, guest_form.once_of(request, ASK.model)
    with acting(address.publication_id):
        client_questions.ask(bid, once, name=said.asker, email=said.reply_to, text=said.question)
    return _back(address, "questions")


@posted
def send_code(request: HttpRequest, address: Address) -> HttpResponse:
    """Send a one-time code to the address that was typed."""
    bid = Proposal.at(address)
    sheet = guest_form.read(request, Approving)
    sheet.problems = {name: words for name, words in sheet.problems.items() if name == "email"}
    kept, told = _kept(request), ""
    status = 400 if sheet.problems else 200
    if not same_origin(request) or not bid.is_open:
        return _back(address)
    if not sheet.problems and not allow(request, f"bid-code:{bid.pk}", limit=CODES, window=HOUR):
        sheet.problems["code"] = gettext("Several codes were sent just now. Please look for them, or wait an hour")
        status = 429
    if not sheet.problems:
        told = sheet.typed["email"]
        try:
            with acting(address.publication_id):
                client_questions.send_code(bid, told, voice().language)
        except Declined as declined:
            sheet.problems["code"], status, told = declined.message, declined.status, ""
    return _again(request, bid, status, approving=sheet, selection=_chosen(request, bid), code_sent=told, **kept)


@posted
def pay(request: HttpRequest, address: Address) -> HttpResponse:
    """On to where the deposit is paid, at the owner's provider."""
    bid = Proposal.at(address)
    if not same_origin(request):
        return _back(address)
    back = voice().along(f"/p/{address.slug}")  # without a fragment: one is not loaded anew
    try:
        with acting(address.publication_id):
            payment = deposits.begin(bid, voice().language, back)
        url = guest_checkout.lead(payment)
    except Declined as declined:
        return _again(request, bid, declined.status, unpaid=declined.message)
    return kept_nowhere(HttpResponseRedirect(url, status=303))


def _judged(request: HttpRequest, bid: Proposal, form: Form[Any]) -> tuple[Sheet[Any] | None, int]:
    """What was typed, with what is wrong with it, and the status of that; None for a machine, which is thanked."""
    verdict = judge(request, form.name, least=form.least)
    if verdict is Verdict.TRAPPED:
        return None, 0
    sheet = guest_form.read(request, form.model)
    if verdict is not Verdict.FINE:
        sheet.problems[WHOLE] = verdict.advice
    if sheet.said is None or sheet.problems:
        return sheet, 400
    if not allow_with_work(request, f"{form.name}:{bid.pk}", form.name, limit=form.hourly, window=HOUR):
        sheet.problems[WHOLE] = gettext("You have sent this several times just now. Please come back in an hour.")
        return sheet, 429
    return sheet, 0


def _is_confirmed(bid: Proposal, address: Address, said: Approving) -> bool:
    """Whether the address was shown to be theirs; a wrong code stays noted."""
    if not said.code:
        return False
    with acting(address.publication_id):
        word = client_questions.check_code(bid, said.email, said.code)
    if not word:
        raise _WrongCode(gettext("This code is not right. Please look again, or leave it empty"))
    return True


class _WrongCode(Declined):
    pass


def _declined(
    request: HttpRequest, address: Address, why: Declined, name: str, sheet: Sheet[Any], hash: str, **more: Any
) -> HttpResponse:
    """The page as it is now, with why nothing was done."""
    sheet.problems["code" if isinstance(why, _WrongCode) else WHOLE] = why.message
    bid = Proposal.at(address)
    if isinstance(why, Stale) and why.why == "revised":
        more["changes"] = changed_since(bid, hash)
        sheet.typed.pop("agreed", None)  # what they had agreed to was another
    return _again(request, bid, why.status, **{name: sheet}, **more)


def _chosen(request: HttpRequest, bid: Proposal) -> Selection:
    """What is chosen on the page; what is not on offer any more is left out."""
    offer = bid.offer
    package = request.POST.get("package", "")[:40]
    options = [id for id in request.POST.getlist("option")[:500] if id in offer.options]
    return selection_of(offer, package if offer.package(package) else None, options)


def _kept(request: HttpRequest) -> dict[str, Any]:
    """What a page that is drawn again keeps beside the fields."""
    return {"drawn": request.POST.get("drawn", "")[:130_000]}


def _signer(request: HttpRequest, said: Approving | None, verified: bool) -> Signer:
    return Signer(
        name=said.name if said else "",
        email=said.email if said else "",
        verified=verified,
        ip=client_address(request),
        user_agent=request.headers.get("User-Agent", "")[:300],
        language=voice().language,
        time_zone=said.zone if said else "",
        seconds=said.seconds if said else 0,
    )


def _again(request: HttpRequest, bid: Proposal, status: int, **more: Any) -> HttpResponse:
    return kept_nowhere(render(request, "bid/page.html", context_of(bid, **more), status=status))


def kept_nowhere(response: HttpResponse) -> HttpResponse:
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _back(address: Address, part: str = "") -> HttpResponse:
    url = voice().along(f"/p/{address.slug}")
    return HttpResponseRedirect(f"{url}#{part}" if part else url, status=303)
