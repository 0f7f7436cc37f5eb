"""Template tags for the lines of a program: `{% load programs %}`.

A page may have five hundred lines, so they are built here without a template for each line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from workspace.products.event.public.guest_program import SessionLine
from workspace.storage.files.images import image_url

register = template.Library()
_DOT = '<svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"><path fill="{}" d="M0 0h1v1H0z"/></svg>'
_IMAGE = '<img src="{}" alt="" width="26" height="26" loading="lazy">'


@register.simple_tag(takes_context=True)
def session_list(context: Mapping[str, Any], lines: Sequence[SessionLine], columns: str = "") -> SafeString:
    """Render a list of sessions that can be starred."""
    cancelled = gettext("Canceled")
    return mark_safe(
        f'<ul class="slots{columns}">{"".join(_render_slot(context, line, cancelled) for line in lines)}</ul>'
    )


@register.simple_tag(takes_context=True)
def brief_session_list(
    context: Mapping[str, Any], lines: Sequence[SessionLine], days: bool = True, kind: str = "slots"
) -> SafeString:
    """Render a list without stars. Sessions show their day, either always or only if it is not today."""
    cancelled, today = gettext("Canceled"), context["board"].today
    items = [
        f"<li>{_render_title(context, line)}"
        f"{_render_meta(line, cancelled, '' if not days and line.session.day.date == today else line.day)}</li>"
        for line in lines
    ]
    return mark_safe(f'<ul class="{kind}">{"".join(items)}</ul>')


@register.simple_tag
def printed_session_list(lines: Sequence[tuple[SessionLine, int]], columns: str) -> SafeString:
    """Render a list of sessions and their columns for print."""
    cancelled = gettext("Canceled")
    items = [
        f'<li{_column_attribute(column)} data-id="{line.id}">'
        f'<b dir="auto">{_render_name(line)}</b>{_render_meta(line, cancelled)}{_render_speakers(line)}</li>'
        for line, column in lines
    ]
    return mark_safe(f'<ul class="slots{columns}">{"".join(items)}</ul>')


@register.simple_tag
def session_meta(line: SessionLine, day: str = "") -> SafeString:
    """Render the line below the title, which shows time and room."""
    return mark_safe(_render_meta(line, gettext("Canceled"), day))


@register.simple_tag
def time_attributes(line: SessionLine) -> SafeString:
    """Return a session's data attributes for the script, which contain its times in minutes."""
    return mark_safe(_format_time_attributes(line))


def _render_slot(context: Mapping[str, Any], line: SessionLine, cancelled: str) -> str:
    kind = (f" c{line.column}" if line.column else "") + (" rest" if line.kind == "break" else "")
    room = f' data-r="{line.room_id}"' if line.room_id else ""
    track = f' data-t="{escape(line.track)}"' if line.track else ""
    off = " data-off" if line.cancelled else ""
    return (
        f'<li class="slot{kind}" id="{line.id}"{_format_time_attributes(line)}{room}{track}{off}>'
        f"{_render_title(context, line)}{_render_meta(line, cancelled)}{_render_speakers(line, line.image_ids)}</li>\n"
    )


def _format_time_attributes(line: SessionLine) -> str:
    return (
        f' data-s="{line.begin_minute}" data-u="{line.until_minute or line.begin_minute}"'
        if line.begin_minute is not None
        else ""
    )


def _render_title(context: Mapping[str, Any], line: SessionLine) -> str:
    return f'<a href="{context["base"]}/s/{line.id}{context["along"]}" dir="auto">{_render_name(line)}</a>'


def _render_name(line: SessionLine) -> str:
    return f"<s>{escape(line.title)}</s>" if line.cancelled else escape(line.title)


def _render_speakers(line: SessionLine, faces: Sequence[str] = ()) -> str:
    # the size used on the speaker's page, so that it is cached once
    pictures = "".join(_IMAGE.format(image_url(id, 192)) for id in faces)
    return f'<p class="who" dir="auto">{pictures}{escape(line.speakers)}</p>' if line.speakers else ""


def _render_meta(line: SessionLine, cancelled: str, day: str = "") -> str:
    parts = [f"<b>{escape(day)}</b>"] if day else []
    if line.label:
        parts.append(f"<span><bdi>{escape(line.label)}</bdi></span>")
    elif line.start:
        end = f'–<time datetime="{line.ends}">{line.end}</time>' if line.end else ""
        parts.append(f'<span class="at"><time datetime="{line.starts}">{line.start}</time>{end}</span>')
    if line.room:
        parts.append(f'<span class="room"><bdi>{escape(line.room)}</bdi></span>')
    if line.track:
        dot = _DOT.format(escape(line.color)) if line.color else ""
        parts.append(f'<span class="track">{dot}<bdi>{escape(line.track)}</bdi></span>')
    if line.cancelled:
        parts.append(f'<b class="off">{escape(cancelled)}</b>')
    return f'<p class="meta">{" ".join(parts)}</p>' if parts else ""


def _column_attribute(number: int) -> str:
    return f' class="c{number}"' if number else ""
