"""Endpoints for guests' stars: counting a star, and saving the list for a personal calendar.

Everything else stays on the phone.
"""

from __future__ import annotations

from datetime import timedelta

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_POST

from workspace.lib import clock
from workspace.products.event.models import STAR, Event, StarList
from workspace.public_site import guest_page
from workspace.public_site.guest_page import guest_transaction
from workspace.public_site.spam_protection import is_same_origin
from workspace.publishing.models import Address
from workspace.rate_limits.counter import consume
from workspace.storage.database.transactions import write_transaction

MAX_SESSIONS = 200  # sessions of a list
MAX_LISTS = 5_000
RETENTION = timedelta(days=400)  # since the last change
_MAX_INPUT_LENGTH = 40 * MAX_SESSIONS


@require_POST
def star(request: HttpRequest, address: Address) -> HttpResponse:
    """Count a star for the session, and for the program as a whole: `/e/SLUG/star`."""
    if not is_same_origin(request):
        return _error_response(403)
    if not consume("event-star", request, item=address.publication_id):
        return _error_response(429)
    session = request.POST.get("session", "")[:40]
    if not session.isprintable() or not Event.from_address(address).sessions.filter(pk=session).exists():
        return _error_response(404)
    guest_page.count_visit(request, address.publication, STAR, part=session)
    return _json_response({})


@require_POST
def save_stars(request: HttpRequest, address: Address) -> HttpResponse:
    """Save stars under a new token, or under the given token if its key was sent: `/e/SLUG/my`."""
    if not is_same_origin(request):
        return _error_response(403)
    is_new = not request.POST.get("token")
    limit = "event-list-create" if is_new else "event-list-update"
    if not consume(limit, request, item=address.publication_id):
        return _error_response(429)
    event = Event.from_address(address)
    sent = set(request.POST.get("sessions", "")[:_MAX_INPUT_LENGTH].split(",")[:MAX_SESSIONS])
    sessions = [id for id in event.sessions.order_by("pk").values_list("pk", flat=True) if id in sent]
    if not is_new:
        return _update_list(event, request.POST["token"][:40], request.POST.get("key", "")[:100], sessions)
    with guest_transaction(address.publication_id):
        _delete_expired(event)
        if event.star_lists.count() >= MAX_LISTS:
            return _error_response(429)
        star_list = StarList.objects.create(event=event, sessions=sessions)
    return _json_response({"token": star_list.token, "key": star_list.key})


def _update_list(event: Event, token: str, key: str, sessions: list[str]) -> HttpResponse:
    star_list = event.star_lists.filter(pk=token.lower()).first() if token.isprintable() else None
    if star_list is None or not star_list.matches_key(key):
        return _error_response(404)
    if star_list.sessions != sessions:
        with write_transaction(relaxed=True):
            event.star_lists.filter(pk=star_list.pk).update(sessions=sessions, changed_at=clock.now())
    return _json_response({})


def _delete_expired(event: Event) -> None:
    """Delete a few lists that have not changed for a long time."""
    old = event.star_lists.filter(changed_at__lt=clock.now() - RETENTION).order_by("changed_at")
    StarList.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:20])).delete()


def _json_response(data: dict[str, str]) -> HttpResponse:
    return _private_response(JsonResponse(data))


def _error_response(status: int) -> HttpResponse:
    return _private_response(JsonResponse({}, status=status))


def _private_response(response: HttpResponse) -> HttpResponse:
    response.headers["Cache-Control"] = "no-store"
    return response
