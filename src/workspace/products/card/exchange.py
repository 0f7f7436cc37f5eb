"""Guests leave their details with a card: what they typed, what is wrong with it, and what becomes of it."""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass, field

from django.conf import settings
from django.core import signing
from django.http import HttpRequest

from workspace.delivery import mail
from workspace.products.card.arguments import clean_email, clean_phone
from workspace.products.card.models import Card, Lead
from workspace.publishing.guest_page import acting
from workspace.publishing.guests import STAMP
from workspace.toolkit.text import has_controls

logger = logging.getLogger(__name__)

FORM = "card-lead"
HOURLY = 5  # leads that one guest may leave with one card
LONGEST = {"name": 120, "email": 254, "phone": 40, "note": 1000}
_SALT = "card.consent"


@dataclass
class ExchangeForm:
    """`seen` is what the guest agreed to, as they saw it: the owner may have changed the words meanwhile."""

    name: str = ""
    email: str = ""
    phone: str = ""
    note: str = ""
    agreed: bool = False
    seen: str = ""
    once: str = ""
    problems: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, request: HttpRequest) -> ExchangeForm:
        texts = {name: request.POST.get(name, "").replace("\r\n", "\n").strip() for name in LONGEST}
        form = cls(texts["name"], texts["email"], texts["phone"], texts["note"], request.POST.get("agreed") == "yes")
        told = "\0".join((request.POST.get(STAMP, ""), *texts.values()))
        form.once = hashlib.blake2b(told.encode("utf-8", "replace"), digest_size=16).hexdigest()
        try:
            form.seen = str(signing.loads(request.POST.get("words", ""), salt=_SALT))
        except (signing.BadSignature, ValueError):
            form.problems["form"] = "This form was open for too long. Please send it again."
        form.judge()
        return form

    def judge(self) -> None:
        for name, most in LONGEST.items():
            text = getattr(self, name)
            if len(text) > most:
                self.problems[name] = f"At most {most} characters, please"
            elif has_controls(text, multiline=name == "note"):
                self.problems[name] = "Please use plain text"
        if not self.name:
            self.problems["name"] = "Please tell your name"
        if not self.email and not self.phone:
            self.problems["email"] = "An e-mail address or a phone number, please"
        for name, clean in (("email", clean_email), ("phone", clean_phone)):
            try:
                clean(getattr(self, name))
            except ValueError as problem:
                self.problems.setdefault(name, str(problem))
        if not self.agreed:
            self.problems["agreed"] = "Please say whether you agree"


def signed_words(card: Card) -> str:
    """The words that a guest is shown to agree to, for a hidden field."""
    return signing.dumps(card.consent, salt=_SALT)


def leave(card: Card, form: ExchangeForm) -> Lead | None:
    """Keep a form without problems and tell the owner. None when this very form was kept before. Raises Gone."""
    with acting(card.publication_id):
        lead = card.take_lead(
            form.once, name=form.name, email=form.email, phone=form.phone, note=form.note, consent=form.seen
        )
        if lead is not None and card.news_is_welcome:
            _tell(card, lead)
    return lead


def _tell(card: Card, lead: Lead) -> None:
    context = {"card": card, "lead": lead, "leads_url": f"{settings.BASE_URL}/app/card/{card.pk}/leads"}
    try:
        mail.send("card_lead", card.account.owner.email, context, account=card.account, reply_to=lead.email or None)
    except ValueError:
        logger.exception("The lead %s is kept, but its mail could not be written", lead.pk)
