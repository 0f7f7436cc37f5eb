from __future__ import annotations

from django.urls import re_path

from workspace.brand import pages
from workspace.brand.look import PATH

urlpatterns = [
    re_path(rf"^looks/{PATH}\.(?P<digest_>[0-9a-f]{{12}})\.css$", pages.look, name="look"),
    re_path(r"^looks/faces\.(?P<digest_>[0-9a-f]{12})\.css$", pages.faces, name="faces"),
]
