"""Service workers of guest pages, which store opened pages for offline use.

A worker is served from the folder of its pages, because a browser lets it handle only addresses below its own.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.http import HttpResponse


def render_worker(script: Path) -> HttpResponse:
    """Return the service worker. Browsers check for a new version on each visit."""
    response = HttpResponse(_read_script(script), content_type="text/javascript; charset=utf-8")
    response.headers["Cache-Control"] = "no-cache"
    return response


@cache
def _read_script(script: Path) -> bytes:
    return script.read_bytes()
