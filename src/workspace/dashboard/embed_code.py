"""HTML snippets, without script, for the owner's own website.

They are links, because other sites may not frame our pages. Guests could not see which site they are on, and a frame
could be placed under another site's buttons.
"""

from __future__ import annotations

from html import escape

from django.utils.translation import gettext

from workspace.accounts.models import Account
from workspace.brand.color_contrast import text_color_on
from workspace.brand.models import Brand
from workspace.brand.style import DEFAULT_COLOR
from workspace.publishing.guest_language import guest_language, translate_call_to_action
from workspace.publishing.models import PublishedItem

CODE_WIDTH = 200  # of the QR code, in CSS pixels


def embed_snippets(account: Account, item: PublishedItem, button_text: str) -> list[tuple[str, str]]:
    """Return titled snippets: a button with this text, if there is one, and the QR code as a linked picture.

    The text is marked for translation, and the button has the brand's color. Return no snippets if the item has no
    public URL.
    """
    if not item.public_url:
        return []
    made = [(gettext("Button"), _render_button(account, item.public_url, button_text))] if button_text else []
    return [*made, (gettext("QR code"), _render_code(item.public_url))]


def _render_button(account: Account, url: str, button_text: str) -> str:
    ground = (*Brand.for_account(account).colors, DEFAULT_COLOR)[0]
    style = (
        "display:inline-block;padding:.75em "
        f"1.25em;border-radius:.6em;background:{ground};color:{text_color_on(ground)};"
        "font-weight:600;text-decoration:none"
    )
    call = translate_call_to_action(button_text, guest_language(account))
    return f'<a href="{escape(url)}" style="{style}">{escape(call)}</a>'


def _render_code(url: str) -> str:
    size = f'width="{CODE_WIDTH}" height="{CODE_WIDTH}"'
    return f'<a href="{escape(url)}"><img src="{escape(url)}.svg" alt="QR code" {size} loading="lazy"></a>'
