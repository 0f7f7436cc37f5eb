"""URLs of the owners' pages of seating charts."""

from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible_pages import mark_compressible
from workspace.dashboard.item_urls import build_item_urls
from workspace.products.seat.dashboard import (
    arrange_views,
    checkin_views,
    guest_views,
    import_views,
    list_views,
    plan_views,
    print_views,
    room_views,
    table_and_guest_views,
    undo_views,
)
from workspace.products.seat.dashboard.item_layout import LAYOUT

_CHART_PATH = "/<str:id>"
_SEARCH_PATH = f"{_CHART_PATH}/arrange/<str:job_id>"

urlpatterns = [
    path("", list_views.list_charts, name="seat"),
    path("/new", list_views.new, name="seat-new"),
    path("/door-worker.js", checkin_views.service_worker),
    path(f"{_CHART_PATH}/act", plan_views.handle_action),
    path(f"{_CHART_PATH}/since", plan_views.list_changes),
    path(f"{_CHART_PATH}/room", room_views.room),
    path(f"{_CHART_PATH}/history", room_views.history),
    path(f"{_CHART_PATH}/undo/<int:step_id>", undo_views.confirm_undo),
    path(f"{_CHART_PATH}/table/<str:table_id>", table_and_guest_views.edit_table),
    path(f"{_CHART_PATH}/guest/<str:guest_id>", table_and_guest_views.edit_guest),
    path(f"{_CHART_PATH}/guest/<str:guest_id>/remove", table_and_guest_views.remove_guest),
    path(f"{_CHART_PATH}/guests/bring", import_views.import_guests),
    path(f"{_CHART_PATH}/preferences", arrange_views.edit_preferences),
    path(_SEARCH_PATH, arrange_views.show_search),
    path(f"{_SEARCH_PATH}/progress", arrange_views.progress),
    path(f"{_SEARCH_PATH}/accept", arrange_views.accept_moves),
    path(f"{_SEARCH_PATH}/stop", arrange_views.stop_search),
    path(f"{_CHART_PATH}/print/<str:kind>.pdf", print_views.download_pdf),
    path(f"{_CHART_PATH}/print/<str:kind>.png", print_views.preview_image),
    path(f"{_CHART_PATH}/door/ticks", checkin_views.sync_ticks),
    *build_item_urls(
        LAYOUT,
        {
            "": plan_views.show_plan,
            "guests": guest_views.edit_guests,
            "arrange": arrange_views.arrange,
            "print": print_views.list_prints,
            "door": checkin_views.checkin,
        },
    ),
]
mark_compressible(urlpatterns)
