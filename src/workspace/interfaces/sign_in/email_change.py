"""Changing the sign-in email of a person who lost access to it, by the administrator."""

from __future__ import annotations

import logging

from allauth.account.models import EmailAddress
from django.conf import settings

from workspace.accounts import change_log
from workspace.accounts.models import Person
from workspace.interfaces.messages import SAME_SIGN_IN_ADDRESS, SIGN_IN_ADDRESS_TAKEN
from workspace.interfaces.sign_in import html_email
from workspace.interfaces.sign_in.mfa_reset import OPERATOR_LABEL
from workspace.interfaces.sign_in.sessions import end_sessions
from workspace.lib.errors import ConflictError
from workspace.owner_translation import owner_gettext
from workspace.storage.database.transactions import write_transaction

logger = logging.getLogger(__name__)


def change_email(person: Person, email: str) -> None:
    """Change a person's email to one that the administrator has verified.

    Both addresses get an email, and all sessions end. Raise ConflictError if anyone, including the person, already
    signs in with the new email.
    """
    if person.email == email:
        raise ConflictError(SAME_SIGN_IN_ADDRESS(email=email))
    with write_transaction():
        if Person.objects.filter(email=email).exclude(pk=person.pk).exists():
            raise ConflictError(SIGN_IN_ADDRESS_TAKEN(email=email))
        before, person.email = person.email, email
        person.save(update_fields=["email"])
        EmailAddress.objects.filter(user=person).delete()
        EmailAddress.objects.create(user=person, email=email, verified=True, primary=True)
        end_sessions(person)
        context: dict[str, object] = {"before": before, "email": email, "operator_name": settings.OPERATOR_NAME}
        change_log.log_sign_in(
            person, f"Changed the sign-in address from {before} to {email}", by=OPERATOR_LABEL, method="operator"
        )
        for address in (before, email):
            html_email.send_html_email(
                address, owner_gettext("Your sign-in address was changed"), "sign_in/email/readdressed.txt", context
            )
    logger.warning("The operator gave person %s another address", person.pk)
