"""Pages fold text for their searches as the server does."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from playwright.sync_api import Browser

from workspace.lib.text import search_key
from workspace.public_site import spam_protection

SCRIPT = Path(spam_protection.__file__).parent / "static" / "public" / "search_key.js"
WORDS = ["Großmann", "Yılmaz", "İstanbul", "Søren in Łódź", "ΟΔΟΣ οδός", "ﬁne Ⅻ", "٣ ۳ 3", "co\u00adop", "𝕬"]
# Latin, Greek, Cyrillic, Hebrew and Arabic letters and digits; not the iota that is a separate sign
LETTERS = [chr(code) for code in (*range(0x20, 0x37A), *range(0x37B, 0x700), *range(0x1E00, 0x2000))]


def test_a_page_folds_every_letter_as_the_server_does(chromium: Browser) -> None:
    texts = [*WORDS, *(char for char in LETTERS if char.isalnum())]
    with closing(chromium.new_page()) as page:
        page.add_script_tag(content=SCRIPT.read_text())
        folded = page.evaluate("(texts) => texts.map(window.fold)", texts)
    different = [
        (text, search_key(text), found) for text, found in zip(texts, folded, strict=True) if search_key(text) != found
    ]
    assert different == []
