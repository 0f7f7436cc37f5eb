"""The places where a one-line text field is added, for three products.

They follow the recipe in ARCHITECTURE.md ("add a field"). If a place moves, correct it here and there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

MAX_PLACES = 8


@dataclass(frozen=True, slots=True)
class Place:
    """A line or tag that a person adds: `text`, before the first match of a pattern in a file of the product."""

    file: str
    before: str
    text: str

    def write(self, product: Path) -> None:
        """Write the text to a copy of the product. Raise LookupError if the pattern is missing."""
        file = product / self.file
        content = file.read_text()
        found = re.search(self.before, content, re.MULTILINE)
        if found is None:
            raise LookupError(f"{self.file} has no {self.before!r}: correct the place in {Path(__file__).name}")
        file.write_text(content[: found.start()] + self.text + content[found.start() :])


@dataclass(frozen=True, slots=True)
class Recipe:
    product: str
    field: str
    places: tuple[Place, ...]


CARD = Recipe(
    "card",
    "pronouns",
    (
        Place("models.py", r"^    bio = ", "    pronouns = models.CharField(max_length=40, blank=True)\n"),
        Place(
            "api/arguments.py",
            r"^    photo_id: Annotated",
            '    pronouns: Annotated[str, Line(40, least=0), Label("Pronouns"), Field(description="Like she/her")]\n',
        ),
        Place("api/serializers.py", r"^    company: str$", "    pronouns: str\n"),
        Place("api/text.py", r'^        "company": ', '        "pronouns": escape_markdown(card["pronouns"]),\n'),
        Place(
            "templates/card/owner/parts/fields.html",
            r'\{% field form "bio" ',
            '{% field form "pronouns" placeholder="she/her" optional=False help=" " %}',
        ),
        Place(
            "templates/card/parts/head.html",
            r"\{% if card\.company and ",
            "{% if card.pronouns %}<p{% language_attributes %}>{{ card.pronouns }}</p>{% endif %}",
        ),
        Place("domain/contact_file.py", '"TITLE": ', '"X-PRONOUNS": card.pronouns, '),
        Place("hooks/demo.py", '^            "title": "Owner and Baker"', '            "pronouns": "she/her",\n'),
    ),
)
DISH = Recipe(
    "menu",
    "portion",
    (
        Place("models.py", r"^    price_note = ", "    portion = models.CharField(max_length=40, blank=True)\n"),
        Place(
            "rules/section_and_item_fields.py",
            r"^    dietary_tags: Tags$",
            '    portion: Annotated[str, Line(40, least=0), Label("Portion"), Field(description="Such as 300 g")]\n',
        ),
        Place("api/serializers.py", r"^    price_text: ", "    portion: str\n"),
        Place(
            "api/text.py",
            r'^        format_allergens\(row\["allergens"\]',
            '        escape_markdown(row["portion"]),\n',
        ),
        Place(
            "templates/menu/owner/parts/item_form.html",
            r'\{% field form "price_from"',
            '{% field form "portion" help=" " %}',
        ),
        Place(
            "templates/menu/parts/dishes.html",
            r"\{% if dish\.variants %\}",
            '{% if dish.item.portion %}<p class="about" dir="auto">{{ dish.item.portion }}</p>{% endif %}',
        ),
        Place("hooks/demo.py", r'^                price_note="market price"', '                portion="for two",\n'),
    ),
)
SESSION = Recipe(
    "event",
    "level",
    (
        Place("models/session.py", r"^    cancelled = ", "    level = models.CharField(max_length=40, blank=True)\n"),
        Place(
            "rules/session_fields.py",
            r"^    links: Links$",
            '    level: Annotated[str, Line(40, least=0), Label("Level"), Field(description="Such as beginners")]\n',
        ),
        Place("rules/session_list_headings.py", r'^    "id",$', '    "level",\n'),
        Place("rules/session_list_headings.py", r'^    "description": "description', '    "level": "level",\n'),
        Place("api/response_types.py", r"^    cancelled: bool$", "    level: str\n"),
        Place("api/text.py", r"^        moments,$", '        escape_markdown(row["level"]),\n'),
        Place(
            "templates/event/owner/session.html", r'\{% field form "description"', '{% field form "level" help=" " %}'
        ),
        Place(
            "templates/event/session.html",
            r"\{% if line\.description %\}",
            '{% if line.session.level %}<p class="said" dir="auto">{{ line.session.level }}</p>{% endif %}',
        ),
    ),
)
RECIPES = (CARD, DISH, SESSION)
