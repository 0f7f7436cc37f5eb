"""The linked apps of a caller and their states, by the grants of the person who owns the token or key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from workspace.accounts.dispatch import Caller
from workspace.accounts.models import ApiKey
from workspace.accounts.permissions import SHARED
from workspace.lib.errors import ForbiddenError
from workspace.linked_apps import health, messages
from workspace.linked_apps.config import Application
from workspace.linked_apps.models import AppHealth, LinkedApp

PAGE_PATH = "/app/linked-apps"
_KEY_PREFIX = "key:"


def page_url(name: str = "") -> str:
    return f"{settings.BASE_URL}{PAGE_PATH}{f'/{name}' if name else ''}"


def grants_for(caller: Caller) -> list[LinkedApp]:
    """Return the caller's grants in the order of the apps, whether valid or not.

    An API key uses the grants of its creator. A key without a creator, made by the administrator, has none.
    """
    if not settings.FAMILY:
        return []
    if caller.person is not None:
        rows = LinkedApp.objects.filter(account=caller.account, person=caller.person)
    elif caller.bucket and caller.bucket.startswith(_KEY_PREFIX):
        maker = ApiKey.objects.filter(pk=caller.bucket.removeprefix(_KEY_PREFIX)).values("created_by")
        rows = LinkedApp.objects.filter(account=caller.account, person__in=maker)
    else:
        return []
    found = {row.application: row for row in rows}
    return [found[app.name] for app in settings.FAMILY if app.name in found]


def denial_reason(caller: Caller, app: Application, tool: dict[str, Any], *, everything: bool = False) -> str:
    """Return why a caller cannot use an app's tool, or "".

    If `everything` is set, the caller's choice of products is ignored.
    """
    name = tool["name"]
    if not everything and (why := caller.product_denial_reason(app.name, app.title)):
        text = messages.TOOL_NOT_SELECTED(client=caller.client) if caller.client else messages.CONNECTION_WITHOUT_TOOL
        return str(text(tool=name, reason=why))
    if tool["reads"]:
        return "" if caller.permission_scope.can_access(SHARED) else str(messages.NO_ACCESS)
    if not caller.can_write:
        return str(messages.READ_ONLY_CONNECTION(tool=name))
    if not caller.permission_scope.can_access(SHARED, writes=True):
        return str(messages.READ_ONLY_MEMBER(tool=name))
    return ""


def check_tool_allowed(caller: Caller, app: Application, tool: dict[str, Any]) -> None:
    """Raise ForbiddenError if the caller cannot use the tool."""
    if why := denial_reason(caller, app, tool):
        raise ForbiddenError(why)


@dataclass(frozen=True, slots=True)
class AppState:
    """The state of an app, as seen by a caller."""

    app: Application
    grant: LinkedApp | None
    condition: AppHealth | None

    @property
    def state(self) -> str:
        if self.grant is None:
            return "not_connected"
        if self.grant.last_error:
            return "ended"
        return "down" if self.condition is not None else "connected"


def list_app_states(grants: Sequence[LinkedApp]) -> list[AppState]:
    """Return the states of all configured apps."""
    held = {row.application: row for row in grants}
    down = health.app_health([app.name for app in settings.FAMILY]) if settings.FAMILY else {}
    return [AppState(app, held.get(app.name), down.get(app.name)) for app in settings.FAMILY]
