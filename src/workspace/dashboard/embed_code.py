"""What an owner puts on a website of their own, as HTML without script. It is a link, since others may not frame our
pages: a frame would keep guests from seeing where they are, and could be laid under somebody else's buttons."""

from __future__ import annotations

from html import escape

from workspace.accounts.models import Account
from workspace.brand.color_contrast import text_on
from workspace.brand.models import Brand
from workspace.brand.style import HOUSE
from workspace.publishing.call_to_action import call_of, language_of
from workspace.publishing.models import Published

WIDTH = 200  # of the code, in CSS pixels


def snippets(account: Account, found: Published, words: str) -> list[tuple[str, str]]:
    """Each with its title: a button of these words, marked for translation, in the brand's colour, where there are any;
    the code as a picture that leads there. Nothing where guests have no address."""
    if not found.public_url:
        return []
    made = [("A button", _button(account, found.public_url, words))] if words else []
    return [*made, ("The code", _code(found.public_url))]


def _button(account: Account, url: str, words: str) -> str:
    ground = (*Brand.of(account).colours, HOUSE)[0]
    style = (
        f"display:inline-block;padding:.75em 1.25em;border-radius:.6em;background:{ground};color:{text_on(ground)};"
        "font-weight:600;text-decoration:none"
    )
    return f'<a href="{escape(url)}" style="{style}">{escape(call_of(words, language_of(account)))}</a>'


def _code(url: str) -> str:
    size = f'width="{WIDTH}" height="{WIDTH}"'
    return f'<a href="{escape(url)}"><img src="{escape(url)}.svg" alt="QR code" {size} loading="lazy"></a>'
