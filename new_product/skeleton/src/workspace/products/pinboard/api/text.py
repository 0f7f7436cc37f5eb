"""Texts of the answers, for people and assistants who see only text. They contain all of the data."""

from __future__ import annotations

from typing import Any

from workspace.lib.text import escape_markdown
from workspace.products.pinboard.api.serializers import NoticeBoardDetail, NoticeBoardSummary
from workspace.publishing.serializers import public_facts
from workspace.tools.answer import format_fact_list


def format_summary(notice_board: NoticeBoardSummary) -> str:
    """Format a notice board as a line in a list."""
    facts = "; ".join(f"{label} {value}" for label, value in _summary_facts(notice_board).items() if value)
    return f"**{escape_markdown(notice_board['title'])}** {facts}"


def format_detail(notice_board: NoticeBoardDetail, heading: str = "") -> str:
    """Format a notice board as a list of facts. The default heading is its title."""
    facts = {
        "title": escape_markdown(notice_board["title"]),
        **_summary_facts(notice_board),
        "QR code": f"{notice_board['svg_url']} and {notice_board['png_url']}",
        "former slugs": ", ".join(slug for slug in notice_board["slugs"] if slug != notice_board["slug"]),
    }
    return format_fact_list(heading or escape_markdown(notice_board["title"]), facts)


def _summary_facts(notice_board: NoticeBoardSummary) -> dict[str, Any]:
    return {
        **public_facts(notice_board),
        "text": escape_markdown(notice_board["text"]),
        "views": notice_board["views"],
    }
