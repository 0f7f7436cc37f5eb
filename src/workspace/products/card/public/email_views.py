"""`/c/SLUG/mail`: a card by e-mail, to a guest who asks for it."""

from __future__ import annotations

import hashlib
import logging
from functools import partial
from typing import Annotated

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from pydantic import BaseModel

from workspace.analytics.visitor_salt import salt_of
from workspace.delivery import mail
from workspace.lib import clock
from workspace.products.card.api.arguments import Email
from workspace.products.card.models import Card
from workspace.products.card.public.views import context_of
from workspace.public_site import guest_form
from workspace.public_site.guest_form import Declined, Form, needed
from workspace.publishing.locale import voice
from workspace.publishing.models import Address

logger = logging.getLogger(__name__)


class To(BaseModel):
    email: Annotated[Email, needed(_("Please enter your e-mail address"))]


# an address that the browser fills in is quickly sent
FORM = Form("card-mail", To, "card/mail_me.html", hourly=5, least=1.0)


def mail_me(request: HttpRequest, address: Address) -> HttpResponse:
    card = Card.at(address)
    # the rate is the guest's, of whatever cards
    return guest_form.answer(request, address, FORM, context_of(address, card), partial(send, card), whose="")


def send(card: Card, said: To) -> None:
    """Write the mail; to one address a card goes once a day, whoever asks, so that nobody can pester a third person."""
    if not card.may_mail():
        told = gettext("This card was mailed very often today. Save the contact instead, or come back tomorrow.")
        raise Declined(told, 429)
    today = clock.now().date()
    # with the day's salt, which is thrown away: from then on nobody can tell whose address it was
    who = hashlib.sha256(f"{salt_of(today)}:{said.email.lower()}".encode()).hexdigest()[:32]
    dedupe = f"card-copy:{card.pk}:{who}:{today.isoformat()}"
    try:
        mail.send(
            "card_copy",
            said.email,
            {"card": card, "url": voice().along(card.public_url)},
            account=card.account,
            dedupe=dedupe,
            reply_to=card.email or None,
            language=voice().language,
        )
    except ValueError:
        logger.info("A card could not be mailed: the address cannot stand in an envelope")
        raise Declined(gettext("No mail can be sent to this address.")) from None
