"""Guest pages and emails are complete in each language.

No text of a product remains in English on either request path, and the following pages use the same language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.core import serializers
from django.test import Client
from django.utils.translation import gettext, override

from tests.across.fast_path_client import Ahead
from tests.across.guest_texts import ROOT, Page, guests_templates, untranslated, unwrapped
from tests.across.product_urls import guests, samples_of
from workspace import translations
from workspace.products import PRODUCT_NAMES, list_manifests
from workspace.products.booking.public import time_zones
from workspace.publishing.models import Publication
from workspace.testing.api import Api, make_api

pytestmark = pytest.mark.any_database  # pages are rendered alike from either database
OTHERS = translations.translated_languages()
PRODUCTS = dict(zip(PRODUCT_NAMES, list_manifests(), strict=True))
QUOTED = {
    "de": "„[^“]*“",
    "es": "«[^»]*»",
    "fr": "«\u00a0[^»]*\u00a0»",
    "it": "“[^”]*”",
    "pt": "“[^”]*”",
}
STATES = ("open", "asks for a password", "paused")
NOT_SHOWN = {"tests", "testing", "migrations", "dashboard"}  # owners' pages are in English
MODULES = [path for path in sorted(ROOT.rglob("*.py")) if not NOT_SHOWN & set(path.parts)]


def test_no_template_of_a_guest_page_or_email_contains_unmarked_words() -> None:
    names = guests_templates()
    assert {"public/state.html", "public/parts/field.html", "mail/frame.html"} <= set(names)
    assert {name for name in names if name.endswith(".txt")}, "mails to guests are among them"
    left = {name: words for name in names if (words := untranslated(name))}
    assert left == {}, "wrap them in {% translate %}, or let an owner's mail say which mails they get"


HELD = """{% load i18n %}<p class="it's">{% translate "One" %} two{# no #}</p>
{% guest_field sheet "name" "Your name" %}{% blocktranslate %}Three <b>four</b>{% endblocktranslate %}
<img alt="{{ name|default:"Logo" }}" title="Five">"""


def test_unmarked_words_are_found(tmp_path: Path) -> None:
    template = tmp_path / "held.html"
    template.write_text(HELD)
    assert untranslated("held.html", template) == ["Your name", "Logo", "two", "Five"]


def test_no_module_passes_untranslated_words_to_guests() -> None:
    assert [place for path in MODULES for place in unwrapped(path)] == [], "wrap them in gettext"


def test_a_text_has_the_same_translation_in_every_package_with_correct_quotes() -> None:
    for language in OTHERS:
        seen: dict[Any, Any] = {}
        for folder in translations.locale_folders():
            for message in translations.update_catalog(folder, language):
                if not message.id:
                    continue
                assert not message.fuzzy, message.id
                assert seen.setdefault((message.context, message.id), message.string) == message.string, message.id
                told = str(message.string)
                assert '"' not in told and "..." not in told, told
                assert not re.search("[“”„«»]", re.sub(QUOTED[language], "", told)), told


def test_a_translation_of_ours_takes_precedence_over_one_of_a_library() -> None:
    for language in OTHERS:
        with override(language):
            for folder in translations.locale_folders():
                for message in translations.update_catalog(folder, language):
                    if isinstance(message.id, str) and message.id and message.string and not message.context:
                        assert gettext(message.id) == message.string


@dataclass
class Shown:
    """The items of a product on their guest pages."""

    name: str
    api: Api
    made: dict[str, str]

    @property
    def publications(self) -> list[Publication]:
        return list(Publication.objects.filter(account=self.api.account, kind=PRODUCTS[self.name].key).order_by("pk"))

    @property
    def paths(self) -> list[str]:
        """Return all URLs of each item, an unknown one, and the report form."""
        kind = PRODUCTS[self.name].key
        found = [path for one in self.publications for path in guests(self.name, one.slug, self.made)]
        reports = [f"/report/{kind}/{self.publications[0].slug}", f"/report/{kind}/nothing-here"]
        return [*dict.fromkeys(found), *guests(self.name, "nothing-here", self.made)[:1], *reports]

    @property
    def own_words(self) -> str:
        """Return all stored data: content of owners and guests is the same in every language."""
        rows = [
            row for model in apps.get_models() if model.__module__.startswith("workspace.") for row in _list_rows(model)
        ]
        told = serializers.serialize("json", rows, ensure_ascii=False).replace("\\n", " ")
        return " ".join(told.split()).lower()


def _list_rows(model: Any) -> Iterator[Any]:
    yield from model._base_manager.all()


@pytest.fixture(params=PRODUCT_NAMES)
def shown_page(request: pytest.FixtureRequest, db: None) -> Shown:
    api = make_api()
    return Shown(request.param, api, samples_of(request.param).create_samples(api))


@pytest.fixture(params=["by Django", "ahead of it"])
def guest(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Client:
    return Client() if request.param == "by Django" else Ahead(monkeypatch)


def _parse_page(guest: Client, path: str, **headers: str) -> tuple[Any, Page | None]:
    response = guest.get(path, headers=headers)
    is_page = response.status_code not in (301, 302) and response["Content-Type"].startswith("text/html")
    is_page = is_page and bool(response.content)  # a URL that accepts only POST returns no body
    return response, Page(response.content.decode()) if is_page else None


def _set(shown: Shown, state: str) -> None:
    password = make_password("sesame") if state == STATES[1] else ""
    for one in shown.publications:
        one.set_password(password)
        if state == "paused":
            one.pause()


@pytest.mark.parametrize("state", STATES)
def test_each_page_is_complete_in_each_language(state: str, shown_page: Shown) -> None:
    if state == "open":
        PRODUCTS[shown_page.name].demo(shown_page.api.account)
    _set(shown_page, state)
    guest, own = Client(), shown_page.own_words
    pages = 0
    for path in shown_page.paths:
        english, read_in_english = _parse_page(guest, path)
        if read_in_english is None:
            continue
        pages += 1
        for language in OTHERS:
            response, page = _parse_page(guest, path, **{"accept-language": f"{language}-XX,{language};q=0.9,en;q=0.1"})
            assert page is not None and response.status_code == english.status_code, path
            assert page.root.get("lang") == language and page.root.get("dir") == "ltr", path
            assert response["Content-Language"] == language and "Accept-Language" in response["Vary"], path
            assert len(page.texts) == len(read_in_english.texts), path
            left = [
                text
                for text in page.wordy_texts
                if text in read_in_english.wordy_texts and not _is_alike(text, language, own)
            ]
            assert left == [], f"{path} in {language}"
    assert pages


def _is_alike(text: str, language: str, own: str) -> bool:
    """Return whether text may equal the English text, as user content, URLs and words shared by both languages do."""
    parts = [part.removesuffix("…").lower() for part in re.split(r" [·–] |, |: ", text)]
    is_address, is_mark = re.fullmatch(r"\S*[./]\S*", text), text.isupper() and len(text) < 9
    is_same = text in _same(language) or _same_plurals(language).fullmatch(text)
    return bool(is_address or is_mark or is_same or all(part in own for part in parts))


@cache
def _same(language: str) -> set[str]:
    both = {"Workspace Tools", *(name for _, name in settings.LANGUAGES)}
    both |= {place for _, places in time_zones.list_regions(language) for _, place in places}  # named in that language
    for folder in translations.locale_folders():
        both |= {str(one.id) for one in translations.update_catalog(folder, language) if one.id == one.string}
    return both | {text[0].upper() + text[1:] for text in both if text}  # some pages capitalize them


@cache
def _same_plurals(language: str) -> re.Pattern[str]:
    """Return the pattern of strings with a number that are alike in both languages, such as `15 minutes` in French."""
    catalogs = [translations.update_catalog(folder, language) for folder in translations.locale_folders()]
    forms = {
        form
        for message in chain.from_iterable(catalogs)
        if message.pluralizable
        for form in set(message.id) & set(message.string)
    }
    return re.compile("|".join(re.sub(r"%\\\(\w+\\\)s", r"\\S+", re.escape(form)) for form in forms) or "(?!)")


def test_a_chosen_language_is_passed_on_and_can_be_switched(shown_page: Shown) -> None:
    for path in shown_page.paths:
        response, page = _parse_page(Client(), f"{path}?sent=1&lang=es", **{"accept-language": "de"})
        if page is None:
            continue
        assert page.root["lang"] == response["Content-Language"] == "es", path
        for way in filter(_is_ours, page.ways):
            assert re.search(rf"[?&]lang=({'|'.join(['en', *OTHERS])})\b", way), f"{way} on {path}"
        if "/embed" not in path:  # a frame on a website uses the website's language
            switch = [way for way in page.ways if re.fullmatch(r"\?(\S+&)?lang=\w\w", way)]
            assert len(switch) >= 1 + len(OTHERS), path


def _is_ours(way: str) -> bool:
    """Return whether a link opens another guest page of this service, and not a file or the same page."""
    path = way.removeprefix("http://127.0.0.1:8000")
    return path.startswith(("/", "?")) and path != "/" and not re.search(r"\.\w{2,4}$|^/static/|^/pictures/", path)


def test_pages_are_cached_by_language_and_equal_on_both_request_paths(shown_page: Shown, guest: Client) -> None:
    if PRODUCTS[shown_page.name].fast_redirect:
        return  # it redirects independently of the language
    path = f"{PRODUCTS[shown_page.name].public_prefix}{shown_page.publications[0].slug}"
    asked = [(path, "en"), (path, "de-AT,de;q=0.9"), (path, "es"), (path, "sv"), (f"{path}?lang=de", "es")]
    first = [_headers_and_body(Client(), *one) for one in asked]
    assert [_headers_and_body(guest, *one) for one in asked] == first
    assert [headers["content-language"] for headers, _ in first] == ["en", "de", "es", "en", "de"]
    assert len({body for _, body in first}) == 4, "a chosen language stands in the links of its page"
    if isinstance(guest, Ahead):
        assert guest.answered == len(asked)


def _headers_and_body(guest: Client, path: str, accepts: str) -> tuple[dict[str, str], bytes]:
    response = guest.get(path, headers={"accept-language": accepts})
    own = ("x-request-id", "content-length")
    return {name.lower(): value for name, value in response.items() if name.lower() not in own}, response.content


def test_a_page_is_mirrored_if_its_owner_writes_from_right_to_left(shown_page: Shown) -> None:
    shown_page.api.run("svc_brand_edit", languages=["ar", "en"])
    for path in shown_page.paths:
        if "nothing-here" in path:
            continue  # it belongs to no account
        _, page = _parse_page(Client(), path, **{"accept-language": "de"})
        if page is not None:
            assert (page.root["lang"], page.root["dir"]) == ("de", "rtl"), path
