from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible import mark_compressible
from workspace.products.seat.dashboard import (
    arrange_views,
    checkin_views,
    detail_views,
    guest_views,
    import_views,
    list_views,
    plan_views,
    print_views,
    room_views,
    undo_views,
)
from workspace.products.seat.dashboard.layout import FRAME

_ONE = "/<str:id>"
_SEARCH = f"{_ONE}/arrange/<str:job_id>"

urlpatterns = [
    path("", list_views.charts, name="seat"),
    path("/new", list_views.new, name="seat-new"),
    path("/door-worker.js", checkin_views.worker),
    path(f"{_ONE}/act", plan_views.act),
    path(f"{_ONE}/since", plan_views.since),
    path(f"{_ONE}/room", room_views.room),
    path(f"{_ONE}/history", room_views.history),
    path(f"{_ONE}/undo/<int:step_id>", undo_views.undo),
    path(f"{_ONE}/table/<str:table_id>", detail_views.table),
    path(f"{_ONE}/guest/<str:guest_id>", detail_views.guest),
    path(f"{_ONE}/guest/<str:guest_id>/remove", detail_views.remove_guest),
    path(f"{_ONE}/guests/bring", import_views.bring),
    path(f"{_ONE}/wishes", arrange_views.wishes),
    path(_SEARCH, arrange_views.search),
    path(f"{_SEARCH}/progress", arrange_views.progress),
    path(f"{_SEARCH}/accept", arrange_views.accept),
    path(f"{_SEARCH}/stop", arrange_views.stop),
    path(f"{_ONE}/print/<str:kind>.pdf", print_views.paper),
    path(f"{_ONE}/print/<str:kind>.png", print_views.picture),
    path(f"{_ONE}/door/ticks", checkin_views.ticks),
    *FRAME.addresses(
        {
            "": plan_views.plan,
            "guests": guest_views.guests,
            "arrange": arrange_views.arrange,
            "print": print_views.papers,
            "door": checkin_views.door,
        }
    ),
]
mark_compressible(urlpatterns)
