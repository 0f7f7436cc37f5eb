"""URLs of the owners' pages of event programs."""

from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible_pages import mark_compressible
from workspace.dashboard.item_urls import build_item_urls
from workspace.products.event.dashboard import (
    block_views,
    day_room_track_views,
    design_views,
    grid_views,
    import_views,
    list_views,
    session_table_views,
    session_views,
    speaker_views,
)
from workspace.products.event.dashboard.item_layout import LAYOUT

urlpatterns = [
    path("", list_views.programs),
    path("/new", list_views.new),
    *build_item_urls(
        LAYOUT,
        {
            "": session_table_views.sessions,
            "grid": grid_views.grid,
            "speakers": speaker_views.speakers,
            "more": block_views.blocks,
            "import": import_views.import_sessions,
            "look": design_views.design,
        },
    ),
    path("/<str:id>/publish", design_views.publish),
    path("/<str:id>/places/<str:name>", day_room_track_views.save_list),
    path("/<str:id>/sessions", session_table_views.add_session),
    path("/<str:id>/sessions/<str:session>", session_views.edit),
    path("/<str:id>/sessions/<str:session>/row", session_table_views.update_session),
    path("/<str:id>/sessions/<str:session>/remove", session_table_views.remove_session),
    path("/<str:id>/sessions/<str:session>/delete", session_views.delete),
    path("/<str:id>/grid/<str:session>", grid_views.move),
    path("/<str:id>/speakers/<str:speaker>", speaker_views.edit),
    path("/<str:id>/speakers/<str:speaker>/delete", speaker_views.delete),
    path("/<str:id>/speakers/<str:speaker>/<str:direction>", speaker_views.move),
    path("/<str:id>/more/new/<str:kind>", block_views.new),
    path("/<str:id>/more/<str:block>", block_views.edit),
    path("/<str:id>/more/<str:block>/delete", block_views.delete),
    path("/<str:id>/more/<str:block>/<str:direction>", block_views.move),
]
mark_compressible(urlpatterns)
