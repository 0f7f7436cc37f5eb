"""How a guest's page speaks while it is answered: in which language, whether the guest chose it, and what of the
address a switch to another language keeps. Every address of `guest_addresses` speaks; a page beside those says so:

    @spoken
    def report(request, kind, slug): ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers

from workspace.publishing.language import USUAL, folded, lang_of

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


@dataclass(frozen=True, slots=True)
class Voice:
    """`chosen` tells whether the guest asked for `language`, so that links stay with it; `query` is the rest of the
    address's query, which a switch keeps."""

    language: str = USUAL
    chosen: bool = False
    query: str = ""

    @property
    def variant(self) -> str:
        """What a page is kept by: a chosen language stands in its links."""
        return variant_of(self.language, self.chosen)

    def along(self, address: str) -> str:
        """An address of this service, with the language that the guest chose."""
        return f"{address}{'&' if '?' in address else '?'}lang={self.language}" if self.chosen else address


def variant_of(language: str, chosen: bool) -> str:
    return f"{language}, chosen" if chosen else language


_QUIET = Voice()
_voice = ContextVar("voice", default=_QUIET)


def voice() -> Voice:
    """Of the page that is being answered."""
    return _voice.get()


@contextmanager
def speaking(request: HttpRequest, page: str = "") -> Iterator[Voice]:
    """Everything inside is said in the guest's language; `page` is the page's own, where it has one."""
    chosen, query = False, ""
    if request.GET:
        chosen = folded(request.GET.get("lang", "")) is not None
        rest = request.GET.copy()
        rest.pop("lang", None)
        query = rest.urlencode()
    with saying(Voice(lang_of(request, page), chosen, query)) as found:
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
        response.headers["Content-Language"] = voice().language
        patch_vary_headers(response, ["Accept-Language"])
    return response


def spoken(view: View[P]) -> View[P]:
    """A guest's view in the guest's language."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        with speaking(request):
            return marked(view(request, *args, **kwargs))

    return guarded
