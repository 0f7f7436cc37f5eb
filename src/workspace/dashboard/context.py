"""What every page of the dashboard's shell knows. Nothing here asks the database before a template uses it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from workspace.accounts import permissions
from workspace.accounts.models import Account, Person
from workspace.accounts.permissions import Reach
from workspace.dashboard import device_storage, navigation, page_permissions
from workspace.dashboard.mobile_bar import bar
from workspace.dashboard.navigation import NavItem
from workspace.dashboard.product_usage import usage
from workspace.dashboard.session import enter, membership_of
from workspace.delivery.mail import health, outbox_views
from workspace.environment import COMMAND
from workspace.insights.checkin_search import is_offered
from workspace.lib.errors import NotFound


def shell(request: HttpRequest) -> dict[str, Any]:
    path = request.path
    return {
        "base_url": settings.BASE_URL,
        "command": COMMAND,
        "operator_name": settings.OPERATOR_NAME,
        "operator_email": settings.OPERATOR_EMAIL,
        "loopback": settings.LOOPBACK,
        "mail_is_kept": settings.LOCAL and not settings.SMTP_HOST,
        "outbox_opens": SimpleLazyObject(lambda: outbox_views.opens_for(request)),
        "signup_open": settings.SIGNUP_OPEN,
        "sign_in_url": settings.LOGIN_URL,
        "mail_trouble": lambda: _mail_trouble(request),
        "error_frame": lambda: error_frame(request),
        "nav": SimpleLazyObject(lambda: _navigation(request)),
        "account_nav": SimpleLazyObject(
            lambda: [(item, item.is_current(path)) for item in page_permissions.seen(request)]
        ),
        "device_owner": SimpleLazyObject(lambda: device_storage.owner_of(request)),
        "page_help": SimpleLazyObject(lambda: navigation.help_about(path)),
        "has_more_accounts": SimpleLazyObject(lambda: _has_more_accounts(request)),
    }


def error_frame(request: HttpRequest, *, everywhere: bool = False) -> str:
    """What an error page stands in: the shell for who is signed in and below /app (or `everywhere`), so that they keep
    their way around. A database that does not answer is no reason to show no page."""
    if getattr(request, "account", None) is None and (everywhere or request.path.startswith("/app/")):
        try:
            person = getattr(request, "user", None)  # asks the database as soon as it is looked at
            if isinstance(person, Person):
                enter(request, person, membership_of(request, person))
        except (NotFound, DatabaseError):
            return "dashboard/plain.html"
    return "dashboard/plain.html" if getattr(request, "account", None) is None else "dashboard/page.html"


def _navigation(request: HttpRequest) -> dict[str, Any]:
    """The products of the side, by group, those of a phone's bar, and the others; each with whether it is looked at."""
    account, caller = getattr(request, "account", None), getattr(request, "caller", None)
    if account is None:
        return {}
    with permissions.reaching(caller.reach if caller else Reach("")):
        return _in_reach(request, account)


def _in_reach(request: HttpRequest, account: Account) -> dict[str, Any]:
    used = usage(account)

    def marked(items: Iterable[NavItem]) -> list[tuple[NavItem, bool]]:
        return [(item, item.is_current(request.path)) for item in items]

    more = marked(used.more)
    return {
        "groups": [(group, marked(items)) for group, items in used.groups],
        "bar": marked(bar(request, account, used)),
        "more": more,
        "has_door": is_offered(used.counts),
        "is_in_more": any(current for _, current in more),
    }


def _mail_trouble(request: HttpRequest) -> health.Trouble | None:
    """For whoever runs the installation, and nobody else."""
    try:
        return health.found() if getattr(request.user, "is_operator", False) else None
    except DatabaseError:
        return None


def _has_more_accounts(request: HttpRequest) -> bool:
    person, account = getattr(request, "user", None), getattr(request, "account", None)
    if account is None or not isinstance(person, Person):
        return False
    return Account.objects.filter(memberships__person=person, banned_at=None).exclude(pk=account.pk).exists()
