"""Queries for an account's forms and their responses."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Literal

from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.products.form import messages
from workspace.products.form.models import INBOX, KIND, PARTIAL, SPAM, Form, Response
from workspace.publishing.serializers import get_or_404, with_public_state

Status = Literal["inbox", "new", "read", "spam", "partial"]


def forms_for(account: Account) -> QuerySet[Form]:
    return with_public_state(account.forms.all()).select_related("publication", "account")


def get_form(account: Account, id: str) -> Form:
    """Return a form. Raise NotFoundError if it does not exist."""
    form = get_or_404(forms_for(account), id, messages.FORM_NOT_FOUND)
    form.account = account
    return form


def responses_for(account: Account) -> QuerySet[Response]:
    """Return the responses in the inboxes of existing forms. A plan with a monthly limit hides those beyond it."""
    binned = Form._base_manager.filter(account=account, binned_at__isnull=False)
    responses: QuerySet[Response] = Response.objects.filter(account=account, folder=INBOX)
    return filter_by_plan(responses.exclude(form__in=binned.values("pk")), account).select_related("form")


def filter_by_plan(responses: QuerySet[Response], account: Account) -> QuerySet[Response]:
    """Leave out responses beyond the plan's monthly limit."""
    return responses if account.limits(KIND).monthly is None else responses.filter(is_over_limit=False)


def filter_responses(
    form: Form, account: Account, status: str, first: date | None = None, last: date | None = None
) -> QuerySet[Response]:
    """Return the responses with a status and within a range of days in the account's time zone."""
    folder = status if status in (SPAM, PARTIAL) else INBOX
    responses = filter_by_plan(Response.objects.filter(form=form, folder=folder), account)
    if status in ("new", "read"):
        responses = responses.filter(read_at__isnull=status == "new")
    if first is not None:
        responses = responses.filter(created_at__gte=datetime.combine(first, time.min, account.zone))
    if last is not None:
        responses = responses.filter(created_at__lt=datetime.combine(last + timedelta(days=1), time.min, account.zone))
    return responses
