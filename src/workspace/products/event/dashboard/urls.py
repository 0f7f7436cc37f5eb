from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible import mark_compressible
from workspace.products.event.dashboard import (
    bringing,
    grid,
    listing,
    look,
    more,
    people,
    places,
    session,
    sessions,
)
from workspace.products.event.dashboard.frame import FRAME

urlpatterns = [
    path("", listing.programs),
    path("/new", listing.new),
    *FRAME.addresses(
        {
            "": sessions.sessions,
            "grid": grid.grid,
            "speakers": people.speakers,
            "more": more.more,
            "import": bringing.bring,
            "look": look.look,
        }
    ),
    path("/<str:id>/publish", look.publish),
    path("/<str:id>/places/<str:name>", places.save),
    path("/<str:id>/sessions", sessions.add),
    path("/<str:id>/sessions/<str:session>", session.session),
    path("/<str:id>/sessions/<str:session>/row", sessions.row),
    path("/<str:id>/sessions/<str:session>/remove", sessions.remove),
    path("/<str:id>/sessions/<str:session>/delete", session.delete),
    path("/<str:id>/grid/<str:session>", grid.move),
    path("/<str:id>/speakers/<str:speaker>", people.speaker),
    path("/<str:id>/speakers/<str:speaker>/delete", people.delete),
    path("/<str:id>/speakers/<str:speaker>/<str:way>", people.move),
    path("/<str:id>/more/new/<str:kind>", more.new),
    path("/<str:id>/more/<str:block>", more.block),
    path("/<str:id>/more/<str:block>/delete", more.delete),
    path("/<str:id>/more/<str:block>/<str:way>", more.move),
]
mark_compressible(urlpatterns)
