"""How a guest's page speaks while it is answered: in which language, whether the guest chose it, and what of the
address a switch to another language keeps. Every address of `guest_urlpatterns` speaks; a page beside those says so:

    @spoken
    def report(request, kind, slug): ...

What an owner wrote in several languages is shown in the one that suits the guest best, also where our own words are not
there in it:

    with written_in(request, ["en", "it", "ar"]):
        voice().content
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
    """`language` is that of our words. `choice` is the language that the guest asked for, so that links stay with it;
    empty for none. `query` is the rest of the address's query, which a switch keeps. `contents` are the languages in
    which the owner's words are there, and `content` the one of them that is shown; none where they are in one alone.
    `number_locale` is by which numbers are written: the one of both, ours or the owner's, that the guest asked for
    first, so that a guest reads all prices alike, whatever language a menu is in."""

    language: str = DEFAULT_LANGUAGE
    choice: str = ""
    query: str = ""
    contents: tuple[str, ...] = ()
    content: str = ""
    number_language: str = ""

    @property
    def variant(self) -> str:
        """What a page is kept by: a chosen language stands in its links."""
        shown = f"{self.language}/{self.content}/{self.number_locale}" if self.contents else self.language
        return f"{shown}, {self.choice} chosen" if self.choice else shown

    @property
    def number_locale(self) -> str:
        return self.number_language or self.language

    def localize_url(self, address: str) -> str:
        """An address of this service, with the language that the guest chose."""
        return f"{address}{'&' if '?' in address else '?'}lang={self.choice}" if self.choice else address


def negotiate_locale(choice: str, accepted: str, contents: Sequence[str] = ()) -> Locale:
    """What a guest gets who asks for the language `choice`, with a browser that accepts these."""
    ours = match_supported(choice)
    own = match_language(choice, contents)
    language = ours or preferred_language(accepted)
    content = own or (best_language(accepted, contents) if contents else "")
    return Locale(
        language=language,
        choice=own or ours or "",
        contents=tuple(contents),
        content=content,
        number_language=own or ours or (best_language(accepted, [content, language]) if contents else ""),
    )


_DEFAULT_LOCALE = Locale()
_current_locale = ContextVar("voice", default=_DEFAULT_LOCALE)


def current_locale() -> Locale:
    """Of the page that is being answered."""
    return _current_locale.get()


@contextmanager
def use_guest_locale(request: HttpRequest, page: str = "") -> Iterator[Locale]:
    """Everything inside is said in the guest's language; `page` is the page's own, where it has one."""
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
    """Inside, the owner's words are there in these languages, the first of them the one that they were written in."""
    if not contents:
        yield current_locale()
        return
    found = negotiate_locale(request.GET.get("lang", ""), request.headers.get("Accept-Language", ""), contents)
    with use_locale(replace(found, query=current_locale().query)):
        yield found


@contextmanager
def use_page_language(contents: Sequence[str]) -> Iterator[Locale]:
    """Inside, on the page of something else: an owner's words that are there in these languages, in the page's own
    where it is among them."""
    found = current_locale()
    content = match_language(found.language, contents) or next(iter(contents), "")
    with use_locale(replace(found, contents=tuple(contents), content=content, number_language="")) as found:
        yield found


@contextmanager
def use_query(query: str) -> Iterator[None]:
    """For a page that is kept: of a query only what tells the kept ones apart may stand in it."""
    with use_locale(replace(current_locale(), query=query)):
        yield


@contextmanager
def use_locale(found: Locale) -> Iterator[Locale]:
    """The same where there is no request to ask."""
    token = _current_locale.set(found)
    try:
        with translation.override(found.language):
            yield found
    finally:
        _current_locale.reset(token)


def add_language_headers(response: HttpResponse) -> HttpResponse:
    """Tells caches on the way, and readers, what a page depends on; a file or a way to elsewhere has no language."""
    is_page = response.headers.get("Content-Type", "").startswith("text/html")
    if is_page and response.status_code not in (301, 302, 303):
        response.headers.setdefault("Content-Language", current_locale().language)
        patch_vary_headers(response, ["Accept-Language"])
    return response


def with_guest_locale(view: GuestView[P]) -> GuestView[P]:
    """A guest's view in the guest's language."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        with use_guest_locale(request):
            return add_language_headers(view(request, *args, **kwargs))

    return guarded


class LocalizedText(str):
    """An owner's words that know their language; empty for none."""

    __slots__ = ("lang",)
    lang: str

    def __new__(cls, words: str, lang: str = "") -> LocalizedText:
        made = super().__new__(cls, words)
        made.lang = lang
        return made


def localize_text(own: str, translations: Mapping[str, Mapping[str, str]], name: str) -> LocalizedText:
    """The words of this name in the language that is shown, where they are there in it, else as they were first
    written."""
    other = translations.get(current_locale().content, {}).get(name, "")
    return (
        LocalizedText(other, current_locale().content)
        if other
        else LocalizedText(own, next(iter(current_locale().contents), ""))
    )
