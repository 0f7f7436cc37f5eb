from __future__ import annotations

from django.urls import re_path

from workspace.brand import stylesheet_views
from workspace.brand.style import PATH

urlpatterns = [
    re_path(rf"^looks/{PATH}\.(?P<digest_>[0-9a-f]{{12}})\.css$", stylesheet_views.look, name="look"),
    re_path(r"^looks/faces\.(?P<digest_>[0-9a-f]{12})\.css$", stylesheet_views.faces, name="faces"),
]
