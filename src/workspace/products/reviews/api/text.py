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


def format_testimonial(testimonial: TestimonialSummary) -> str:
    text = testimonial["text"]
    if len(text) > MAX_TEXT_LENGTH:
        text = f"{text[:MAX_TEXT_LENGTH]}… (svc_reviews_get has all {len(text)} characters)"
    parts = [
        f"{format_stars(testimonial['rating'])} **{escape_markdown(testimonial['name'])}**",
        escape_markdown(testimonial["byline"]),
        testimonial["status"],
        "pinned first" if testimonial["featured"] else "",
        "shown" if testimonial["shown"] else "not shown",
        "" if testimonial["consented"] else "no consent to show it",
        f"may be spam: {testimonial['suspicion']}" if testimonial["suspicion"] else "",
        testimonial["relationship"],
        _format_source(testimonial),
        _format_email(testimonial),
        f"tags {escape_markdown(', '.join(testimonial['tags']))}" if testimonial["tags"] else "",
        f"written {testimonial['written_at']}",
        f"came in {testimonial['created_at']}",
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
        "status": testimonial["status"] + (", pinned first" if testimonial["featured"] else ""),
        "guests see it": "yes" if testimonial["shown"] else "no",
        "rating": format_stars(testimonial["rating"]),
        "written by": escape_markdown(testimonial["name"]),
        "line below the name": escape_markdown(testimonial["byline"]),
        "e-mail, never shown": _format_email(testimonial) + _format_moment(testimonial["verified_at"]),
        "words": escape_markdown(testimonial["text"]),
        "excerpt": escape_markdown(testimonial["excerpt"]),
        "reply": escape_markdown(testimonial["reply"]) + _format_moment(testimonial["replied_at"]),
        "tags": escape_markdown(", ".join(testimonial["tags"])),
        "tie to the business": testimonial["relationship"],
        "source": _format_source(testimonial),
        "may be shown": _format_consent(testimonial),
        "may be spam": f"{testimonial['suspicion']}: {SUSPICION_REASONS[testimonial['suspicion']]}"
        if testimonial["suspicion"]
        else "",
        "photo": f"{testimonial['photo_url']} ({testimonial['photo_id']})" if testimonial["photo_url"] else "",
        "written": testimonial["written_at"],
        "came in": testimonial["created_at"],
    }
    return format_fact_list(title, pairs)


def format_page(page: PageSummary) -> str:
    average = f"{page['average']} of 5 from {page['ratings']} ratings" if page["ratings"] else "no rating yet"
    counts = ", ".join(f"{page[name]} {name}" for name in ("pending", "approved", "hidden"))
    state = page["state"] + (f", expires {page['expires_at']}" if page["expires_at"] else "")
    state += ", with a password" if page["has_password"] else ""
    return (
        f"**{escape_markdown(page['title'])}** ({state}): "
        f"{page['testimonials']} testimonials ({counts}), {average}, {page['views']} views, {page['public_url']}, "
        f"wall {page['wall_url']}, slug {page['slug']}, made {page['created_at']}, changed {page['updated_at']} "
        f"`{page['id']}`"
    )


def format_page_detail(page: PageDetail, title: str) -> str:
    average = f"{page['average']} of 5 from {page['ratings']} ratings" if page["ratings"] else "no rating yet"
    tried = ", ".join(
        f"{escape_markdown(refused_website['host'])} ({refused_website['times']} times)"
        for refused_website in page["refused"]
    )
    pairs = {
        **public_facts(page),
        "earlier slugs": ", ".join(slug for slug in page["slugs"] if slug != page["slug"]),
        "wall": page["wall_url"],
        "QR code": f"{page['svg_url']} {page['png_url']}",
        "testimonials": f"{page['testimonials']}: {page['pending']} pending, {page['approved']} approved, "
        f"{page['hidden']} hidden",
        "average": average,
        "views": page["views"],
        "intro": escape_markdown(page["intro"]),
        "questions": escape_markdown(" / ".join(page["questions"])),
        "guests agree to": escape_markdown(page["consent_text"]),
        "readers are told": escape_markdown(page["disclosure"]),
        "thank_you": escape_markdown(page["thank_you"]),
        "color": page["color"],
        "widget": page["layout"],
        "tags in use": escape_markdown(", ".join(page["tags"])),
        "websites that may show the widget": ", ".join(map(to_unicode_host, page["hosts"]))
        or "none, so it shows nowhere yet: give hosts to svc_reviews_edit",
        "websites that tried and may not": f"{tried}. Add those of yours to hosts" if tried else "",
    }
    code = "\n\n".join(f"Widget, {name}:\n```html\n{page[name]}\n```" for name in ("script", "iframe", "link"))
    return f"{format_fact_list(title or escape_markdown(page['title']), pairs)}\n\n{code}"


def _format_source(testimonial: TestimonialSummary) -> str:
    if testimonial["source"] == "page":
        return "left on the page"
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
        return "no, its writer has not agreed"
    return f"yes, agreed {testimonial['consented_at']}: {escape_markdown(testimonial['consent_text'])}"


def _format_moment(moment: str | None) -> str:
    return f" ({moment})" if moment else ""
