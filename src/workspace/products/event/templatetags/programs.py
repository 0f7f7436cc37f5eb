"""The lines of a program: `{% load programs %}`. A program may have five hundred, on one page, so they are written here
rather than by a template for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from workspace.products.event.public.program_view import Line
from workspace.storage.files.images import picture_url

register = template.Library()
_DOT = '<svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"><path fill="{}" d="M0 0h1v1H0z"/></svg>'
_FACE = '<img src="{}" alt="" width="26" height="26" loading="lazy">'


@register.simple_tag(takes_context=True)
def slots(context: Mapping[str, Any], lines: Sequence[Line], columns: str = "") -> SafeString:
    """A list of sessions that can be starred."""
    cancelled = gettext("Cancelled")
    return mark_safe(f'<ul class="slots{columns}">{"".join(_slot(context, line, cancelled) for line in lines)}</ul>')


@register.simple_tag(takes_context=True)
def brief(context: Mapping[str, Any], lines: Sequence[Line], days: bool = True, kind: str = "slots") -> SafeString:
    """The same without a star, each with its day where that is not today, or in any case."""
    cancelled, today = gettext("Cancelled"), context["board"].today
    items = [
        f"<li>{_title(context, line)}"
        f"{_meta(line, cancelled, '' if not days and line.session.day.date == today else line.day)}</li>"
        for line in lines
    ]
    return mark_safe(f'<ul class="{kind}">{"".join(items)}</ul>')


@register.simple_tag
def printed(lines: Sequence[tuple[Line, int]], columns: str) -> SafeString:
    """The same on paper, each with its column."""
    cancelled = gettext("Cancelled")
    items = [
        f'<li{_column(column)} data-id="{line.id}">'
        f'<b dir="auto">{_struck(line)}</b>{_meta(line, cancelled)}{_who(line)}</li>'
        for line, column in lines
    ]
    return mark_safe(f'<ul class="slots{columns}">{"".join(items)}</ul>')


@register.simple_tag
def meta(line: Line, day: str = "") -> SafeString:
    """When and where: a line below the title."""
    return mark_safe(_meta(line, gettext("Cancelled"), day))


@register.simple_tag
def timed(line: Line) -> SafeString:
    """For an element that stands for a session: from when to when, in minutes, for the script."""
    return mark_safe(_timed(line))


def _slot(context: Mapping[str, Any], line: Line, cancelled: str) -> str:
    kind = (f" c{line.column}" if line.column else "") + (" rest" if line.kind == "break" else "")
    room = f' data-r="{line.room_id}"' if line.room_id else ""
    track = f' data-t="{escape(line.track)}"' if line.track else ""
    off = " data-off" if line.cancelled else ""
    return (
        f'<li class="slot{kind}" id="{line.id}"{_timed(line)}{room}{track}{off}>'
        f"{_title(context, line)}{_meta(line, cancelled)}{_who(line, line.faces)}</li>\n"
    )


def _timed(line: Line) -> str:
    return f' data-s="{line.begin}" data-u="{line.until or line.begin}"' if line.begin is not None else ""


def _title(context: Mapping[str, Any], line: Line) -> str:
    return f'<a href="{context["base"]}/s/{line.id}{context["along"]}" dir="auto">{_struck(line)}</a>'


def _struck(line: Line) -> str:
    return f"<s>{escape(line.title)}</s>" if line.cancelled else escape(line.title)


def _who(line: Line, faces: Sequence[str] = ()) -> str:
    pictures = "".join(_FACE.format(picture_url(id, 192)) for id in faces)  # as on their own page: kept once
    return f'<p class="who" dir="auto">{pictures}{escape(line.speakers)}</p>' if line.speakers else ""


def _meta(line: Line, cancelled: str, day: str = "") -> str:
    parts = [f"<b>{escape(day)}</b>"] if day else []
    if line.label:
        parts.append(f"<span><bdi>{escape(line.label)}</bdi></span>")
    elif line.start:
        end = f'–<time datetime="{line.ends}">{line.end}</time>' if line.end else ""
        parts.append(f'<span class="at"><time datetime="{line.starts}">{line.start}</time>{end}</span>')
    if line.room:
        parts.append(f'<span class="room"><bdi>{escape(line.room)}</bdi></span>')
    if line.track:
        dot = _DOT.format(escape(line.colour)) if line.colour else ""
        parts.append(f'<span class="track">{dot}<bdi>{escape(line.track)}</bdi></span>')
    if line.cancelled:
        parts.append(f'<b class="off">{escape(cancelled)}</b>')
    return f'<p class="meta">{" ".join(parts)}</p>' if parts else ""


def _column(number: int) -> str:
    return f' class="c{number}"' if number else ""
