"""`/help`: articles for owners, which are public, and shown inside the dashboard to signed-in people."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from workspace.accounts.plans import PRODUCTS
from workspace.dashboard.context import error_base_template
from workspace.dashboard.session import is_partial
from workspace.dashboard.tool_views import clean_text
from workspace.interfaces.account_pages.support_views import PRODUCT_NAMES
from workspace.owner_translation import OwnerText
from workspace.publishing import markdown
from workspace.support import help_articles
from workspace.support.help_articles import Article

MAX_QUERY_LENGTH = 2000  # characters of a search query
MAX_SUGGESTIONS = 3


@require_safe
def contents(request: HttpRequest) -> HttpResponse:
    """List all articles by product, or those that match the query."""
    q = clean_text(request.GET.get("q"), MAX_QUERY_LENGTH)
    found = help_articles.search_articles(q) if q else []
    context = {"q": q, "found": found, "groups": [] if q else _list_groups(), "frame": layout_template(request)}
    name = "account_pages/help_results.html" if is_partial(request) else "account_pages/help.html"
    return _prevent_caching(request, render(request, name, context))


@require_safe
def article(request: HttpRequest, slug: str) -> HttpResponse:
    shown = help_articles.find_article(slug)
    if shown is None:
        raise Http404
    beside = [one for one in help_articles.articles_for_product(shown.product) if one is not shown]
    context = {
        "article": shown,
        "steps": markdown.render_html(shown.steps),
        "problems": markdown.render_html(shown.problems),
        "related": shown.related_articles,
        "beside": beside,
        "about": _product_title(shown.product),
        "frame": layout_template(request),
    }
    return _prevent_caching(request, render(request, "account_pages/help_article.html", context))


@require_safe
def suggest_articles(request: HttpRequest) -> HttpResponse:
    """Suggest articles for a support request that is being typed."""
    question = f"{request.GET.get('subject', '')[:200]} {request.GET.get('message', '')[:MAX_QUERY_LENGTH]}"
    found = help_articles.search_articles(question, request.GET.get("product", ""), MAX_SUGGESTIONS)
    return render(request, "account_pages/help_suggested.html", {"found": found})


def layout_template(request: HttpRequest) -> str:
    """Return the dashboard's template for a signed-in person, or a plain page for everyone else."""
    found = error_base_template(request, with_navigation_on_all_pages=True)
    return "account_pages/plain.html" if found == "dashboard/plain.html" else "account_pages/page.html"


def _prevent_caching(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Prevent caching of a page inside the dashboard. It must not be shown to others or after signing out."""
    if getattr(request, "account", None) is not None:
        response.headers["Cache-Control"] = "no-store"
    return response


def _list_groups() -> list[tuple[OwnerText, list[Article]]]:
    return [
        (title, found)
        for key, title in _product_titles().items()
        if key and (found := help_articles.articles_for_product(key))
    ]


def _product_title(product: str) -> str:
    return str(_product_titles()[product])


def _product_titles() -> dict[str, OwnerText]:
    """Return the title of each product: first those that a ticket can be about, then those added later."""
    added = {key: product.title for key, product in PRODUCTS.items() if key not in PRODUCT_NAMES}
    return {**PRODUCT_NAMES, **added}
