"""The context of every dashboard page. It queries the database only when a template uses a value."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.db import DatabaseError
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext

from workspace.accounts import permissions
from workspace.accounts.models import Account, Person
from workspace.accounts.permissions import PermissionScope
from workspace.dashboard import device_storage, navigation, page_permissions
from workspace.dashboard.navigation import NavItem
from workspace.dashboard.product_usage import get_usage
from workspace.dashboard.session import current_membership, set_account
from workspace.delivery.mail import health, outbox_views
from workspace.environment import COMMAND
from workspace.insights.checkin_search import is_offered
from workspace.lib.errors import NotFoundError
from workspace.storage.database.compiled_function import compile_once

MAX_TOOLS_WITH_SETTINGS = 8  # so that the sidebar fits on a screen of 800 px


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
            lambda: [(item, current) for item, current in _account_items(request) if not item.group]
        ),
        "device_owner": SimpleLazyObject(lambda: device_storage.owner_token(request)),
        "page_help": SimpleLazyObject(lambda: navigation.help_for_page(path)),
        "has_more_accounts": SimpleLazyObject(lambda: _has_several_accounts(request)),
    }


def error_base_template(request: HttpRequest, *, with_navigation_on_all_pages: bool = False) -> str:
    """Return the base template of an error page.

    Signed-in people see the dashboard's navigation below /app, or on all pages with `with_navigation_on_all_pages`. If
    the database does not respond, the page has no navigation.
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
    """Return the products of the sidebar, those of the tab bar on phones, and the rest.

    Each has a flag that says whether it is the current page.
    """
    account, caller = getattr(request, "account", None), getattr(request, "caller", None)
    if account is None:
        return {}
    with permissions.use_scope(caller.permission_scope if caller else PermissionScope("")):
        return _visible_navigation(request)


def _visible_navigation(request: HttpRequest) -> dict[str, Any]:
    used = get_usage(request)  # type: ignore[arg-type]  # the account is set

    def marked(items: Iterable[NavItem]) -> list[tuple[NavItem, bool]]:
        return [(item, item.is_current(request.path)) for item in items]

    more = marked(used.more_items)
    is_in_more = any(current for _, current in more)
    has_room = len(used.main_items) <= MAX_TOOLS_WITH_SETTINGS and not is_in_more
    return {
        "tools": marked(used.main_items),
        "bar": marked(used.bar_items),
        "more": more,
        "account": _account_groups(request, has_room=has_room),
        "has_door": is_offered(used.counts),
        "is_in_more": is_in_more,
    }


def _account_items(request: HttpRequest) -> list[tuple[NavItem, bool]]:
    """Return the account's entries. Only the one with the longest URL is current: Account is above Brand."""
    items = page_permissions.visible_account_items(request)
    urls = [item.url for item in items if item.is_current(request.path)]
    current = max(urls, key=len, default="")
    return [(item, item.url == current) for item in items]


def _account_groups(request: HttpRequest, *, has_room: bool) -> list[dict[str, Any]]:
    """Return the groups of the account's entries.

    The group of the current page is open, and otherwise the settings if there is room for them below the tools.
    """
    items = _account_items(request)
    titles = {navigation.SETTINGS: gettext("Settings"), navigation.DEVELOPERS: gettext("Developers")}
    groups = [(key, title, [one for one in items if one[0].group == key]) for key, title in titles.items()]
    opened = next((key for key, _, entries in groups if any(current for _, current in entries)), "")
    opened = opened or (navigation.SETTINGS if has_room else "")
    return [{"title": title, "items": entries, "is_open": key == opened} for key, title, entries in groups if entries]


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
