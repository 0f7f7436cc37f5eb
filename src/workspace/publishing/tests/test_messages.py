"""Message catalogs match the marked messages, and compiled catalogs match their sources.

`bin/messages extract` and `bin/messages compile` fix both.
"""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from babel.messages.extract import DEFAULT_KEYWORDS

from workspace import translations

CATALOGUES = [
    (folder, language) for folder in translations.locale_folders() for language in translations.translated_languages()
]


def test_every_target_language_has_a_catalog() -> None:
    assert translations.translated_languages() == ["de", "es", "fr", "it", "pt"]
    assert CATALOGUES
    assert all(translations.catalog_path(folder, language).exists() for folder, language in CATALOGUES)


@pytest.mark.parametrize(("folder", "language"), CATALOGUES)
def test_exactly_the_marked_texts_are_translated(folder: Path, language: str) -> None:
    now = translations.update_catalog(folder, language)
    assert translations.find_untranslated(now) == []
    assert translations.catalog_path(folder, language).read_bytes() == translations.dump_catalog(now), (
        "run bin/messages extract"
    )


@pytest.mark.parametrize(("folder", "language"), CATALOGUES)
def test_compiled_catalogs_are_up_to_date(folder: Path, language: str) -> None:
    compiled = translations.catalog_path(folder, language).with_suffix(".mo").read_bytes()
    assert compiled == translations.compile_catalog(folder, language), "run bin/messages compile"


def test_texts_in_templates_are_found_in_any_context() -> None:
    template = """{% load i18n %}<p class="it's">{% translate "One" %} it's {# no #} {{ x|default:_("Two") }}</p>
      {% if a %}  {% blocktranslate trimmed with who=name count n=many %}{{ who }} has
        {{ n }} dish{% plural %}{{ who }} has {{ n }} dishes{% endblocktranslate %}{% endif %}
    {% translate "Open" context "a door" %} {% comment %}{% translate "Not this" %}{% endcomment %}"""
    keywords = {**DEFAULT_KEYWORDS}
    found = [one[2] for one in translations.extract_template(io.BytesIO(template.encode()), keywords, (), {})]
    texts = [tuple(part for part in text if part) if isinstance(text, tuple) else text for text in found]
    assert "One" in texts and "Two" in texts
    assert ("%(who)s has %(n)s dish", "%(who)s has %(n)s dishes") in texts
    assert ("a door", "Open") in texts
    assert "Not this" not in str(texts)


def test_a_translation_without_a_placeholder_is_missing() -> None:
    from babel.messages import Catalog

    catalog = Catalog(locale="de")
    catalog.add("%(who)s is here", "Da ist jemand", flags=["python-format"])
    catalog.add("Fine", "Gut")
    catalog.add("Not yet", "")
    catalog.add(("%(n)s dish", "%(n)s dishes"), ("Ein Gericht", "%(n)s Gerichte"), flags=["python-format"])
    assert translations.find_untranslated(catalog) == ["%(who)s is here", "Not yet"]
