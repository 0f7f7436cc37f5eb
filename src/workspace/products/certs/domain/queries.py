"""Queries for an account's templates and certificates."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Count, Q, QuerySet

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import NotFoundError
from workspace.lib.text import search_key
from workspace.products.certs import messages
from workspace.products.certs.models import Certificate, State, Template
from workspace.products.certs.models.certificate import parse_code
from workspace.storage.database.compiled_function import compile_once

STATE_PREFIX = "state:"


@compile_once
def templates_for(account: Account) -> QuerySet[Template]:
    return account.cert_templates.select_related("publication").annotate(issued=Count("certificates"))


def get_template(account: Account, id: str) -> Template:
    """Return a template. Raise NotFoundError if it does not exist."""
    return templates_for.get(id, messages.TEMPLATE_NOT_FOUND, account)


def certificates_for(account: Account) -> QuerySet[Certificate]:
    return account.certificates.select_related("account", "replaced_by")


def search_certificates(certificates: QuerySet[Certificate], account: Account, q: str) -> QuerySet[Certificate]:
    """Return the certificates that contain every word. A word such as `state:revoked` filters by state."""
    for word in search_key(q).split():
        state = word.removeprefix(STATE_PREFIX)
        if word != state and state in State.values:
            certificates = _filter_by_state(certificates, account, state)
        else:
            certificates = certificates.filter(search__contains=word)
    return certificates


def _filter_by_state(certificates: QuerySet[Certificate], account: Account, state: str) -> QuerySet[Certificate]:
    """Filter by state. This must agree with `Certificate.state`."""
    if state == State.REPLACED:
        return certificates.filter(replaced_by__isnull=False)
    certificates = certificates.filter(replaced_by=None)
    if state == State.REVOKED:
        return certificates.filter(revoked_at__isnull=False)
    is_over = Q(expires_on__lt=clock.today(account.time_zone))
    certificates = certificates.filter(revoked_at=None)
    return certificates.filter(is_over) if state == State.EXPIRED else certificates.exclude(is_over)


def get_certificates(account: Account, ids: Sequence[str]) -> list[Certificate]:
    """Return certificates by their ids, codes or URLs, in order and without duplicates.

    Raise NotFoundError if any of them does not exist.
    """
    codes = {text: parse_code(text.rpartition("/")[2]) for text in ids if text.isprintable()}
    certificates = certificates_for(account)
    by_id = certificates.in_bulk(list(codes))
    by_code = {row.code: row for row in certificates.filter(code__in=[code for code in codes.values() if code])}
    result: dict[str, Certificate] = {}
    for number, text in enumerate(ids):
        row = by_id.get(text) or by_code.get(codes.get(text, ""))
        if row is None:
            is_list = len(ids) > 1
            raise NotFoundError(
                messages.CERTIFICATE_OF_LIST_NOT_FOUND(path=f"ids.{number}")
                if is_list
                else messages.CERTIFICATE_NOT_FOUND
            )
        row.account = account
        result[row.pk] = row
    return list(result.values())
