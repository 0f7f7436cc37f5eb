"""How a guest's page speaks while it is answered: in which language, whether the guest chose it, and what of the
address a switch to another language keeps. Every address of `guest_addresses` speaks; a page beside those says so:

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

from workspace.publishing.language import USUAL, folded, lang_of, matched, preferred, suited

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


@dataclass(frozen=True, slots=True)
class Voice:
    """`language` is that of our words. `choice` is the language that the guest asked for, so that links stay with it;
    empty for none. `query` is the rest of the address's query, which a switch keeps. `contents` are the languages in
    which the owner's words are there, and `content` the one of them that is shown; none where they are in one alone.
    `locale` is by which numbers are written: the one of both, ours or the owner's, that the guest asked for first, so
    that a guest reads all prices alike, whatever language a menu is in."""

    language: str = USUAL
    choice: str = ""
    query: str = ""
    contents: tuple[str, ...] = ()
    content: str = ""
    numbers: str = ""

    @property
    def variant(self) -> str:
        """What a page is kept by: a chosen language stands in its links."""
        shown = f"{self.language}/{self.content}/{self.locale}" if self.contents else self.language
        return f"{shown}, {self.choice} chosen" if self.choice else shown

    @property
    def locale(self) -> str:
        return self.numbers or self.language

    def along(self, address: str) -> str:
        """An address of this service, with the language that the guest chose."""
        return f"{address}{'&' if '?' in address else '?'}lang={self.choice}" if self.choice else address


def heard(choice: str, accepted: str, contents: Sequence[str] = ()) -> Voice:
    """What a guest gets who asks for the language `choice`, with a browser that accepts these."""
    ours = folded(choice)
    own = matched(choice, contents)
    language = ours or preferred(accepted)
    content = own or (suited(accepted, contents) if contents else "")
    return Voice(
        language=language,
        choice=own or ours or "",
        contents=tuple(contents),
        content=content,
        numbers=own or ours or (suited(accepted, [content, language]) if contents else ""),
    )


_QUIET = Voice()
_voice = ContextVar("voice", default=_QUIET)


def voice() -> Voice:
    """Of the page that is being answered."""
    return _voice.get()


@contextmanager
def speaking(request: HttpRequest, page: str = "") -> Iterator[Voice]:
    """Everything inside is said in the guest's language; `page` is the page's own, where it has one."""
    choice, query = "", ""
    if request.GET:
        choice = folded(request.GET.get("lang", "")) or ""
        rest = request.GET.copy()
        rest.pop("lang", None)
        query = rest.urlencode()
    with saying(Voice(lang_of(request, page), choice, query)) as found:
        yield found


@contextmanager
def written_in(request: HttpRequest, contents: Sequence[str]) -> Iterator[Voice]:
    """Inside, the owner's words are there in these languages, the first of them the one that they were written in."""
    if not contents:
        yield voice()
        return
    found = heard(request.GET.get("lang", ""), request.headers.get("Accept-Language", ""), contents)
    with saying(replace(found, query=voice().query)):
        yield found


@contextmanager
def shown_among(contents: Sequence[str]) -> Iterator[Voice]:
    """Inside, on the page of something else: an owner's words that are there in these languages, in the page's own
    where it is among them."""
    found = voice()
    content = matched(found.language, contents) or next(iter(contents), "")
    with saying(replace(found, contents=tuple(contents), content=content, numbers="")) as found:
        yield found


@contextmanager
def asked_by(query: str) -> Iterator[None]:
    """For a page that is kept: of a query only what tells the kept ones apart may stand in it."""
    with saying(replace(voice(), query=query)):
        yield


@contextmanager
def saying(found: Voice) -> Iterator[Voice]:
    """The same where there is no request to ask."""
    token = _voice.set(found)
    try:
        with translation.override(found.language):
            yield found
    finally:
        _voice.reset(token)


def marked(response: HttpResponse) -> HttpResponse:
    """Tells caches on the way, and readers, what a page depends on; a file or a way to elsewhere has no language."""
    is_page = response.headers.get("Content-Type", "").startswith("text/html")
    if is_page and response.status_code not in (301, 302, 303):
        response.headers.setdefault("Content-Language", voice().language)
        patch_vary_headers(response, ["Accept-Language"])
    return response


def spoken(view: View[P]) -> View[P]:
    """A guest's view in the guest's language."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        with speaking(request):
            return marked(view(request, *args, **kwargs))

    return guarded


class Worded(str):
    """An owner's words that know their language; empty for none."""

    __slots__ = ("lang",)
    lang: str

    def __new__(cls, words: str, lang: str = "") -> Worded:
        made = super().__new__(cls, words)
        made.lang = lang
        return made


def worded(own: str, translations: Mapping[str, Mapping[str, str]], name: str) -> Worded:
    """The words of this name in the language that is shown, where they are there in it, else as they were first
    written."""
    other = translations.get(voice().content, {}).get(name, "")
    return Worded(other, voice().content) if other else Worded(own, next(iter(voice().contents), ""))
