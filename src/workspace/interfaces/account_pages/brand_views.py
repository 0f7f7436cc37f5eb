"""Account → Brand: what all that guests see has in common, beside a page of theirs that follows what is typed."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse

from workspace.accounts.models import Account
from workspace.brand.active_style import wearing
from workspace.brand.fonts import PAIRS
from workspace.brand.languages import LANGUAGES
from workspace.brand.models import Brand
from workspace.brand.style import CORNERS
from workspace.dashboard import form_images
from workspace.dashboard import previews as guests_page
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import done
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call, page
from workspace.lib.weekly_hours import DAYS, NAMES
from workspace.publishing import brand_tools, items
from workspace.publishing.call_to_action import speaking_to_guests
from workspace.publishing.items import Thing

LABELS = {
    "business_name": "Name of your business",
    "line": "One line about it",
    "logo": "Logo",
    "logo_id": "Logo",
    "picture": "Picture",
    "picture_id": "Picture",
    "colours": "Colours",
    "fonts": "Typefaces",
    "corners": "Corners",
    "languages": "Your guests read",
    "hours": "Opening hours",
    "hours.from": "From",
    "hours.until": "Until",
    "hours.days": "Days",
    "code_like": "QR codes",
}
PICTURES = {
    "logo": "On your pages, posters and mails. Best see-through, as PNG.",
    "picture": "Of your place, your work or yourself.",
}
ANGLES = {"sharp": "Sharp", "soft": "Soft", "round": "Round"}
CODE = "qr"
MOST_CODES = 50


@page("GET", "HEAD", "POST")
def brand(request: SignedInRequest) -> HttpResponse:
    form = brand_form(request)
    if request.method == "POST" and saved(request, form):
        return done(request, "Saved. Guests see it at their next load.", reverse("brand"))
    return render(request, "account_pages/brand.html", context_of(request, form), status=form.status)


@page("GET", "HEAD", "POST")
def preview(request: SignedInRequest) -> HttpResponse:
    """A guest's page in the brand: the newest one of theirs, or a sample while there is none. What is posted is tried
    on it and undone."""
    newest = _newest(request.account)

    def draw() -> HttpResponse:
        return guests_page.shown(request, newest) if newest else guests_page.sealed(_sample(request.account.pk))

    return guests_page.tried(request, brand_form(request), draw) if request.method == "POST" else draw()


def brand_form(request: SignedInRequest) -> ToolForm:
    found = call(request, brand_tools.get)
    initial = {**found, "logo_id": found["logo_id"] or "", "picture_id": found["picture_id"] or ""}
    return ToolForm(brand_tools.edit, request, initial=initial, editing=True, labels=LABELS)


def saved(request: SignedInRequest, form: ToolForm) -> bool:
    for name in PICTURES:
        form_images.take(request, form, name, f"{name}_id")
    return not form.errors and form.submit(request.caller) is not None


def context_of(request: SignedInRequest, form: ToolForm) -> dict[str, Any]:
    return {
        "form": form,
        "thing": {"preview_url": reverse("brand_preview")},
        "pictures": [(name, form.label(name), help) for name, help in PICTURES.items()],
        "colours": _colours(form),
        "pairs": [(key, pair.title, pair.about) for key, pair in PAIRS.items()],
        "corners": [(key, ANGLES[key]) for key in CORNERS],
        "days": list(NAMES.items()),
        "weekdays": DAYS,
        "languages": LANGUAGES.items(),
        "further": [str(code) for code in (form.values.get("languages") or [])[1:]],
        "codes": _codes(request.account),
    }


def _colours(form: ToolForm) -> list[tuple[str, str, str, list[str]]]:
    """Of each colour: its label, what it is for, its value, and what is wrong with it."""
    given = [str(one) for one in form.values.get("colours") or []]
    labels = [("Main colour", "Buttons, links and wide areas"), ("Second colour", "Beside it; you may leave it out")]
    return [
        (label, about, [*given, "", ""][number], list(form.errors.get(f"colours.{number}", ())))
        for number, (label, about) in enumerate(labels)
    ]


def _codes(account: Account) -> list[tuple[str, str]]:
    """The codes that others may be made like, newest first."""
    model = items.manifest(CODE).things[0]
    return [(code.pk, str(code)) for code in model._default_manager.filter(account=account)[:MOST_CODES]]


def _newest(account: Account) -> Thing | None:
    """The newest of what the account publishes as a page."""
    kinds = [product.key for product in items.manifests() if product.fast is None]
    shown = account.publications.filter(kind__in=kinds, deleted_at=None, banned_at=None).order_by("-created_at").first()
    return items.published_as(account, [(shown.kind, shown.pk)]).get(shown.pk) if shown else None


def _sample(account_id: str) -> str:
    """Read afresh, since what is tried is not in the request's account. It speaks as ready-made texts will."""
    account = Account.objects.select_related("brand").get(pk=account_id)
    with wearing(account), speaking_to_guests(account):
        return render_to_string("public/sample.html", {"brand": Brand.of(account)})
