"""The same data as text, for callers who see only the text of an answer."""

from __future__ import annotations

from workspace.lib.text import escape_markdown, format_count
from workspace.lib.web_address import to_unicode_host
from workspace.products.reviews.api.serializers import PageDetail, PageSummary, TestimonialDetail, TestimonialSummary
from workspace.products.reviews.models.testimonial import SUSPICION_REASONS
from workspace.publishing.serializers import public_facts
from workspace.tools.answer import format_fact_list

MAX_TEXT_LENGTH = 1000  # characters of a testimonial in a list


def format_stars(rating: int | None) -> str:
    return f"{'★' * rating}{'☆' * (5 - rating)} {rating} of 5" if rating else "no rating"


def format_testimonial(testimonial: TestimonialSummary) -> str:
    text = testimonial["text"]
    if len(text) > MAX_TEXT_LENGTH:
        text = f"{text[:MAX_TEXT_LENGTH]}… (svc_reviews_get has all {len(text)} characters)"
    parts = [
        f"{format_stars(testimonial['rating'])} **{escape_markdown(testimonial['name'])}**",
        escape_markdown(testimonial["byline"]),
        testimonial["status"],
        "pinned" if testimonial["featured"] else "",
        "shown" if testimonial["shown"] else "not shown",
        "" if testimonial["consented"] else "no consent to publish",
        f"may be spam: {testimonial['suspicion']}" if testimonial["suspicion"] else "",
        testimonial["relationship"],
        _format_source(testimonial),
        _format_email(testimonial),
        f"tags {escape_markdown(', '.join(testimonial['tags']))}" if testimonial["tags"] else "",
        f"written {testimonial['written_at']}",
        f"received {testimonial['created_at']}",
        f"photo {testimonial['photo_url']}" if testimonial["photo_url"] else "",
    ]
    lines = [f"“{escape_markdown(text)}”"]
    lines += [f"excerpt “{escape_markdown(testimonial['excerpt'])}”"] if testimonial["excerpt"] else []
    lines += [f"reply “{escape_markdown(testimonial['reply'])}”"] if testimonial["reply"] else []
    page = f"{escape_markdown(testimonial['page_title'])} `{testimonial['page_id']}`"
    return f"{', '.join(part for part in parts if part)}: {'; '.join(lines)} `{testimonial['id']}` on {page}"


def format_testimonial_detail(testimonial: TestimonialDetail, title: str) -> str:
    pairs = {
        "id": testimonial["id"],
        "page": f"{escape_markdown(testimonial['page_title'])} `{testimonial['page_id']}`",
        "status": testimonial["status"] + (", pinned" if testimonial["featured"] else ""),
        "public": "yes" if testimonial["shown"] else "no",
        "rating": format_stars(testimonial["rating"]),
        "author": escape_markdown(testimonial["name"]),
        "byline": escape_markdown(testimonial["byline"]),
        "email (private)": _format_email(testimonial) + _format_moment(testimonial["verified_at"]),
        "text": escape_markdown(testimonial["text"]),
        "excerpt": escape_markdown(testimonial["excerpt"]),
        "reply": escape_markdown(testimonial["reply"]) + _format_moment(testimonial["replied_at"]),
        "tags": escape_markdown(", ".join(testimonial["tags"])),
        "relationship": testimonial["relationship"],
        "source": _format_source(testimonial),
        "consent to publish": _format_consent(testimonial),
        "may be spam": f"{testimonial['suspicion']}: {SUSPICION_REASONS[testimonial['suspicion']]}"
        if testimonial["suspicion"]
        else "",
        "photo": f"{testimonial['photo_url']} ({testimonial['photo_id']})" if testimonial["photo_url"] else "",
        "written": testimonial["written_at"],
        "received": testimonial["created_at"],
    }
    return format_fact_list(title, pairs)


def format_page(page: PageSummary) -> str:
    counts = ", ".join(f"{page[name]} {name}" for name in ("pending", "approved", "hidden"))
    state = page["state"] + (f", expires {page['expires_at']}" if page["expires_at"] else "")
    state += ", password-protected" if page["has_password"] else ""
    return (
        f"**{escape_markdown(page['title'])}** ({state}): "
        f"{format_count(page['testimonials'], 'testimonial')} ({counts}), {_format_average(page)}, "
        f"{format_count(page['views'], 'view')}, {page['public_url']}, wall {page['wall_url']}, "
        f"slug {page['slug']}, created {page['created_at']}, updated {page['updated_at']} `{page['id']}`"
    )


def format_page_detail(page: PageDetail, title: str) -> str:
    tried = ", ".join(
        f"{escape_markdown(refused_website['host'])} ({format_count(refused_website['times'], 'time')})"
        for refused_website in page["refused"]
    )
    pairs = {
        **public_facts(page),
        "earlier slugs": ", ".join(slug for slug in page["slugs"] if slug != page["slug"]),
        "wall": page["wall_url"],
        "QR code": f"{page['svg_url']} {page['png_url']}",
        "testimonials": f"{page['testimonials']}: {page['pending']} pending, {page['approved']} approved, "
        f"{page['hidden']} hidden",
        "average": _format_average(page),
        "views": page["views"],
        "intro": escape_markdown(page["intro"]),
        "questions": escape_markdown(" / ".join(page["questions"])),
        "consent text": escape_markdown(page["consent_text"]),
        "disclosure": escape_markdown(page["disclosure"]),
        "thank-you message": escape_markdown(page["thank_you"]),
        "color": page["color"],
        "widget layout": page["layout"],
        "tags in use": escape_markdown(", ".join(page["tags"])),
        "websites that can embed the widget": ", ".join(map(to_unicode_host, page["hosts"]))
        or "none yet. Add them to hosts with svc_reviews_edit",
        "blocked websites": f"{tried}. To allow one, add it to hosts" if tried else "",
    }
    code = "\n\n".join(f"Embed code, {name}:\n```html\n{page[name]}\n```" for name in ("script", "iframe", "link"))
    return f"{format_fact_list(title or escape_markdown(page['title']), pairs)}\n\n{code}"


def _format_average(page: PageSummary) -> str:
    if not page["ratings"]:
        return "no ratings yet"
    return f"{page['average']} of 5 from {format_count(page['ratings'], 'rating')}"


def _format_source(testimonial: TestimonialSummary) -> str:
    if testimonial["source"] == "page":
        return "submitted on the page"
    where = f", {escape_markdown(testimonial['source_name'])}" if testimonial["source_name"] else ""
    return f"added by you ({testimonial['source']}{where})"


def _format_email(testimonial: TestimonialSummary) -> str:
    if not testimonial["email"]:
        return ""
    return (
        f"{escape_markdown(testimonial['email'])} ({'confirmed' if testimonial['email_verified'] else 'not confirmed'})"
    )


def _format_consent(testimonial: TestimonialDetail) -> str:
    if not testimonial["consented"]:
        return "no"
    return f"yes, agreed {testimonial['consented_at']}: {escape_markdown(testimonial['consent_text'])}"


def _format_moment(moment: str | None) -> str:
    return f" ({moment})" if moment else ""
