"""Queues: failed deliveries, jobs, rows that were set aside, and emails to support."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.delivery.models import Delivery, DeliveryState, Job, JobState
from workspace.interfaces.admin_pages.access import HOME, paginate, require_operator
from workspace.owner_translation import owner_gettext, owner_gettext_lazy, owner_ngettext
from workspace.storage.models import SetAside
from workspace.support.models import InboundMail
from workspace.support.models.inbound_mail import HELD, IGNORED, JOINED, NEW

STATE_LABELS = {
    "parked": owner_gettext_lazy("Failed"),
    "waiting": owner_gettext_lazy("Waiting"),
    "sent": owner_gettext_lazy("Sent"),
}
BADGES = {
    DeliveryState.PARKED: "bad",
    DeliveryState.WAITING: "wait",
    DeliveryState.LEASED: "wait",
    DeliveryState.SENT: "good",
    JobState.FAILED: "bad",
    JobState.WORKING: "wait",
    JobState.DONE: "good",
    HELD: "wait",
    JOINED: "good",
    NEW: "good",
    IGNORED: "",
}


@require_operator()
def deliveries(request: SignedInRequest) -> HttpResponse:
    state = request.GET.get("state", "")
    state = state if state in STATE_LABELS else "parked"
    held = [DeliveryState.WAITING, DeliveryState.LEASED] if state == "waiting" else [DeliveryState(state)]
    found = Delivery.objects.filter(state__in=held).select_related("account").defer("payload")
    rows, listing = paginate(request, found.order_by("-created_at", "-id"))
    presented = [
        {"id": one.pk, "kind": one.kind, "business": one.account.name if one.account else "", "at": one.created_at}
        | {
            "why": one.last_error,
            "tries": one.attempts,
            "next": one.next_attempt_at,
            "badge": BADGES.get(one.state, ""),
        }
        for one in rows
    ]
    context = {"rows": presented, "listing": listing, "state": state, "here": f"{HOME}/deliveries", "home": HOME}
    return render(request, "operator_pages/deliveries.html", context)


@require_operator("POST")
def retry_deliveries(request: SignedInRequest) -> HttpResponse:
    """Retry one failed delivery, or all of them."""
    here = f"{HOME}/deliveries"
    parked = Delivery.objects.filter(state=DeliveryState.PARKED, payload__isnull=False)
    ids = list(parked.values_list("pk", flat=True)) if "all" in request.POST else [request.POST.get("id", "")[:40]]
    again = sum(Delivery.retry(id.replace("\0", "")) for id in ids)
    if not again:
        return redirect_with_message(
            request, owner_gettext("No deliveries resent. The content of deliveries is deleted after 30 days."), here
        )
    text = owner_ngettext("%(count)s delivery resent.", "%(count)s deliveries resent.", again)
    return redirect_with_message(request, text % {"count": again}, here)


@require_operator()
def jobs(request: SignedInRequest) -> HttpResponse:
    is_failed = request.GET.get("state") == "failed"
    found = Job.objects.select_related("account").order_by("-created_at", "-id")
    rows, listing = paginate(request, found.filter(state=JobState.FAILED) if is_failed else found)
    presented = [
        {"title": one.title, "business": one.account.name, "state": one.get_state_display(), "at": one.created_at}
        | {"done": one.done, "total": one.total, "faulty": one.failed_count, "badge": BADGES.get(one.state, "")}
        for one in rows
    ]
    context = {"rows": presented, "listing": listing, "is_failed": is_failed, "here": f"{HOME}/jobs", "home": HOME}
    return render(request, "operator_pages/jobs.html", context)


@require_operator()
def set_aside_rows(request: SignedInRequest) -> HttpResponse:
    """List rows that scheduled tasks could not handle, and tasks that failed as a whole."""
    rows, listing = paginate(request, SetAside.objects.order_by("-failed_at", "-pk"))
    context = {"rows": rows, "listing": listing, "here": f"{HOME}/set-aside", "home": HOME}
    return render(request, "operator_pages/set_aside.html", context)


@require_operator("POST")
def retry_set_aside(request: SignedInRequest) -> HttpResponse:
    """Retry one of these rows or tasks, or all of them."""
    here = f"{HOME}/set-aside"
    found = SetAside.objects.all()
    if "all" not in request.POST:
        id = request.POST.get("id", "")
        found = found.filter(pk=int(id)) if id.isdecimal() and len(id) < 19 else found.none()
    count = SetAside.schedule_retry(list(found.values_list("pk", flat=True)))
    if not count:
        return redirect_with_message(
            request, owner_gettext("Nothing to retry. The row has already been processed."), here
        )
    text = owner_ngettext(
        "%(count)s row will be retried at the next run of the task.",
        "%(count)s rows will be retried at the next run of the task.",
        count,
    )
    return redirect_with_message(request, text % {"count": count}, here)


@require_operator()
def inbound_mails(request: SignedInRequest) -> HttpResponse:
    """List emails to support with their results. The text of tickets is in the inbox."""
    found = InboundMail.objects.select_related("ticket").defer("raw").order_by("-received_at", "-id")
    rows, listing = paginate(request, found)
    presented = [
        {"sender": one.sender, "subject": one.subject, "outcome": one.outcome, "why": one.reason, "at": one.received_at}
        | {"size": one.size, "badge": BADGES.get(one.outcome, ""), "ticket": one.ticket}
        for one in rows
    ]
    context = {"rows": presented, "listing": listing, "home": HOME}
    return render(request, "operator_pages/mails.html", context)
