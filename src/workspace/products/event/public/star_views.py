"""What guests' phones tell of their stars: that a session was starred, which counts, and the stars of who asked for a
calendar of their own. The rest stays on the phone."""

from __future__ import annotations

from datetime import timedelta

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_POST

from workspace.lib import clock
from workspace.products.event.models import STAR, Event, Starred
from workspace.public_site import guest_page
from workspace.public_site.guest_page import acting
from workspace.public_site.spam_protection import allow, same_origin
from workspace.publishing.models import Address
from workspace.storage.database.transactions import writing

STARS, WINDOW = 120, 600  # that one guest may tell within so many seconds
MADE, UPDATED = 5, 60  # calendars of their own, in an hour, and changes of them, within the window
MOST = 200  # sessions in one
MOST_OF_EVENT = 5_000
KEPT = timedelta(days=400)  # since its last change
_LONGEST = 40 * MOST
_HOUR = 3600


@require_POST
def star(request: HttpRequest, address: Address) -> HttpResponse:
    """`/e/SLUG/star`: a session was starred; counted as the program's and the session's."""
    if not same_origin(request):
        return _refused(403)
    if not allow(request, f"event-star:{address.publication_id}", limit=STARS, window=WINDOW):
        return _refused(429)
    session = request.POST.get("session", "")[:40]
    if not session.isprintable() or not Event.at(address).sessions.filter(pk=session).exists():
        return _refused(404)
    guest_page.count(request, address.publication, STAR, part=session)
    return _told({})


@require_POST
def keep(request: HttpRequest, address: Address) -> HttpResponse:
    """`/e/SLUG/my`: keep these stars, under a new token or under the one that is told, with its key."""
    if not same_origin(request):
        return _refused(403)
    is_new = not request.POST.get("token")
    limit, window = (MADE, _HOUR) if is_new else (UPDATED, WINDOW)
    if not allow(request, f"event-{'new' if is_new else 'my'}:{address.publication_id}", limit=limit, window=window):
        return _refused(429)
    event = Event.at(address)
    sent = set(request.POST.get("sessions", "")[:_LONGEST].split(",")[:MOST])
    sessions = [id for id in event.sessions.order_by("pk").values_list("pk", flat=True) if id in sent]
    if not is_new:
        return _changed(event, request.POST["token"][:40], request.POST.get("key", "")[:100], sessions)
    with acting(address.publication_id):
        _forget(event)
        if event.starred.count() >= MOST_OF_EVENT:
            return _refused(429)
        made = Starred.objects.create(event=event, sessions=sessions)
    return _told({"token": made.token, "key": made.key})


def _changed(event: Event, token: str, key: str, sessions: list[str]) -> HttpResponse:
    kept = event.starred.filter(pk=token.lower()).first() if token.isprintable() else None
    if kept is None or not kept.opens_with(key):
        return _refused(404)
    if kept.sessions != sessions:
        with writing(relaxed=True):
            event.starred.filter(pk=kept.pk).update(sessions=sessions, changed_at=clock.now())
    return _told({})


def _forget(event: Event) -> None:
    """A few that nobody has changed for long."""
    old = event.starred.filter(changed_at__lt=clock.now() - KEPT).order_by("changed_at")
    Starred.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:20])).delete()


def _told(what: dict[str, str]) -> HttpResponse:
    return _private(JsonResponse(what))


def _refused(status: int) -> HttpResponse:
    return _private(JsonResponse({}, status=status))


def _private(response: HttpResponse) -> HttpResponse:
    response.headers["Cache-Control"] = "no-store"
    return response
