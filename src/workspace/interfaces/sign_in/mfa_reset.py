"""Removal of a lost second factor by the administrator."""

from __future__ import annotations

import logging

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.urls import reverse

from workspace.accounts import change_log
from workspace.accounts.models import Person
from workspace.interfaces.sign_in import html_email
from workspace.interfaces.sign_in.sessions import end_sessions
from workspace.owner_translation import owner_gettext
from workspace.storage.database.transactions import write_transaction

OPERATOR_LABEL = "administrator"
logger = logging.getLogger(__name__)

KIND_NAMES = {
    Authenticator.Type.TOTP: "authenticator app",
    Authenticator.Type.WEBAUTHN: "passkeys",
    Authenticator.Type.RECOVERY_CODES: "recovery codes",
}


def remove_second_factors(person: Person) -> list[str]:
    """Remove all second factors, end all sessions and email the person. Return the names of the removed factors."""
    with write_transaction():
        kinds = set(Authenticator.objects.filter(user=person).values_list("type", flat=True))
        if not kinds:
            return []
        removed = [words for kind, words in KIND_NAMES.items() if kind in kinds]
        Authenticator.objects.filter(user=person).delete()
        end_sessions(person)
        context: dict[str, object] = {
            "removed": removed,
            "operator_name": settings.OPERATOR_NAME,
            "url": settings.BASE_URL + reverse("mfa_index"),
        }
        change_log.log_sign_in(
            person, f"Removed {' and '.join(removed)} of {person}", by=OPERATOR_LABEL, method="operator"
        )
        html_email.send_html_email(
            person.email,
            owner_gettext("Two-step verification turned off"),
            "sign_in/email/second_step_removed.txt",
            context,
        )
    logger.warning("The operator removed the second step of person %s: %s", person.pk, ", ".join(removed))
    return removed
