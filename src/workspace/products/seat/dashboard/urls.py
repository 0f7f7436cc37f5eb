from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible import mark_compressible
from workspace.products.seat.dashboard import (
    arranging,
    bringing,
    details,
    door,
    pages,
    papers,
    people,
    plan,
    room,
    undoing,
)
from workspace.products.seat.dashboard.frame import FRAME

_ONE = "/<str:id>"
_SEARCH = f"{_ONE}/arrange/<str:job_id>"

urlpatterns = [
    path("", pages.charts, name="seat"),
    path("/new", pages.new, name="seat-new"),
    path("/door-worker.js", door.worker),
    path(f"{_ONE}/act", plan.act),
    path(f"{_ONE}/since", plan.since),
    path(f"{_ONE}/room", room.room),
    path(f"{_ONE}/history", room.history),
    path(f"{_ONE}/undo/<int:step_id>", undoing.undo),
    path(f"{_ONE}/table/<str:table_id>", details.table),
    path(f"{_ONE}/guest/<str:guest_id>", details.guest),
    path(f"{_ONE}/guest/<str:guest_id>/remove", details.remove_guest),
    path(f"{_ONE}/guests/bring", bringing.bring),
    path(f"{_ONE}/wishes", arranging.wishes),
    path(_SEARCH, arranging.search),
    path(f"{_SEARCH}/progress", arranging.progress),
    path(f"{_SEARCH}/accept", arranging.accept),
    path(f"{_SEARCH}/stop", arranging.stop),
    path(f"{_ONE}/print/<str:kind>.pdf", papers.paper),
    path(f"{_ONE}/print/<str:kind>.png", papers.picture),
    path(f"{_ONE}/door/ticks", door.ticks),
    *FRAME.addresses(
        {
            "": plan.plan,
            "guests": people.guests,
            "arrange": arranging.arrange,
            "print": papers.papers,
            "door": door.door,
        }
    ),
]
mark_compressible(urlpatterns)
