from __future__ import annotations

from django.urls import re_path

from workspace.brand import stylesheet_views
from workspace.brand.style import PATH_PATTERN

urlpatterns = [
    re_path(rf"^looks/{PATH_PATTERN}\.(?P<digest_>[0-9a-f]{{12}})\.css$", stylesheet_views.style_css, name="look"),
    re_path(r"^looks/faces\.(?P<digest_>[0-9a-f]{12})\.css$", stylesheet_views.fonts_css, name="faces"),
]
