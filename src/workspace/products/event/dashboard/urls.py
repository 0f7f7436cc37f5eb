from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible import mark_compressible
from workspace.products.event.dashboard import (
    block_views,
    design_views,
    grid_views,
    import_views,
    list_views,
    session_table_views,
    session_views,
    speaker_views,
    structure_forms,
)
from workspace.products.event.dashboard.layout import FRAME

urlpatterns = [
    path("", list_views.programs),
    path("/new", list_views.new),
    *FRAME.addresses(
        {
            "": session_table_views.sessions,
            "grid": grid_views.grid,
            "speakers": speaker_views.speakers,
            "more": block_views.more,
            "import": import_views.bring,
            "look": design_views.look,
        }
    ),
    path("/<str:id>/publish", design_views.publish),
    path("/<str:id>/places/<str:name>", structure_forms.save),
    path("/<str:id>/sessions", session_table_views.add),
    path("/<str:id>/sessions/<str:session>", session_views.session),
    path("/<str:id>/sessions/<str:session>/row", session_table_views.row),
    path("/<str:id>/sessions/<str:session>/remove", session_table_views.remove),
    path("/<str:id>/sessions/<str:session>/delete", session_views.delete),
    path("/<str:id>/grid/<str:session>", grid_views.move),
    path("/<str:id>/speakers/<str:speaker>", speaker_views.speaker),
    path("/<str:id>/speakers/<str:speaker>/delete", speaker_views.delete),
    path("/<str:id>/speakers/<str:speaker>/<str:way>", speaker_views.move),
    path("/<str:id>/more/new/<str:kind>", block_views.new),
    path("/<str:id>/more/<str:block>", block_views.block),
    path("/<str:id>/more/<str:block>/delete", block_views.delete),
    path("/<str:id>/more/<str:block>/<str:way>", block_views.move),
]
mark_compressible(urlpatterns)
