"""The context of every dashboard page. It queries the database only when a template uses a value."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.db import DatabaseError
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from workspace.accounts import permissions
from workspace.accounts.models import Account, Person
from workspace.accounts.permissions import PermissionScope
from workspace.dashboard import device_storage, navigation, page_permissions
from workspace.dashboard.mobile_bar import list_bar_items
from workspace.dashboard.navigation import NavItem
from workspace.dashboard.product_usage import get_usage
from workspace.dashboard.session import current_membership, set_account
from workspace.delivery.mail import health, outbox_views
from workspace.environment import COMMAND
from workspace.insights.checkin_search import is_offered
from workspace.lib.errors import NotFoundError
from workspace.storage.database.compiled_function import compile_once


def page_context(request: HttpRequest) -> dict[str, Any]:
    """Return the context of the dashboard's base template."""
    path = request.path
    return {
        "base_url": settings.BASE_URL,
        "command": COMMAND,
        "operator_name": settings.OPERATOR_NAME,
        "operator_email": settings.OPERATOR_EMAIL,
        "loopback": settings.LOOPBACK,
        "mail_is_kept": settings.LOCAL and not settings.SMTP_HOST,
        "outbox_opens": SimpleLazyObject(lambda: outbox_views.can_view_outbox(request)),
        "signup_open": settings.SIGNUP_OPEN,
        "sign_in_url": settings.LOGIN_URL,
        "mail_trouble": lambda: _find_mail_outage(request),
        "error_frame": lambda: error_base_template(request),
        "nav": SimpleLazyObject(lambda: _build_navigation(request)),
        "account_nav": SimpleLazyObject(
            lambda: [(item, item.is_current(path)) for item in page_permissions.visible_account_items(request)]
        ),
        "device_owner": SimpleLazyObject(lambda: device_storage.owner_token(request)),
        "page_help": SimpleLazyObject(lambda: navigation.help_for_page(path)),
        "has_more_accounts": SimpleLazyObject(lambda: _has_several_accounts(request)),
    }


def error_base_template(request: HttpRequest, *, with_navigation_on_all_pages: bool = False) -> str:
    """Return the base template of an error page.

    Signed-in people see the dashboard's navigation below /app, or on all pages with `with_navigation_on_all_pages`. If
    the database does not answer, the page has no navigation.
    """
    if getattr(request, "account", None) is None and (with_navigation_on_all_pages or request.path.startswith("/app/")):
        try:
            person = getattr(request, "user", None)  # queries the database when it is evaluated
            if isinstance(person, Person):
                set_account(request, person, current_membership(request, person))
        except (NotFoundError, DatabaseError):
            return "dashboard/plain.html"
    return "dashboard/plain.html" if getattr(request, "account", None) is None else "dashboard/page.html"


def _build_navigation(request: HttpRequest) -> dict[str, Any]:
    """Return the products of the sidebar by group, those of the mobile bar, and the rest.

    Each has a flag that says whether it is the current page.
    """
    account, caller = getattr(request, "account", None), getattr(request, "caller", None)
    if account is None:
        return {}
    with permissions.use_scope(caller.permission_scope if caller else PermissionScope("")):
        return _visible_navigation(request, account)


def _visible_navigation(request: HttpRequest, account: Account) -> dict[str, Any]:
    used = get_usage(account)

    def marked(items: Iterable[NavItem]) -> list[tuple[NavItem, bool]]:
        return [(item, item.is_current(request.path)) for item in items]

    more = marked(used.more_items)
    return {
        "groups": [(group, marked(items)) for group, items in used.groups],
        "bar": marked(list_bar_items(request, account, used)),
        "more": more,
        "has_door": is_offered(used.counts),
        "is_in_more": any(current for _, current in more),
    }


def _find_mail_outage(request: HttpRequest) -> health.MailOutage | None:
    """Return the email outage if the person is an administrator, or None."""
    try:
        return health.current_outage() if getattr(request.user, "is_operator", False) else None
    except DatabaseError:
        return None


def _has_several_accounts(request: HttpRequest) -> bool:
    person, account = getattr(request, "user", None), getattr(request, "account", None)
    if account is None or not isinstance(person, Person):
        return False
    return _accounts_beside.exists(person.pk, account)


@compile_once
def _accounts_beside(person_id: int, account: Account) -> QuerySet[Account]:
    return Account.objects.filter(memberships__person=person_id, banned_at=None).exclude(pk=account.pk)
