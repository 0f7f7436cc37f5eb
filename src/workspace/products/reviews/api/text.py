"""The same data as text, for callers who see only the text of an answer."""

from __future__ import annotations

from workspace.lib.text import escape_markdown
from workspace.lib.web_address import to_unicode_host
from workspace.products.reviews.api.serializers import PageDetail, PageSummary, TestimonialDetail, TestimonialSummary
from workspace.products.reviews.models.testimonial import SUSPICION_REASONS
from workspace.publishing.serializers import public_facts
from workspace.tools.answer import format_fact_list

MAX_TEXT_LENGTH = 1000  # characters of a testimonial in a list


def format_stars(rating: int | None) -> str:
    return f"{'★' * rating}{'☆' * (5 - rating)} {rating} of 5" if rating else "no rating"


def format_testimonial(found: TestimonialSummary) -> str:
    text = found["text"]
    if len(text) > MAX_TEXT_LENGTH:
        text = f"{text[:MAX_TEXT_LENGTH]}… (svc_reviews_get has all {len(text)} characters)"
    parts = [
        f"{format_stars(found['rating'])} **{escape_markdown(found['name'])}**",
        escape_markdown(found["byline"]),
        found["status"],
        "pinned first" if found["featured"] else "",
        "shown" if found["shown"] else "not shown",
        "" if found["consented"] else "no consent to show it",
        f"may be spam: {found['suspicion']}" if found["suspicion"] else "",
        found["relationship"],
        _format_source(found),
        _format_email(found),
        f"tags {escape_markdown(', '.join(found['tags']))}" if found["tags"] else "",
        f"written {found['written_at']}",
        f"came in {found['created_at']}",
        f"photo {found['photo_url']}" if found["photo_url"] else "",
    ]
    said = [f"“{escape_markdown(text)}”"]
    said += [f"excerpt “{escape_markdown(found['excerpt'])}”"] if found["excerpt"] else []
    said += [f"reply “{escape_markdown(found['reply'])}”"] if found["reply"] else []
    page = f"{escape_markdown(found['page_title'])} `{found['page_id']}`"
    return f"{', '.join(part for part in parts if part)}: {'; '.join(said)} `{found['id']}` on {page}"


def format_testimonial_detail(found: TestimonialDetail, title: str) -> str:
    pairs = {
        "id": found["id"],
        "page": f"{escape_markdown(found['page_title'])} `{found['page_id']}`",
        "status": found["status"] + (", pinned first" if found["featured"] else ""),
        "guests see it": "yes" if found["shown"] else "no",
        "rating": format_stars(found["rating"]),
        "written by": escape_markdown(found["name"]),
        "line below the name": escape_markdown(found["byline"]),
        "e-mail, never shown": _format_email(found) + _format_moment(found["verified_at"]),
        "words": escape_markdown(found["text"]),
        "excerpt": escape_markdown(found["excerpt"]),
        "reply": escape_markdown(found["reply"]) + _format_moment(found["replied_at"]),
        "tags": escape_markdown(", ".join(found["tags"])),
        "tie to the business": found["relationship"],
        "source": _format_source(found),
        "may be shown": _format_consent(found),
        "may be spam": f"{found['suspicion']}: {SUSPICION_REASONS[found['suspicion']]}" if found["suspicion"] else "",
        "photo": f"{found['photo_url']} ({found['photo_id']})" if found["photo_url"] else "",
        "written": found["written_at"],
        "came in": found["created_at"],
    }
    return format_fact_list(title, pairs)


def format_page(found: PageSummary) -> str:
    average = f"{found['average']} of 5 from {found['ratings']} ratings" if found["ratings"] else "no rating yet"
    counts = ", ".join(f"{found[name]} {name}" for name in ("pending", "approved", "hidden"))
    state = found["state"] + (f", expires {found['expires_at']}" if found["expires_at"] else "")
    state += ", with a password" if found["has_password"] else ""
    return (
        f"**{escape_markdown(found['title'])}** ({state}): "
        f"{found['testimonials']} testimonials ({counts}), {average}, {found['views']} views, {found['public_url']}, "
        f"wall {found['wall_url']}, slug {found['slug']}, made {found['created_at']}, changed {found['updated_at']} "
        f"`{found['id']}`"
    )


def format_page_detail(found: PageDetail, title: str) -> str:
    average = f"{found['average']} of 5 from {found['ratings']} ratings" if found["ratings"] else "no rating yet"
    tried = ", ".join(f"{escape_markdown(one['host'])} ({one['times']} times)" for one in found["refused"])
    pairs = {
        **public_facts(found),
        "earlier slugs": ", ".join(slug for slug in found["slugs"] if slug != found["slug"]),
        "wall": found["wall_url"],
        "QR code": f"{found['svg_url']} {found['png_url']}",
        "testimonials": f"{found['testimonials']}: {found['pending']} pending, {found['approved']} approved, "
        f"{found['hidden']} hidden",
        "average": average,
        "views": found["views"],
        "intro": escape_markdown(found["intro"]),
        "questions": escape_markdown(" / ".join(found["questions"])),
        "guests agree to": escape_markdown(found["consent_text"]),
        "readers are told": escape_markdown(found["disclosure"]),
        "thank_you": escape_markdown(found["thank_you"]),
        "color": found["color"],
        "widget": found["layout"],
        "tags in use": escape_markdown(", ".join(found["tags"])),
        "websites that may show the widget": ", ".join(map(to_unicode_host, found["hosts"]))
        or "none, so it shows nowhere yet: give hosts to svc_reviews_edit",
        "websites that tried and may not": f"{tried}. Add those of yours to hosts" if tried else "",
    }
    code = "\n\n".join(f"Widget, {name}:\n```html\n{found[name]}\n```" for name in ("script", "iframe", "link"))
    return f"{format_fact_list(title or escape_markdown(found['title']), pairs)}\n\n{code}"


def _format_source(found: TestimonialSummary) -> str:
    if found["source"] == "page":
        return "left on the page"
    where = f", {escape_markdown(found['source_name'])}" if found["source_name"] else ""
    return f"added by you ({found['source']}{where})"


def _format_email(found: TestimonialSummary) -> str:
    if not found["email"]:
        return ""
    return f"{escape_markdown(found['email'])} ({'confirmed' if found['email_verified'] else 'not confirmed'})"


def _format_consent(found: TestimonialDetail) -> str:
    if not found["consented"]:
        return "no, its writer has not agreed"
    return f"yes, agreed {found['consented_at']}: {escape_markdown(found['consent_text'])}"


def _format_moment(moment: str | None) -> str:
    return f" ({moment})" if moment else ""
