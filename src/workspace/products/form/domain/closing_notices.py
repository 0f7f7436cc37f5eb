"""Notices to the owner of a form that has closed because it is full or its closing time has passed.

Each is sent once."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db.models import F, Q, QuerySet

from workspace.delivery import notifications
from workspace.delivery.notifications import NotificationKind
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
MAX_DELAY = timedelta(days=7)  # after the closing time; a later notice would be useless
# the owner may have set another closing time in the meantime
_NOT_NOTIFIED = Q(notified_closes_at=None) | Q(notified_closes_at__lt=F("closes_at"))


def notify_full(form: Form) -> None:
    """Notify the owner that a form is full. Call it in the transaction of the last response."""
    if form.notified_max_responses != form.max_responses:
        Form._base_manager.filter(pk=form.pk).update(notified_max_responses=form.max_responses)
        _notify_owner(form, "owner/form_full")


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
        _notify_owner(form, "owner/form_closed")
        return True


def _notify_owner(form: Form, template: str) -> None:
    url = f"{settings.BASE_URL}/app/form/{form.pk}"
    notifications.notify_owner(
        form.account,
        CLOSING_NOTIFICATION,
        template,
        {"form": form, "response_count": form.response_count, "url": url},
    )
