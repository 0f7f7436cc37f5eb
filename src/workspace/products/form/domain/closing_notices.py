"""A form that closes by itself, since it is full or its day has passed: its owner is told so, once."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db.models import F, Q, QuerySet

from workspace.delivery import notifications
from workspace.delivery.notifications import Kind
from workspace.lib import clock
from workspace.products.form.models import Form
from workspace.publishing.models import State
from workspace.storage.database.transactions import writing
from workspace.storage.row_tasks import row_task

CLOSED = Kind("form.closed", "Forms that have closed", "A form is full, or its day has passed", "/app/form")
LATEST = timedelta(days=7)  # behind the day: after a long silence nobody wants to hear of it any more
_UNTOLD = Q(over_told=None) | Q(over_told__lt=F("closes_at"))  # an owner may have chosen another day since


def tell_full(form: Form) -> None:
    """Within the transaction that keeps the last response."""
    if form.full_told != form.max_responses:
        Form._base_manager.filter(pk=form.pk).update(full_told=form.max_responses)
        _tell(form, "full")


def _over_and_untold() -> QuerySet[Form]:
    now = clock.now()
    return Form._default_manager.filter(_UNTOLD, closes_at__lte=now, closes_at__gt=now - LATEST, binned_at=None)


@row_task("form.notify_closed", lambda: _over_and_untold().values_list("pk", flat=True))
def tell_over(id: str) -> bool:
    """Tell the owner of a form that its day has passed, unless it took nothing before; whether they were told."""
    with writing():
        if not _over_and_untold().filter(pk=id).update(over_told=F("closes_at")):
            return False  # another worker was first, or its owner has changed it
        form = Form._default_manager.select_related("publication", "account").get(pk=id)
        is_full = form.max_responses is not None and form.received >= form.max_responses
        if not form.accepting or is_full or form.publication.state is not State.LIVE:
            return False
        _tell(form, "over")
        return True


def _tell(form: Form, why: str) -> None:
    url = f"{settings.BASE_URL}/app/form/{form.pk}"
    notifications.tell(
        form.account, CLOSED, "form_closed", {"form": form, "why": why, "came": form.received, "url": url}
    )
