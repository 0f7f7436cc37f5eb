"""What every page of the dashboard's shell knows. Nothing here asks the database before a template uses it."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from workspace.accounts.models import Account, Person
from workspace.dashboard import navigation


def shell(request: HttpRequest) -> dict[str, Any]:
    path = request.path
    return {
        "base_url": settings.BASE_URL,
        "operator_name": settings.OPERATOR_NAME,
        "loopback": settings.LOOPBACK,
        "mail_is_kept": settings.LOOPBACK and not settings.SMTP_HOST,
        "signup_open": settings.SIGNUP_OPEN,
        "sign_in_url": settings.LOGIN_URL,
        "nav": SimpleLazyObject(lambda: [(item, item.is_current(path)) for item in navigation.products()]),
        "account_nav": SimpleLazyObject(lambda: [(item, item.is_current(path)) for item in navigation.account_items()]),
        "has_more_accounts": SimpleLazyObject(lambda: _has_more_accounts(request)),
    }


def _has_more_accounts(request: HttpRequest) -> bool:
    person, account = getattr(request, "user", None), getattr(request, "account", None)
    if account is None or not isinstance(person, Person):
        return False
    return Account.objects.filter(memberships__person=person, banned_at=None).exclude(pk=account.pk).exists()
