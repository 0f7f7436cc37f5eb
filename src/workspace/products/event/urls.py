from __future__ import annotations

from django.urls import include, path

from workspace.products.event.models import Event
from workspace.products.event.public import file_views, star_views, views
from workspace.public_site.guest_urls import guest_addresses

SESSION = r"/s/(?P<session>ses_[0-9a-z]{26})"
TOKEN = r"/[mM][yY]/(?P<token>[0-9a-zA-Z]{24})"

urlpatterns = [
    path("app/event", include("workspace.products.event.dashboard.urls")),
    *guest_addresses(
        Event,
        page=views.page,
        code="program",
        face=views.face_at,
        paused=views.coming_soon,
        parts={
            SESSION: views.session,
            rf"{SESSION}\.ics": file_views.entry,
            "/speakers": views.speakers,
            "/info": views.info,
            "/print": views.paper,
            "/my": star_views.keep,
            TOKEN: views.my,
            rf"{TOKEN}\.svg": views.my_code,
            rf"{TOKEN}\.ics": file_views.my_feed,
            "/star": star_views.star,
            r"/sw\.js": views.worker,
            r"\.ics": file_views.feed,
            r"\.json": file_views.texts,
        },
    ),
]
