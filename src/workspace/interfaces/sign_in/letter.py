"""A mail's simple HTML beside its plain text: the same words, with links that can be pressed."""

from __future__ import annotations

from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string


def html_of(text: str) -> str:
    return render_to_string("account_pages/email/letter.html", {"text": text})


def send(to: str, subject: str, template: str, told: dict[str, object]) -> None:
    """Send the template's text, and the same as HTML, to one address."""
    text = render_to_string(template, told).strip()
    letter = EmailMultiAlternatives(" ".join(subject.split()), text, to=[to])
    letter.attach_alternative(html_of(text), "text/html")
    letter.send()
