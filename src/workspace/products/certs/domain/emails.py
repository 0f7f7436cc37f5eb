"""Mails about certificates, to their recipients, in the language of the paper."""

from __future__ import annotations

from typing import Any

from workspace.delivery import mail
from workspace.delivery.mail import Attachment
from workspace.delivery.models import Delivery
from workspace.delivery.models.delivery import State
from workspace.lib.ids import new_id
from workspace.products.certs.domain import linkedin, print_data
from workspace.products.certs.models import Certificate, Template
from workspace.products.certs.rules.date_format import written_day
from workspace.publishing.language import USUAL, day, folded

FINAL = "A mail cannot be called back"
LARGEST = 2 * 1024 * 1024  # bytes of a paper that a mail takes along
# what became of a mail, as its sender asks; kept is not sent where there is no mail server
STATES = {
    State.WAITING.value: "queued",
    State.LEASED.value: "queued",
    State.SENT.value: "sent",
    State.KEPT.value: "kept",
    State.PARKED.value: "bounced",
    State.WITHDRAWN.value: "withdrawn",
}


def issued(one: Certificate, paper: bytes = b"", *, replaces: bool = False) -> Delivery:
    """The certificate, for the first time or once more."""
    from workspace.products.certs.domain.pdf import name_of

    fits = paper and len(paper) <= LARGEST
    attachments = [Attachment(name_of(one), "application/pdf", paper)] if fits else []
    given = {"replaces": replaces, "linked_in": linkedin.address(one), "attached": bool(attachments)}
    return _send("cert_issued", one, {**given, **own_words(one, one.template)}, attachments=attachments)


def own_words(one: Certificate, template: Template | None) -> dict[str, str]:
    """What the template's owner wrote for this mail, filled in; empty where our words stand."""
    if template is None:
        return {"own_subject": "", "own_text": ""}
    language = one.language or USUAL
    values = {
        "name": one.name,
        "course": one.course,
        "date": written_day(one.day, language) if one.day else one.date,
        "hours": one.hours,
        "custom": one.custom,
        "code": one.shown_code,
        "organization": one.organization or one.account.name,
    }
    return {
        "own_subject": print_data.filled(template.mail_subject, values),
        "own_text": print_data.filled(template.mail_text, values),
    }


def preview(template: Template, one: Certificate) -> mail.Shown:
    """The mail that somebody would get, for looking at."""
    given = {"replaces": False, "linked_in": linkedin.address(one), "attached": True, **own_words(one, template)}
    language = folded(one.language) or USUAL
    return mail.shown("cert_issued", _context(one, given), account=template.account, language=language)


def sample(one: Certificate, template: Template, paper: bytes) -> Delivery:
    """The same, of somebody who does not exist, to who makes the template."""
    attachments = [Attachment("sample.pdf", "application/pdf", paper)] if len(paper) <= LARGEST else []
    given = {"sample": True, "replaces": False, "linked_in": linkedin.address(one), "attached": bool(attachments)}
    return _send("cert_issued", one, {**given, **own_words(one, template)}, attachments=attachments)


def revoked(one: Certificate) -> Delivery:
    return _send("cert_revoked", one, {"reason": one.revoke_reason})


def ending(one: Certificate) -> Delivery:
    """That it expires in a month."""
    assert one.expires_on is not None
    return _send("cert_ending", one, {"day": day(one.expires_on, folded(one.language) or USUAL)})


def states_of(certificates: list[Certificate]) -> dict[str, str]:
    """What became of their last mails, by the certificates' ids."""
    ids = {one.mail: one.pk for one in certificates if one.mail}
    found = Delivery.objects.filter(pk__in=ids).values_list("pk", "state")
    return {ids[id]: STATES.get(state, state) for id, state in found}


def _context(one: Certificate, more: dict[str, Any]) -> dict[str, Any]:
    return {"certificate": one, "url": one.verify_url, "business": one.organization or one.account.name, **more}


def _send(template: str, one: Certificate, more: dict[str, Any], **how: Any) -> Delivery:
    account, given = one.account, _context(one, more)
    language = folded(one.language) or USUAL
    key = f"cert:{one.pk}:{new_id('m')}"
    return mail.send(
        template, one.email, given, account=account, reply_to=account.owner.email, language=language, dedupe=key, **how
    )
