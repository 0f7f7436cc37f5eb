"""`/help`: articles for owners, for anybody to read; in the shell for who is signed in."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from workspace.dashboard.context import error_frame
from workspace.dashboard.session import is_part
from workspace.dashboard.tool_views import words
from workspace.interfaces.account_pages.support_views import NAMES
from workspace.publishing import markdown
from workspace.support import help_articles
from workspace.support.help_articles import Article

LONGEST = 2000  # of a question that is being typed
MOST_SUGGESTED = 3


@require_safe
def contents(request: HttpRequest) -> HttpResponse:
    """All articles by product; or those that fit what is asked."""
    q = words(request.GET.get("q"), LONGEST)
    found = help_articles.find(q) if q else []
    context = {"q": q, "found": found, "groups": [] if q else _groups(), "frame": frame_of(request)}
    name = "account_pages/help_found.html" if is_part(request) else "account_pages/help.html"
    return _kept_apart(request, render(request, name, context))


@require_safe
def article(request: HttpRequest, slug: str) -> HttpResponse:
    shown = help_articles.one(slug)
    if shown is None:
        raise Http404
    beside = [one for one in help_articles.of_product(shown.product) if one is not shown]
    context = {
        "article": shown,
        "text": markdown.html(shown.text),
        "beside": beside,
        "about": _title(shown.product),
        "frame": frame_of(request),
    }
    return _kept_apart(request, render(request, "account_pages/help_article.html", context))


@require_safe
def suggested(request: HttpRequest) -> HttpResponse:
    """What may answer a question that is being typed to support."""
    asked = f"{request.GET.get('subject', '')[:200]} {request.GET.get('message', '')[:LONGEST]}"
    found = help_articles.find(asked, request.GET.get("product", ""), MOST_SUGGESTED)
    return render(request, "account_pages/help_suggested.html", {"found": found})


def frame_of(request: HttpRequest) -> str:
    """The shell for who is signed in, and a plain page for everybody else."""
    found = error_frame(request, everywhere=True)
    return "account_pages/plain.html" if found == "dashboard/plain.html" else "account_pages/page.html"


def _kept_apart(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """What stands in somebody's shell is nobody else's, and is not shown again after signing out."""
    if getattr(request, "account", None) is not None:
        response.headers["Cache-Control"] = "no-store"
    return response


def _groups() -> list[tuple[str, list[Article]]]:
    return [(_title(key), found) for key in NAMES if key and (found := help_articles.of_product(key))]


def _title(product: str) -> str:
    return NAMES[product]
