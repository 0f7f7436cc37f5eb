"""The form for guests to email a card to themselves: `/c/SLUG/mail`."""

from __future__ import annotations

import hashlib
import logging
from functools import partial
from typing import Annotated

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from pydantic import BaseModel

from workspace.delivery import mail
from workspace.lib import clock
from workspace.products.card import messages
from workspace.products.card.api.arguments import Email
from workspace.products.card.models import Card
from workspace.products.card.public.views import build_context
from workspace.public_site import guest_form
from workspace.public_site.guest_form import GuestForm, require_text
from workspace.public_site.guest_page import GuestActionDeclinedError
from workspace.publishing.locale import current_locale
from workspace.publishing.models import Address
from workspace.rate_limits.counter import consume
from workspace.storage.visitor_salt import get_salt

logger = logging.getLogger(__name__)


class EmailInput(BaseModel):
    email: Annotated[Email, require_text(_("Enter your email address"))]


# autofill makes the submission of an address quick
EMAIL_FORM = GuestForm("card-mail", EmailInput, "card/email_card.html", min_seconds=1.0)


def email_card_form(request: HttpRequest, address: Address) -> HttpResponse:
    card = Card.from_address(address)
    return guest_form.handle_form(
        request, address, EMAIL_FORM, build_context(address, card), partial(email_card_to_guest, card)
    )


def email_card_to_guest(card: Card, email: EmailInput) -> None:
    """Email the card to a guest.

    An address receives a card only once a day, regardless of who requests it. This prevents harassment.
    """
    if not consume("card-mail-daily", item=card.pk):
        raise GuestActionDeclinedError(messages.EMAILED_TOO_OFTEN, 429)
    today = clock.now().date()
    # hashed with the day's salt, which is then deleted, so that no one can find out the address afterwards
    who = hashlib.sha256(f"{get_salt(today)}:{email.email.lower()}".encode()).hexdigest()[:32]
    dedupe = f"card-copy:{card.pk}:{who}:{today.isoformat()}"
    try:
        mail.send(
            "card_copy",
            email.email,
            {
                "card": card,
                "url": current_locale().localize_url(card.public_url),
                "contact_url": f"{card.public_url}.vcf",
            },
            account=card.account,
            dedupe=dedupe,
            reply_to=card.email or None,
            language=current_locale().language,
        )
    except ValueError:
        logger.info("A card could not be mailed: the address cannot stand in an envelope")
        raise GuestActionDeclinedError(messages.EMAIL_REFUSED) from None
