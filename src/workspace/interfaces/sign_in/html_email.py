"""Simple HTML for an email in addition to its plain text: the same words, with clickable links."""

from __future__ import annotations

from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import translation

from workspace.lib.languages import OWNER_LANGUAGES


def render_html(text: str, language: str = OWNER_LANGUAGES[0]) -> str:
    return render_to_string("account_pages/email/letter.html", {"text": text, "language": language})


def send_html_email(
    to: str,
    subject: str,
    template: str,
    context: dict[str, object],
    language: str = OWNER_LANGUAGES[0],
    *,
    reply_to: str = "",
) -> None:
    """Send the template as text and HTML to one address, in the given language."""
    with translation.override(language):
        text = render_to_string(template, context).strip()
        letter = EmailMultiAlternatives(
            " ".join(subject.split()), text, to=[to], reply_to=[reply_to] if reply_to else None
        )
        letter.attach_alternative(render_html(text, language), "text/html")
    letter.send()
