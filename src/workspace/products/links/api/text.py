"""The text of the link page tools' answers, for people and agents who see only text."""

from __future__ import annotations

from workspace.lib.text import escape_markdown
from workspace.products.links.api.serializers import ElementData, PageData
from workspace.products.links.models import ElementKind
from workspace.publishing.serializers import (
    public_facts,
)
from workspace.tools.answer import format_bullets, format_fact_list

KIND_PREFIXES = {
    ElementKind.LINK: "",
    ElementKind.HEADING: "heading: ",
    ElementKind.TEXT: "text: ",
    ElementKind.LIVE: "live block: ",
}


def format_page(page: PageData, title: str = "") -> str:
    """Format a page as text, with all data of its row."""
    pairs = {
        **public_facts(page),
        "title": escape_markdown(page["title"]),
        "bio": escape_markdown(page["bio"]),
        "theme": page["theme"],
        "views": page["views"],
        "social profiles": ", ".join(f"{profile['network']} ({profile['url']})" for profile in page["social_profiles"]),
        "image": page["avatar_id"],
        "preview title": escape_markdown(page["share_title"]),
        "preview description": escape_markdown(page["share_description"]),
        "preview image": page["share_image_id"],
        "QR code": f"{page['png_url']} and {page['svg_url']}",
        "earlier slugs": ", ".join(slug for slug in page["slugs"] if slug != page["slug"]),
    }
    count = len(page["elements"])
    head = f"Elements in order ({count}):" if count else "No elements yet. Add some with svc_links_save."
    lines = format_bullets(page["elements"], format_element)
    return "\n".join([format_fact_list(title or escape_markdown(page["title"]), pairs), "", head, *lines])


def format_element(element: ElementData) -> str:
    icon = f"{escape_markdown(element['icon'])} " if "icon" in element else ""
    words = escape_markdown(element.get("text", element["title"]))
    url = f" → {escape_markdown(element['url'])}" if "url" in element else ""
    item = f" of {element['thing']}" if "thing" in element else ""
    begin = f"from {element['shows_from']}" if "shows_from" in element else ""
    end = f"until {element['shows_until']}" if "shows_until" in element else ""
    state = "" if element["shows_now"] else "off" if not element["is_on"] else "outside its schedule"
    picture = f"image {element['image_url']} ({element['image_id']})" if "image_id" in element else ""
    more = ", ".join(filter(None, [state, begin, end, picture]))
    return (
        f"{KIND_PREFIXES[ElementKind(element['kind'])]}{icon}{words}{url}{item}"
        f"{f' ({more})' if more else ''} `{element['id']}`"
    )
