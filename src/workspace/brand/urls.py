"""URLs of style sheets for guest pages."""

from __future__ import annotations

from django.urls import re_path

from workspace.brand import stylesheet_views
from workspace.brand.style import PATH_PATTERN

urlpatterns = [
    re_path(
        rf"^styles/{PATH_PATTERN}\.(?P<digest_>[0-9a-f]{{12}})\.css$", stylesheet_views.style_css, name="style_css"
    ),
    re_path(r"^styles/faces\.(?P<digest_>[0-9a-f]{12})\.css$", stylesheet_views.fonts_css, name="fonts_css"),
]
