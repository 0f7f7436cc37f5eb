"""A small SVG picture of a theme: a page with three buttons."""

from __future__ import annotations

from workspace.products.links.rules.themes import MONO, Theme

WIDTH, HEIGHT = 96, 128


def render_swatch(theme: Theme) -> str:
    corner = min(theme.radius * 8, 9)
    hard = "0.25rem 0.25rem 0" in theme.shadow
    buttons = "".join(_render_button(theme, 60 + number * 21, corner, hard) for number in range(3))
    family = "monospace" if theme.body == MONO else "serif" if "serif" in theme.heading[:9] else "sans-serif"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
        f'<defs><linearGradient id="g" x1="0" y1="0" x2="0" y2="1"><stop stop-color="{theme.ground[0]}"/>'
        f'<stop offset="1" stop-color="{theme.ground[-1]}"/></linearGradient></defs>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#g)"/>'
        f'<circle cx="48" cy="21" r="10" fill="{theme.button}" stroke="{theme.edge}" stroke-width="1.5"/>'
        f'<text x="48" y="47" font-family="{family}" font-size="13" font-weight="700" text-anchor="middle" '
        f'fill="{theme.ink}">Aa</text>{buttons}</svg>'
    )


def _render_button(theme: Theme, top: int, corner: float, has_shadow: bool) -> str:
    shadow = ""
    if has_shadow:
        color = theme.shadow.split()[-1]
        shadow = f'<rect x="14" y="{top + 2}" width="72" height="15" rx="{corner:g}" fill="{color}"/>'
    return (
        f'{shadow}<rect x="12" y="{top}" width="72" height="15" rx="{corner:g}" fill="{theme.button}" '
        f'stroke="{theme.edge}"/><rect x="30" y="{top + 6}" width="36" height="3" rx="1.5" fill="{theme.label}"/>'
    )
