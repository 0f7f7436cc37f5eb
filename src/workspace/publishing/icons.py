"""The icons of owner's and guest pages: strokes on a 24 by 24 grid.

They are drawn for this service. A name describes the meaning, not the shape.
"""

from __future__ import annotations

from django.utils.safestring import SafeString, mark_safe

_STROKES = {
    # Products.
    "qr": "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2.5v2.5M20 14v3M14 20h3M20 20h.01",
    "card": "M3 6.5h18v11H3zM7 14.5c.3-1.6 1.2-2.3 2.3-2.3s2 .7 2.3 2.3M9.3 9.6h.01M14.5 10h3.5M14.5 13.5h3.5",
    "quote": "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 15.5h6",
    "book": "M4 6h16v14H4zM4 10.5h16M8.5 3.5V7M15.5 3.5V7M9 15.2l2 2 4-3.7",
    "menu_card": "M5 4h14v16H5zM12 4v16M8 8.5h1.5M8 12h1.5M14.5 8.5H16M14.5 12H16",
    "review": "M12 4l2.4 5 5.6.7-4.1 3.8 1.1 5.5-5-2.8-5 2.8 1.1-5.5L4 9.7l5.6-.7z",
    "link": "M10 14a3.8 3.8 0 0 0 5.6.2l3-3a3.9 3.9 0 0 0-5.5-5.5L12 6.8M14 10a3.8 3.8 0 0 0-5.6-.2"
    "l-3 3a3.9 3.9 0 0 0 5.5 5.5l1.1-1.1",
    "cert": "M5 4h14v10.5H5zM8.5 8h7M8.5 11h4M12 14.5a2.6 2.6 0 1 0 .01 0M10.3 19l-.8 3 2.5-1.3L14.5 22l-.8-3",
    "program": "M5 3.5h14v17H5zM8.5 8h7M8.5 12h7M8.5 16h4",
    "seat": "M12 8a4 4 0 1 0 .01 0M12 3.5h.01M12 20.5h.01M3.5 12h.01M20.5 12h.01M6 6h.01M18 6h.01M6 18h.01M18 18h.01",
    "form": "M4 5h16M4 9.5h10M4 14h5v5H4zM13 14h7v5h-7z",
    "waiver": "M6 3h12v18H6zM9 7.5h6M9 11h6M8.5 17c1.5-2.5 2.5-2.5 3 0 .8-1.5 1.8-1.6 3.5-.3",
    "help": "M12 3.5a8.5 8.5 0 1 0 .01 0M9.8 9.8a2.3 2.3 0 1 1 3.3 2.2c-.8.4-1.1.9-1.1 1.7M12 16.5h.01",
    # Navigation.
    "home": "M4 11l8-6.5L20 11v9h-5.5v-5.5h-5V20H4z",
    "menu": "M4 7h16M4 12h16M4 17h16",
    "person": "M12 4.5a3.7 3.7 0 1 0 .01 0M5 20c.6-4 3.5-5.5 7-5.5s6.4 1.5 7 5.5",
    "people": "M9 5a3.2 3.2 0 1 0 .01 0M3 19.5c.4-3.6 2.8-5 6-5s5.6 1.4 6 5M16 5.3a3.2 3.2 0 0 1 0 6"
    "M17.5 14.8c2 .5 3.2 2 3.5 4.7",
    "assistant": "M5 8.5h14V19H5zM12 8.5V4.5M12 4.5h.01M9.3 12.8v1.2M14.7 12.8v1.2M2.5 12.5v3M21.5 12.5v3",
    "webhook": "M12 4.5a3 3 0 0 1 2.4 4.8l-2.9 5.2M9.6 9.3A3 3 0 0 1 9.7 5.6M6.2 13.7a3 3 0 1 0 3.3 3.8h5.5"
    "M17.5 14.5a3 3 0 1 1-1.9 5.3M12.3 7.5l3 5.3",
    "history": "M4.5 12a7.8 7.8 0 1 1 2.3 5.5M4.5 17.8v-5h5M12 8v4.3l3 1.8",
    "sliders": "M4 7.5h8.5M17 7.5h3M12.5 5.3v4.4M4 16.5h3M11.5 16.5H20M11.5 14.3v4.4",
    "code": "M8.5 7L3.5 12l5 5M15.5 7l5 5-5 5M13.5 5l-3 14",
    "key": "M8 11.5a4 4 0 1 0 .01 0M11 13l8.5-8.5M16.5 7.5l2.5 2.5",
    "plug": "M9 3.5V8M15 3.5V8M6.5 8h11v3.5a5.5 5.5 0 0 1-11 0zM12 17v4",
    "gear": "M12 9a3 3 0 1 0 .01 0M12 3.5v2.5M12 18v2.5M4.6 7.8l2.2 1.2M17.2 15l2.2 1.2M4.6 16.2L6.8 15M17.2 9l2.2-1.2",
    "leave": "M13 4.5H5v15h8M10 12h10M16.5 8.5L20 12l-3.5 3.5",
    "swap": "M4 8.5h14M15 5.5l3 3-3 3M20 15.5H6M9 12.5l-3 3 3 3",
    "moon": "M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z",
    "chevrons": "M8.5 10L12 6.5 15.5 10M8.5 14l3.5 3.5 3.5-3.5",
    # Actions and states.
    "plus": "M12 5v14M5 12h14",
    "search": "M10.5 4.5a6 6 0 1 0 .01 0M15 15l5 5",
    "filter": "M4 7h16M7 12h10M10 17h4",
    "share": "M12 15V4M8 7.5L12 3.5l4 4M7.5 11H5v9.5h14V11h-2.5",
    "copy": "M8.5 8.5h11v11h-11zM15.5 8.5v-4h-11v11h4",
    "download": "M12 4v11M7.5 11l4.5 4.5L16.5 11M4.5 19.5h15",
    "upload": "M12 15.5V4.5M7.5 9L12 4.5 16.5 9M4.5 19.5h15",
    "pencil": "M4.5 19.5l1-4L16 5l3 3L8.5 18.5zM13.5 7.5l3 3",
    "bin": "M4.5 7h15M9.5 7V4.5h5V7M6.5 7l1 13h9l1-13M10.3 11v5M13.7 11v5",
    "pause": "M8.5 5.5v13M15.5 5.5v13",
    "play": "M7.5 5l11 7-11 7z",
    "undo": "M8.5 5.5l-4 4 4 4M4.5 9.5h9.5a5 5 0 0 1 0 10h-4",
    "check": "M5 12.5l4.5 4.5L19 7.5",
    "close": "M6 6l12 12M18 6L6 18",
    "warning": "M12 4.5L21 19.5H3zM12 10v4.5M12 17h.01",
    "info": "M12 3.5a8.5 8.5 0 1 0 .01 0M12 11v5.5M12 8h.01",
    "outside": "M10 6H5.5v12.5H18V14M13.5 5H19v5.5M19 5l-8 8",
    "right": "M9.5 5.5L16 12l-6.5 6.5",
    "left": "M14.5 5.5L8 12l6.5 6.5",
    "chart": "M4.5 4.5v15h15M9 16v-4M13 16V8.5M17 16v-6",
    "folder": "M3.5 6h6l2 2.5h9V19h-17z",
    "lock": "M5.5 10.5h13v9.5h-13zM8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5M12 14.5v2",
    "mail": "M3.5 6h17v12.5h-17zM4 7l8 6 8-6",
    "clock": "M12 3.5a8.5 8.5 0 1 0 .01 0M12 7.5V12l3 2.5",
    "eye": "M2.5 12C5 7.5 8.5 6 12 6s7 1.5 9.5 6c-2.5 4.5-6 6-9.5 6s-7-1.5-9.5-6zM12 9.5a2.5 2.5 0 1 0 .01 0",
    "print": "M7 8.5v-5h10v5M7 16.5H4v-8h16v8h-3M7 14h10v6.5H7z",
    "spark": "M12 3.5l2 6.5 6.5 2-6.5 2-2 6.5-2-6.5-6.5-2 6.5-2z",
    "tag": "M4 12.5V4.5h8L20.5 13l-7.5 7.5zM8.3 8.5h.01",
    "flag": "M6 21V4h11.5l-2.5 4 2.5 4H6",
    "grid": "M4 4h6.5v6.5H4zM13.5 4H20v6.5h-6.5zM4 13.5h6.5V20H4zM13.5 13.5H20V20h-6.5z",
    "phone": "M6.5 3.5h3l1.5 4.5-2 1.5a11 11 0 0 0 5.5 5.5l1.5-2 4.5 1.5v3a2 2 0 0 1-2.2 2"
    "A16.5 16.5 0 0 1 4.5 5.7a2 2 0 0 1 2-2.2z",
    "wifi": "M3 9.5a13 13 0 0 1 18 0M6 12.8a8.6 8.6 0 0 1 12 0M9 16a4.3 4.3 0 0 1 6 0M12 19.2h.01",
    "message": "M4 5h16v11H10l-4.5 4v-4H4zM8 9h8M8 12.2h5",
    "text": "M5 6.5V5h14v1.5M12 5v14.5M9.5 19.5h5",
    "pin": "M12 21c-4-4.5-6.5-7.6-6.5-11a6.5 6.5 0 0 1 13 0c0 3.4-2.5 6.5-6.5 11zM12 7.5a2.5 2.5 0 1 0 .01 0",
    "globe": "M12 3.5a8.5 8.5 0 1 0 .01 0M3.5 12h17M12 3.5c-5 5-5 12 0 17c5-5 5-12 0-17",
    "save_person": "M10.5 4.5a3.5 3.5 0 1 0 .01 0M3.5 20c.5-4 3-5.5 7-5.5c1 0 2 .1 2.8.4M18 14v7M14.5 17.5h7",
    "dot": "M12 9.5a2.5 2.5 0 1 0 .01 0",
}
ICON_NAMES = frozenset(_STROKES)


def render_icon(name: str) -> SafeString:
    """Return an icon as inline SVG. For an unknown name, return a dot.

    It is hidden from screen readers, because the text next to it has the same meaning.
    """
    strokes = _STROKES.get(name, _STROKES["dot"])
    return mark_safe(
        f'<svg class="icon" viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" '
        f'stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">'
        f'<path d="{strokes}"/></svg>'
    )
