"""The form for guests to leave their details: `/c/SLUG/exchange`. It depends on the card's flag and the plan."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from pydantic import BaseModel, ValidationInfo, field_validator

from workspace.delivery import notifications
from workspace.delivery.notifications import NotificationKind
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.card import messages
from workspace.products.card.api.arguments import Email, Phone
from workspace.products.card.models import Card
from workspace.products.card.public.views import build_context
from workspace.public_site import guest_form
from workspace.public_site.guest_form import (
    FormState,
    GuestForm,
    SeenWords,
    require_checkbox,
    require_text,
    sign_words,
    submission_key,
)
from workspace.publishing.models import Address
from workspace.tools.argument_types import Line, Lines


class LeadInput(BaseModel):
    """The lead form. `words` is the consent text as shown to the guest."""

    name: Annotated[str, Line(120), require_text(_("Enter your name"))]
    phone: Phone = ""
    email: Email = ""
    note: Annotated[str, Lines(1000)] = ""
    agreed: Annotated[bool, require_checkbox(_("Check the box to agree"))]
    words: SeenWords

    @field_validator("email")
    @classmethod
    def _require_contact(cls, email: str, info: ValidationInfo) -> str:
        if not email and info.data.get("phone") == "":
            raise ValueError(messages.CONTACT_NEEDED)
        return email


LEAD_NOTIFICATION = NotificationKind(
    "card.lead",
    owner_gettext_lazy("Leads"),
    owner_gettext_lazy("A guest leaves their details on a card"),
    "/app/card",
)
LEAD_FORM = GuestForm("card-lead", LeadInput, "card/exchange.html")


def lead_form(request: HttpRequest, address: Address) -> HttpResponse:
    card = Card.from_address(address)
    context = {
        **build_context(address, card),
        "consent": card.consent,
        "consent_is_ours": not card.consent_text,
        "words": sign_words(card.consent),
    }
    if not card.is_lead_form_shown:
        return guest_form.render_form(request, LEAD_FORM, context, FormState(LeadInput), closed=True, status=404)
    return guest_form.handle_form(
        request,
        address,
        LEAD_FORM,
        context,
        partial(submit_lead, card, submission_key(request, LeadInput)),
        limited_item=card.pk,
    )


def submit_lead(card: Card, submission_key: str, data: LeadInput) -> None:
    """Save a lead and notify the owner. A repeated submission of the same form has no effect."""
    lead = card.save_lead(
        submission_key, name=data.name, email=data.email, phone=data.phone, note=data.note, consent=data.words
    )
    if lead is not None:
        context = {"card": card, "lead": lead, "leads_url": f"{settings.BASE_URL}/app/card/{card.pk}/leads"}
        notifications.notify_owner(
            card.account, LEAD_NOTIFICATION, "owner/card_lead", context, reply_to=lead.email or None
        )
