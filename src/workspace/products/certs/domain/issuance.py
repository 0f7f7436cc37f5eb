"""Issuing certificates, up to the plan's monthly limit. Their PDFs are created afterwards."""

from __future__ import annotations

import calendar
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.delivery import jobs
from workspace.delivery.models import Job
from workspace.lib import clock
from workspace.lib.text import search_key
from workspace.products.certs.domain.badges import status_list
from workspace.products.certs.domain.recipient_input import Recipient, find_date
from workspace.products.certs.models import KIND, Certificate, NameWord, Template, month_start
from workspace.storage import journal
from workspace.storage.database import bulk_insert
from workspace.storage.database.compiled_function import compile_once

JOB_NAME = "certs.seal"
ISSUING_IS_FINAL = "A sent email can't be recalled. Revoke certificates with svc_certs_edit"


@dataclass(frozen=True, slots=True)
class IssueResult:
    """The result of issuing. `remaining` is None if there is no limit."""

    certificates: list[Certificate]
    did_not_fit: int
    remaining: int | None
    job: Job | None


def remaining_this_month(account: Account) -> int | None:
    """Return how many more certificates the plan allows this month, or None if there is no limit."""
    most = account.limits(KIND).monthly
    if most is None:
        return None
    return int(max(0, most - compute_usage(account)["monthly"]))


def compute_usage(account: Account) -> dict[str, int]:
    """Return the current usage, keyed by the name of the limit."""
    return {"monthly": _certificates_counted_since.count(account, month_start(account))}


@compile_once
def _certificates_counted_since(account: Account, start: datetime) -> QuerySet[Certificate]:
    return account.certificates.filter(counts_toward_limit=True, created_at__gte=start)


def issue_certificates(template: Template, recipients: Sequence[Recipient], defaults: dict[str, str]) -> IssueResult:
    """Issue certificates. Call it with the account locked, so that concurrent calls cannot exceed the limit."""
    account = template.account
    room = remaining_this_month(account)
    taken = list(recipients if room is None else recipients[:room])
    certificates = [_build_certificate(template, recipient, defaults) for recipient in taken]
    job = save_certificates(account, certificates)
    if certificates:
        template.mark_changed()
        if any(certificate.is_emailed for certificate in certificates):
            journal.mark_irreversible(ISSUING_IS_FINAL)
    left = None if room is None else room - len(certificates)
    return IssueResult(certificates, len(recipients) - len(certificates), left, job)


def save_certificates(account: Account, certificates: Sequence[Certificate]) -> Job | None:
    """Save certificates and start the job that creates their PDFs."""
    if not certificates:
        return None
    job = jobs.start(
        account, JOB_NAME, [{"name": certificate.name, "id": certificate.pk} for certificate in certificates]
    )
    for certificate in certificates:
        certificate.batch = job.pk
    status_list.assign_status_bits(account, certificates)
    bulk_insert.create_rows(certificates)
    NameWord.create_for(certificates)
    journal.record_new_rows(*certificates)
    return job


def _build_certificate(template: Template, recipient: Recipient, defaults: dict[str, str]) -> Certificate:
    data = {name: recipient[name] or defaults.get(name, "") for name in ("course", "date", "hours", "custom")}
    day = find_date(data["date"])
    certificate = Certificate(
        account=template.account,
        template=template,
        title=template.title,
        organization=template.organization,
        name=recipient["name"],
        email=recipient["email"],
        reference=recipient["reference"],
        language=recipient["language"] or template.language,
        is_emailed=bool(recipient["email"]) and recipient["send"] is not False,
        expires_on=_compute_expiry(recipient["expires_on"], template, day),
        day=day,
        **data,
    )
    return _with_search_text(certificate)


def build_replacement(former: Certificate, changes: dict[str, Any]) -> Certificate:
    """Build an unsaved replacement with a new code. It does not count toward the limit."""
    template = former.template
    assert template is not None
    data: dict[str, Any] = {
        name: changes.get(name, getattr(former, name))
        for name in ("name", "email", "course", "date", "hours", "custom")
    }
    day = find_date(data["date"]) if "date" in changes else former.day
    expires: Any = former.expires_on
    if "expires_on" in changes:
        expires = date.fromisoformat(changes["expires_on"]) if changes["expires_on"] else None
    certificate = Certificate(
        account=former.account,
        template=template,
        title=template.title,
        organization=template.organization,
        reference=former.reference,
        language=former.language,
        counts_toward_limit=False,
        day=day,
        expires_on=expires,
        **data,
    )
    return _with_search_text(certificate)


def _with_search_text(certificate: Certificate) -> Certificate:
    certificate.search = "\n".join(
        map(
            search_key,
            (certificate.name, certificate.course, certificate.email, certificate.code, certificate.reference),
        )
    )
    return certificate


def _compute_expiry(text: str, template: Template, day: date | None) -> date | None:
    if text:
        return date.fromisoformat(text)
    if not template.valid_months:
        return None
    begin = day or clock.today(template.account.time_zone)
    years, month = divmod(begin.month - 1 + template.valid_months, 12)
    last = calendar.monthrange(begin.year + years, month + 1)[1]
    return begin.replace(year=begin.year + years, month=month + 1, day=min(begin.day, last))
