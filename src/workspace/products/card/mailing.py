"""A card by e-mail, to a guest who asked for it."""

from __future__ import annotations

import hashlib
import logging
from enum import Enum

from workspace.delivery import mail
from workspace.products.card.models import Card
from workspace.storage.database import writing
from workspace.toolkit import clock

logger = logging.getLogger(__name__)

FORM = "card-mail"
HOURLY = 5  # copies that one guest may ask for, of whatever cards
LEAST = 1.0  # seconds: an address that the browser fills in is quickly sent


class Mailed(Enum):
    YES = "yes"
    ENOUGH_TODAY = "enough today"
    NO_ADDRESS = "no address"


def mail_card(card: Card, to: str) -> Mailed:
    """Write the mail; to one address a card goes once a day, whoever asks, so that nobody can pester a third person."""
    day = clock.now().date().isoformat()
    who = hashlib.sha256(to.lower().encode()).hexdigest()[:32]
    try:
        with writing():
            if not card.may_mail():
                return Mailed.ENOUGH_TODAY
            mail.send(
                "card_copy",
                to,
                {"card": card},
                account=card.account,
                dedupe=f"card-copy:{card.pk}:{who}:{day}",
                reply_to=card.email or None,
            )
    except ValueError:
        logger.info("A card could not be mailed: the address cannot stand in an envelope")
        return Mailed.NO_ADDRESS
    return Mailed.YES
