"""The outbox page.

It replaces a mailbox on a developer's machine and shows failures and their reasons to administrators.
"""

from __future__ import annotations

from email.message import Message
from ipaddress import ip_address

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from workspace.accounts.models import Account
from workspace.delivery import mail, outbox
from workspace.delivery.models import Delivery, DeliveryState
from workspace.owner_translation import owner_gettext, owner_gettext_lazy

PAGE_SIZE = 50
STATE_LABELS = {
    DeliveryState.WAITING.value: owner_gettext_lazy("Waiting"),
    DeliveryState.LEASED.value: owner_gettext_lazy("Sending"),
    DeliveryState.SENT.value: owner_gettext_lazy("Sent"),
    DeliveryState.KEPT.value: owner_gettext_lazy("Not sent"),
    DeliveryState.PARKED.value: owner_gettext_lazy("Not delivered"),
    DeliveryState.WITHDRAWN.value: owner_gettext_lazy("Withdrawn"),
}
# The HTML of an email is untrusted: no scripts, no requests, and shown only in our own frame.
EMAIL_CONTENT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox"
)


@require_safe
def outbox_list(request: HttpRequest) -> HttpResponse:
    """List deliveries, newest first, 50 per page. `?before=ID` continues the list, and `?state=parked` filters it."""
    _check_access(request)
    # without bodies, since a page of them could be megabytes
    rows = Delivery.objects.order_by("-id").values(
        "id", "kind", "state", "attempts", "created_at", "last_error", "payload__to", "payload__subject"
    )
    state = request.GET.get("state", "")
    if state in DeliveryState.values:
        rows = rows.filter(state=state)
    # PostgreSQL rejects a NUL in a query
    before = request.GET.get("before", "").replace("\0", "")
    if before:
        rows = rows.filter(id__lt=before)
    shown = list(rows[: PAGE_SIZE + 1])
    more = shown[PAGE_SIZE - 1]["id"] if len(shown) > PAGE_SIZE else None
    context = {
        "rows": shown[:PAGE_SIZE],
        "more": more,
        "state": state if state in DeliveryState.values else "",
        "states": STATE_LABELS.items(),
    }
    return _private_response(render(request, "delivery/owner/outbox.html", context))


@require_safe
def outbox_message(request: HttpRequest, id: str) -> HttpResponse:
    _check_access(request)
    row = _get_delivery(id)
    context: dict[str, object] = {
        "row": row,
        "retryable": row.state == DeliveryState.PARKED and row.payload is not None,
    }
    if row.kind == mail.KIND and row.payload is not None:
        message = mail.parse_message(row)
        text = message.get_body(("plain",))
        context |= {
            "mail": message,
            "headers": [(name, str(value)) for name, value in message.items()],
            "text": _decode_part(text) if text else "",
            "has_html": message.get_body(("html",)) is not None,
            "attachments": [
                (
                    part.get_filename() or owner_gettext("unnamed"),
                    part.get_content_type(),
                    len(part.get_payload(decode=True) or b""),
                )
                for part in message.iter_attachments()
            ],
        }
    return _private_response(render(request, "delivery/owner/message.html", context))


@require_safe
def outbox_html(request: HttpRequest, id: str) -> HttpResponse:
    """Return only the HTML of an email, for the sandboxed frame. Links open in a new tab."""
    _check_access(request)
    row = _get_delivery(id)
    if row.kind != mail.KIND or row.payload is None:
        raise Http404
    body = mail.parse_message(row).get_body(("html",))
    if body is None:
        raise Http404
    response = HttpResponse('<!doctype html><base target="_blank">' + _decode_part(body))
    response.headers["Content-Security-Policy"] = EMAIL_CONTENT_POLICY
    response.headers["X-Frame-Options"] = "SAMEORIGIN"
    response.headers["Referrer-Policy"] = "no-referrer"
    return _private_response(response)


@require_POST
def outbox_retry(request: HttpRequest, id: str) -> HttpResponse:
    _check_access(request)
    if Delivery.retry(_get_delivery(id).id):
        outbox.wake_event.set()
    return redirect("outbox_message", id=id)


def can_view_outbox(request: HttpRequest) -> bool:
    """Return whether this person may view the outbox.

    These emails contain sign-in links, so administrators may read them. If there is no mail server, a visitor on the
    machine itself may view them, too. The base URL is not enough, because a neighbor can forge the Host header. If the
    machine has several user accounts, only administrators may read them.
    """
    if getattr(request.user, "is_operator", False):
        return True
    is_here = settings.LOCAL and not settings.SMTP_HOST and _is_local(getattr(request, "client_address", ""))
    return is_here and Account.objects.order_by()[:2].count() <= 1


def _check_access(request: HttpRequest) -> None:
    if not can_view_outbox(request):
        raise Http404


def _is_local(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def _get_delivery(id: str) -> Delivery:
    row = Delivery.objects.filter(pk=id.replace("\0", "")).first()
    if row is None:
        raise Http404
    return row


def _decode_part(part: Message) -> str:
    """Return a part as text. We write bodies in UTF-8, and invalid bytes from elsewhere are replaced."""
    raw = part.get_payload(decode=True)
    return raw.decode("utf-8", "replace") if isinstance(raw, bytes) else ""


def _private_response(response: HttpResponse) -> HttpResponse:
    response.headers["Cache-Control"] = "no-store"
    return response
