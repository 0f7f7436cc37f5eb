"""Icons that only cards need, in the manner of the house's: strokes on a 24 by 24 grid."""

from __future__ import annotations

from django.utils.safestring import SafeString, mark_safe

from workspace.dashboard import icons

_STROKES = {
    "phone": "M6.5 3.5h3l1.5 4.5-2 1.5a11 11 0 0 0 5.5 5.5l1.5-2 4.5 1.5v3a2 2 0 0 1-2.2 2"
    "A16.5 16.5 0 0 1 4.5 5.7a2 2 0 0 1 2-2.2z",
    "pin": "M12 21c-4-4.5-6.5-7.6-6.5-11a6.5 6.5 0 0 1 13 0c0 3.4-2.5 6.5-6.5 11zM12 7.5a2.5 2.5 0 1 0 .01 0",
    "globe": "M12 3.5a8.5 8.5 0 1 0 .01 0M3.5 12h17M12 3.5c-5 5-5 12 0 17c5-5 5-12 0-17",
    "save": "M10.5 4.5a3.5 3.5 0 1 0 .01 0M3.5 20c.5-4 3-5.5 7-5.5c1 0 2 .1 2.8.4M18 14v7M14.5 17.5h7",
}


def icon(name: str) -> SafeString:
    """One of these, else the house's."""
    strokes = _STROKES.get(name)
    if strokes is None:
        return icons.icon(name)
    return mark_safe(
        f'<svg class="icon" viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" '
        f'stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">'
        f'<path d="{strokes}"/></svg>'
    )
