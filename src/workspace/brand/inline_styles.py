"""Style sheets inside guest pages, so that a phone with a slow connection need not wait for additional files.

The page's policy contains the hash of each: see `lib.content_security_policy`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.contrib.staticfiles import finders
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from workspace.lib.content_security_policy import allow_styles, hash_style
from workspace.storage.files.static_files import remove_comments


def render_style(css: str, name: str) -> SafeString:
    """Render a style element and allow it on the page. `name` identifies the style sheet in the page's source."""
    allow_styles([hash_style(css)])
    return format_html('<style data-sheet="{}">{}</style>', name, mark_safe(css))


@cache
def read_sheet(name: str) -> str:
    """Return the text of a static style sheet, such as `menu/guest.css`."""
    path = finders.find(name)
    if not isinstance(path, str):
        raise FileNotFoundError(name)
    return remove_comments(Path(path))
