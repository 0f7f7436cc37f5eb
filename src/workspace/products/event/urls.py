"""URLs of event programs: the dashboard and guest pages."""

from __future__ import annotations

from django.urls import include, path

from workspace.products.event.models import Event
from workspace.products.event.public import file_views, star_views, views
from workspace.public_site.guest_urls import guest_urlpatterns

SESSION_PATTERN = r"/s/(?P<session>ses_[0-9a-z]{26})"
TOKEN_PATTERN = r"/[mM][yY]/(?P<token>[0-9a-zA-Z]{24})"

urlpatterns = [
    path("app/event", include("workspace.products.event.dashboard.urls")),
    *guest_urlpatterns(
        Event,
        page=views.page,
        qr_file_name="program",
        preview=views.share_preview_at,
        paused=views.coming_soon,
        parts={
            SESSION_PATTERN: views.session,
            rf"{SESSION_PATTERN}\.ics": file_views.session_calendar,
            "/speakers": views.speakers,
            "/info": views.info,
            "/print": views.print_page,
            "/my": star_views.save_stars,
            TOKEN_PATTERN: views.my_program,
            rf"{TOKEN_PATTERN}\.svg": views.my_qr_code,
            rf"{TOKEN_PATTERN}\.ics": file_views.starred_feed,
            "/star": star_views.star,
            r"/sw\.js": views.service_worker,
            r"\.ics": file_views.calendar_feed,
            r"\.json": file_views.session_descriptions,
        },
    ),
]
