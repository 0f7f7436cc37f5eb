"""The two forms of a card: guests leave their details, and have the card sent to them."""

from __future__ import annotations

from functools import partial

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from workspace.products.card import exchange as leaving
from workspace.products.card import mailing
from workspace.products.card.arguments import clean_email
from workspace.products.card.models import KIND, Card
from workspace.products.card.pages import card_at, context_of, takes_leads
from workspace.publishing import guest_page
from workspace.publishing.guests import Verdict, allow_with_work, hidden_fields, judge
from workspace.publishing.models import Address

HOUR = 3600


@csrf_exempt  # `judge` looks at where the form came from
@require_http_methods(["GET", "HEAD", "POST"])
def exchange(request: HttpRequest, slug: str) -> HttpResponse:
    """`/c/SLUG/exchange`: guests leave their details, where the owner wants it and the plan has it."""
    address = Address.find(KIND, slug)
    refusal = guest_page.refuse(request, KIND, address)
    if refusal is not None or address is None:
        return refusal or guest_page.told(request, KIND, "unknown")
    card = card_at(address)
    words = leaving.signed_words(card)
    show = partial(_show, request, "card/exchange.html", leaving.FORM, address, card, words=words)
    if not takes_leads(address, card):
        return show(closed=True, status=404)
    if request.method != "POST":
        return show(form=leaving.ExchangeForm(), sent="sent" in request.GET)
    verdict = judge(request, leaving.FORM)
    if verdict is Verdict.TRAPPED:
        return _sent(request)
    form = leaving.ExchangeForm.of(request)
    if verdict is not Verdict.FINE:
        form.problems["form"] = verdict.advice
    if form.problems:
        return show(form=form, status=400)
    if not allow_with_work(request, f"card-lead:{card.pk}", leaving.FORM, limit=leaving.HOURLY, window=HOUR):
        form.problems["form"] = "You have sent this several times just now. Please come back in an hour."
        return show(form=form, status=429)
    try:
        leaving.leave(card, form)
    except guest_page.Gone:
        return guest_page.gone(request, KIND, slug)
    return _sent(request)


@csrf_exempt  # `judge` looks at where the form came from
@require_http_methods(["GET", "HEAD", "POST"])
def mail_me(request: HttpRequest, slug: str) -> HttpResponse:
    """`/c/SLUG/mail`: the card by e-mail, to the guest."""
    address = Address.find(KIND, slug)
    refusal = guest_page.refuse(request, KIND, address)
    if refusal is not None or address is None:
        return refusal or guest_page.told(request, KIND, "unknown")
    card = card_at(address)
    show = partial(_show, request, "card/mail_me.html", mailing.FORM, address, card)
    if request.method != "POST":
        return show(sent="sent" in request.GET)
    verdict = judge(request, mailing.FORM, least=mailing.LEAST)
    if verdict is Verdict.TRAPPED:
        return _sent(request)
    email = request.POST.get("email", "").strip()[:300]
    problem, status = (verdict.advice, 400) if verdict is not Verdict.FINE else _mail(request, card, email)
    return show(email=email, problem=problem, status=status) if problem else _sent(request)


def _mail(request: HttpRequest, card: Card, email: str) -> tuple[str, int]:
    """Send the card; what to tell the guest when it cannot be, with the answer's status."""
    try:
        to = clean_email(email)
    except ValueError as error:
        return f"{error}. Please look at it again.", 400
    if not to:
        return "Please enter your e-mail address.", 400
    if not allow_with_work(request, "card-mail", mailing.FORM, limit=mailing.HOURLY, window=HOUR):
        return "Several cards are on their way already. Please come back in an hour.", 429
    match mailing.mail_card(card, to):
        case mailing.Mailed.NO_ADDRESS:
            return "No mail can be sent to this address.", 400
        case mailing.Mailed.ENOUGH_TODAY:
            return "This card was mailed very often today. Save the contact instead, or come back tomorrow.", 429
    return "", 200


def _show(
    request: HttpRequest,
    template: str,
    form_name: str,
    address: Address,
    card: Card,
    *,
    status: int = 200,
    **more: object,
) -> HttpResponse:
    context = {**context_of(address, card), "hidden_fields": hidden_fields(form_name), **more}
    response = render(request, template, context, status=status)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _sent(request: HttpRequest) -> HttpResponse:
    # a redirect, so that reloading does not send again
    return HttpResponseRedirect(f"{request.path}?sent", status=303)
