"""Notices to the owner of a form that has closed because it is full or its closing time has passed.

Each is sent once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import F, Q, QuerySet

from workspace.delivery import notifications
from workspace.delivery.notifications import NotificationKind, OwnerEmail
from workspace.lib import clock
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.form.models import Form
from workspace.publishing.models import State
from workspace.storage.database.transactions import write_transaction
from workspace.storage.row_tasks import row_task

CLOSING_NOTIFICATION = NotificationKind(
    "form.closed",
    owner_gettext_lazy("Closed forms"),
    owner_gettext_lazy("A form is full or has reached its closing time"),
    "/app/form",
)
_FULL_TEMPLATE = "owner/form_full"
MAX_DELAY = timedelta(days=7)  # after the closing time; a later notice would be useless
# the owner may have set another closing time in the meantime
_NOT_NOTIFIED = Q(notified_closes_at=None) | Q(notified_closes_at__lt=F("closes_at"))


def prepare_full_email(form: Form) -> OwnerEmail | None:
    """Render the email that says that a form is full, if its next response is the last one allowed."""
    most = form.max_responses
    if most is None or most == form.notified_max_responses or form.response_count + 1 != most:
        return None
    return notifications.prepare_owner_email(
        form.account, CLOSING_NOTIFICATION, _FULL_TEMPLATE, _build_context(form, most)
    )


def notify_full(form: Form, email: OwnerEmail | None = None) -> None:
    """Notify the owner that a form is full, with the prepared email if there is one.

    Call it in the transaction of the last response.
    """
    if form.notified_max_responses == form.max_responses:
        return
    Form._base_manager.filter(pk=form.pk).update(notified_max_responses=form.max_responses)
    count = form.response_count
    if email is None or email.context["response_count"] != count:
        email = OwnerEmail(form.account, CLOSING_NOTIFICATION, _FULL_TEMPLATE, _build_context(form, count))
    email.queue()


def _list_unnotified() -> QuerySet[Form]:
    now = clock.now()
    return Form._default_manager.filter(
        _NOT_NOTIFIED, closes_at__lte=now, closes_at__gt=now - MAX_DELAY, binned_at=None
    )


@row_task("form.notify_closed", lambda: _list_unnotified().values_list("pk", flat=True))
def notify_ended(id: str) -> bool:
    """Notify the owner that the closing time has passed, unless the form was closed earlier.

    Return whether the email was queued.
    """
    with write_transaction():
        if not _list_unnotified().filter(pk=id).update(notified_closes_at=F("closes_at")):
            return False  # another worker was first, or the owner has changed the form
        form = Form._default_manager.select_related("publication", "account").get(pk=id)
        is_full = form.max_responses is not None and form.response_count >= form.max_responses
        if not form.accepting or is_full or form.publication.state is not State.LIVE:
            return False
        context = _build_context(form, form.response_count)
        notifications.notify_owner(form.account, CLOSING_NOTIFICATION, "owner/form_closed", context)
        return True


def _build_context(form: Form, response_count: int) -> dict[str, Any]:
    url = f"{settings.BASE_URL}/app/form/{form.pk}"
    return {"form": form, "response_count": response_count, "url": url}
