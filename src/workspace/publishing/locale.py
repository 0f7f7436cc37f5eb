"""The locale of a guest page: its language, and whether the guest chose it.

Views of `guest_urlpatterns` have a locale. Other views use the decorator:

    @with_guest_locale
    def report(request, kind, slug): ...

Content that an owner wrote in several languages is shown in the one that suits the guest best, even if the interface is
not translated into it:

    with use_content_languages(request, ["en", "it", "ar"]):
        current_locale().content
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers

from workspace.publishing.language import (
    DEFAULT_LANGUAGE,
    best_language,
    match_language,
    match_supported,
    preferred_language,
    request_language,
)

P = ParamSpec("P")
GuestView = Callable[Concatenate[HttpRequest, P], HttpResponse]


@dataclass(frozen=True, slots=True)
class Locale:
    """The languages of a page.

    - `language`: the language of the interface.
    - `choice`: the language that the guest chose, which links repeat, or empty.
    - `query`: the rest of the URL's query, which language links keep.
    - `contents`: the languages of the owner's content, or empty if there is only one.
    - `content`: the content language that is shown.
    - `number_language`: overrides the language of numbers. It is the content's or the guest's own language, whichever
      the guest prefers, so that a guest reads all prices in one format, regardless of the menu's language.
    """

    language: str = DEFAULT_LANGUAGE
    choice: str = ""
    query: str = ""
    contents: tuple[str, ...] = ()
    content: str = ""
    number_language: str = ""

    @property
    def variant(self) -> str:
        """The cache key for the page's language. A chosen language is part of the key, because links contain it."""
        shown = f"{self.language}/{self.content}/{self.number_locale}" if self.contents else self.language
        return f"{shown}, {self.choice} chosen" if self.choice else shown

    @property
    def number_locale(self) -> str:
        return self.number_language or self.language

    def localize_url(self, address: str) -> str:
        """Return a URL of this service to which the language that the guest chose is added."""
        return f"{address}{'&' if '?' in address else '?'}lang={self.choice}" if self.choice else address


def negotiate_locale(choice: str, accepted: str, contents: Sequence[str] = ()) -> Locale:
    """Return the locale for a chosen language and an Accept-Language header.

    Unless the guest chose a language, buttons and hints use the language of the content if we support it, so that a
    page is in a single language.
    """
    ours = match_supported(choice)
    own = match_language(choice, contents)
    content = own or (best_language(accepted, contents) if contents else "")
    preferred = preferred_language(accepted)
    return Locale(
        language=ours or match_supported(content) or preferred,
        choice=own or ours or "",
        contents=tuple(contents),
        content=content,
        number_language=own or ours or (best_language(accepted, [content, preferred]) if contents else ""),
    )


_DEFAULT_LOCALE = Locale()
_current_locale = ContextVar("current_locale", default=_DEFAULT_LOCALE)


def current_locale() -> Locale:
    """Return the locale of the page that is being rendered."""
    return _current_locale.get()


@contextmanager
def use_guest_locale(request: HttpRequest, page: str = "") -> Iterator[Locale]:
    """Activate the guest's locale. `page` is the page's own language, if it has one."""
    choice, query = "", ""
    if request.GET:
        choice = match_supported(request.GET.get("lang", "")) or ""
        rest = request.GET.copy()
        rest.pop("lang", None)
        query = rest.urlencode()
    with use_locale(Locale(request_language(request, page), choice, query)) as found:
        yield found


@contextmanager
def use_content_languages(request: HttpRequest, contents: Sequence[str]) -> Iterator[Locale]:
    """Activate a locale for content in these languages, the first of which is the original one."""
    if not contents:
        yield current_locale()
        return
    found = negotiate_locale(request.GET.get("lang", ""), request.headers.get("Accept-Language", ""), contents)
    with use_locale(replace(found, query=current_locale().query)):
        yield found


@contextmanager
def use_page_language(contents: Sequence[str]) -> Iterator[Locale]:
    """Activate a locale for an item's content that is shown on another item's page.

    Use the page's language if the content has it.
    """
    found = current_locale()
    content = match_language(found.language, contents) or next(iter(contents), "")
    with use_locale(replace(found, contents=tuple(contents), content=content, number_language="")) as found:
        yield found


@contextmanager
def use_query(query: str) -> Iterator[None]:
    """Replace the query of the locale.

    A cached page must contain only the query parameters of its cache key.
    """
    with use_locale(replace(current_locale(), query=query)):
        yield


@contextmanager
def use_locale(locale: Locale) -> Iterator[Locale]:
    """Activate a locale without a request."""
    token = _current_locale.set(locale)
    try:
        with translation.override(locale.language):
            yield locale
    finally:
        _current_locale.reset(token)


def add_language_headers(response: HttpResponse) -> HttpResponse:
    """Add the headers Content-Language and Vary. Files and redirects have no language."""
    is_page = response.headers.get("Content-Type", "").startswith("text/html")
    if is_page and response.status_code not in (301, 302, 303):
        response.headers.setdefault("Content-Language", current_locale().language)
        patch_vary_headers(response, ["Accept-Language"])
    return response


def with_guest_locale(view: GuestView[P]) -> GuestView[P]:
    """Decorate a view so that it runs in the guest's locale."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        with use_guest_locale(request):
            return add_language_headers(view(request, *args, **kwargs))

    return guarded


class LocalizedText(str):
    """Text by an owner, with its language, or "" if that is unknown."""

    __slots__ = ("lang",)
    lang: str

    def __new__(cls, words: str, lang: str = "") -> LocalizedText:
        made = super().__new__(cls, words)
        made.lang = lang
        return made


def localize_text(own: str, translations: Mapping[str, Mapping[str, str]], name: str) -> LocalizedText:
    """Return the translation of a field in the content language, or the original text."""
    other = translations.get(current_locale().content, {}).get(name, "")
    return (
        LocalizedText(other, current_locale().content)
        if other
        else LocalizedText(own, next(iter(current_locale().contents), ""))
    )
