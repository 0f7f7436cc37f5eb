"""`/c/SLUG/exchange`: guests leave their own details, where the owner wants it and the plan has it."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from pydantic import BaseModel, ValidationInfo, field_validator

from workspace.delivery import notifications
from workspace.delivery.notifications import Kind
from workspace.products.card.api.arguments import Email, Phone
from workspace.products.card.models import Card
from workspace.products.card.public.views import context_of
from workspace.public_site import guest_form
from workspace.public_site.guest_form import Form, SeenWords, Sheet, needed, once_of, signed_words, ticked
from workspace.publishing.models import Address
from workspace.tools.argument_types import Line, Lines


class Details(BaseModel):
    """`words` is what the guest agreed to, as they saw it."""

    name: Annotated[str, Line(120), needed(_("Please tell your name"))]
    phone: Phone = ""
    email: Email = ""
    note: Annotated[str, Lines(1000)] = ""
    agreed: Annotated[bool, ticked(_("Please say whether you agree"))]
    words: SeenWords

    @field_validator("email")
    @classmethod
    def _one_of_two(cls, email: str, info: ValidationInfo) -> str:
        if not email and info.data.get("phone") == "":
            raise ValueError(gettext("An e-mail address or a phone number, please"))
        return email


LEADS = Kind("card.lead", "Contacts", "A guest left their details with one of your cards", "/app/card")
FORM = Form("card-lead", Details, "card/exchange.html", hourly=5)


def exchange(request: HttpRequest, address: Address) -> HttpResponse:
    card = Card.at(address)
    context = {
        **context_of(address, card),
        "consent": card.consent,
        "consent_is_ours": not card.consent_text,
        "words": signed_words(card.consent),
    }
    if not card.takes_leads:
        return guest_form.show(request, FORM, context, Sheet(Details), closed=True, status=404)
    return guest_form.answer(
        request, address, FORM, context, partial(leave, card, once_of(request, Details)), whose=card.pk
    )


def leave(card: Card, once: str, said: Details) -> None:
    """Keep what a guest left and tell the owner; nothing when this very form was kept before."""
    lead = card.take_lead(once, name=said.name, email=said.email, phone=said.phone, note=said.note, consent=said.words)
    if lead is not None:
        context = {"card": card, "lead": lead, "leads_url": f"{settings.BASE_URL}/app/card/{card.pk}/leads"}
        notifications.tell(card.account, LEADS, "card_lead", context, reply_to=lead.email or None)
