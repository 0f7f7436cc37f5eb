from __future__ import annotations

from django.urls import include, path

from workspace.products.event import files, pages, starring
from workspace.products.event.models import Event
from workspace.publishing.guest_urls import guest_addresses

SESSION = r"/s/(?P<session>ses_[0-9a-z]{26})"
TOKEN = r"/[mM][yY]/(?P<token>[0-9a-zA-Z]{24})"

urlpatterns = [
    path("app/event", include("workspace.products.event.dashboard.urls")),
    *guest_addresses(
        Event,
        page=pages.page,
        code="program",
        face=pages.face_at,
        paused=pages.coming_soon,
        parts={
            SESSION: pages.session,
            rf"{SESSION}\.ics": files.entry,
            "/speakers": pages.speakers,
            "/info": pages.info,
            "/print": pages.paper,
            "/my": starring.keep,
            TOKEN: pages.my,
            rf"{TOKEN}\.svg": pages.my_code,
            rf"{TOKEN}\.ics": files.my_feed,
            "/star": starring.star,
            r"/sw\.js": pages.worker,
            r"\.ics": files.feed,
            r"\.json": files.texts,
        },
    ),
]
