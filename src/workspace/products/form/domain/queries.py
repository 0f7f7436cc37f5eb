"""Queries for an account's forms and their responses."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Literal

from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.products.form import messages
from workspace.products.form.models import INBOX, KIND, PARTIAL, SPAM, Form, Response
from workspace.publishing.serializers import with_public_state
from workspace.storage.database.compiled_function import compile_once

Status = Literal["inbox", "new", "read", "spam", "partial"]


@compile_once
def forms_for(account: Account) -> QuerySet[Form]:
    return with_public_state(account.forms.all())


def get_form(account: Account, id: str) -> Form:
    """Return a form. Raise NotFoundError if it does not exist."""
    return forms_for.get(id, messages.FORM_NOT_FOUND, account)


def all_responses_for(account: Account) -> QuerySet[Response]:
    """Return the inbox responses of existing forms, including those that exceed the plan's monthly limit."""
    binned = Form._base_manager.filter(account=account, binned_at__isnull=False)
    responses: QuerySet[Response] = Response.objects.filter(account=account, folder=INBOX)
    return responses.exclude(form__in=binned.values("pk")).select_related("form")


def responses_for(account: Account) -> QuerySet[Response]:
    """Return the inbox responses of existing forms, without those that exceed the plan's monthly limit."""
    return filter_by_plan(all_responses_for(account), account)


def filter_by_plan(responses: QuerySet[Response], account: Account) -> QuerySet[Response]:
    """Leave out responses that exceed the plan's monthly limit."""
    return responses.filter(is_over_limit=False) if has_monthly_limit(account) else responses


def has_monthly_limit(account: Account) -> bool:
    """Return whether the plan limits the number of responses per month."""
    return account.limits(KIND).monthly is not None


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
