"""The brand page: everything that guest pages share, with a preview that follows the form."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse

from workspace.accounts.models import Account
from workspace.brand.active_brand import use_brand
from workspace.brand.fonts import FONT_PAIRS
from workspace.brand.models import Brand
from workspace.brand.style import CORNER_RADII
from workspace.dashboard import form_images
from workspace.dashboard import previews as guests_page
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import redirect_with_message, render_confirmation
from workspace.dashboard.language_choices import group_languages
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, page
from workspace.interfaces.account_pages.starter_items import list_unused_starters, recreate_starters
from workspace.lib.languages import CONTENT_LANGUAGES
from workspace.lib.weekly_hours import DAY_NAMES, DAYS
from workspace.owner_translation import owner_gettext, owner_gettext_lazy
from workspace.publishing import brand_tools, items
from workspace.publishing.guest_language import guest_language, use_guest_language
from workspace.publishing.items import Item

LABELS = {
    "business_name": owner_gettext_lazy("Business name"),
    "slogan": owner_gettext_lazy("Slogan"),
    "logo": owner_gettext_lazy("Logo"),
    "logo_id": owner_gettext_lazy("Logo"),
    "image": owner_gettext_lazy("Image"),
    "image_id": owner_gettext_lazy("Image"),
    "colors": owner_gettext_lazy("Colors"),
    "fonts": owner_gettext_lazy("Fonts"),
    "corners": owner_gettext_lazy("Corners"),
    "languages": owner_gettext_lazy("Language of your guests"),
    "hours": owner_gettext_lazy("Opening hours"),
    "hours.from": owner_gettext_lazy("From"),
    "hours.until": owner_gettext_lazy("Until"),
    "hours.days": owner_gettext_lazy("Days"),
    "qr_style_from": owner_gettext_lazy("QR codes"),
}
IMAGE_HINTS = {
    "logo": owner_gettext_lazy(
        "Shown on your pages, posters and emails. A PNG with a transparent background works best."
    ),
    "picture": owner_gettext_lazy("Your business, your work or yourself."),
}
CORNER_LABELS = {
    "sharp": owner_gettext_lazy("Sharp"),
    "soft": owner_gettext_lazy("Soft"),
    "round": owner_gettext_lazy("Round"),
}
CODE_PRODUCT = "qr"
MAX_CODES = 50


@page("GET", "HEAD", "POST")
def brand(request: SignedInRequest) -> HttpResponse:
    form, language = build_brand_form(request), guest_language(request.account)
    if request.method == "POST" and save_brand_form(request, form):
        account = Account.objects.select_related("brand").get(pk=request.account.pk)
        has_outdated = guest_language(account) != language and list_unused_starters(account)
        back = reverse("brand_examples" if has_outdated else "brand")
        return redirect_with_message(request, owner_gettext("Brand saved. Guests see it now."), back)
    return render(request, "account_pages/brand.html", build_context(request, form), status=form.status)


@page("GET", "HEAD", "POST")
def examples(request: SignedInRequest) -> HttpResponse:
    """Offer to replace unused examples with new ones in the guests' language."""
    if not list_unused_starters(request.account):
        return redirect("brand")
    if request.method == "POST":
        recreate_starters(request)
        return redirect_with_message(request, owner_gettext("Examples replaced."), reverse("brand"))
    return render_confirmation(
        request,
        title=owner_gettext("Replace examples?"),
        text=owner_gettext(
            "Your unused example pages are in another language. You can replace them with examples in %(language)s. "
            "Pages that you changed or that guests used stay as they are."
        )
        % {"language": CONTENT_LANGUAGES[guest_language(request.account)]},
        button=owner_gettext("Replace examples"),
        back=reverse("brand"),
    )


@page("GET", "HEAD", "POST")
def preview(request: SignedInRequest) -> HttpResponse:
    """Render a guest page in the brand: the account's newest item, or a sample if there is none.

    A posted form is applied and then rolled back.
    """
    newest = _newest_item(request.account)

    def render_preview() -> HttpResponse:
        return (
            guests_page.render_preview(request, newest)
            if newest
            else guests_page.as_preview_response(_render_sample(request.account.pk))
        )

    return (
        guests_page.render_with_form(request, build_brand_form(request), render_preview)
        if request.method == "POST"
        else render_preview()
    )


def build_brand_form(request: SignedInRequest) -> ToolForm:
    """Return the form of the brand with its current values."""
    found = call_tool(request, brand_tools.get)
    initial = {**found, "logo_id": found["logo_id"] or "", "image_id": found["image_id"] or ""}
    return ToolForm(brand_tools.edit, request, initial=initial, editing=True, labels=LABELS)


def save_brand_form(request: SignedInRequest, form: ToolForm) -> bool:
    """Store the uploaded images and submit the form. Return whether the brand was saved."""
    for name in IMAGE_HINTS:
        form_images.store_upload(request, form, name, f"{name}_id")
    return not form.errors and form.submit(request.caller) is not None


def build_context(request: SignedInRequest, form: ToolForm) -> dict[str, Any]:
    """Return the context of a page with the brand form."""
    return {
        "form": form,
        "thing": {"preview_url": reverse("brand_preview")},
        "pictures": [(name, form.label_for(name), help) for name, help in IMAGE_HINTS.items()],
        "colors": _present_colors(form),
        "pairs": [(key, pair.title, pair.about) for key, pair in FONT_PAIRS.items()],
        "corners": [(key, CORNER_LABELS[key]) for key in CORNER_RADII],
        "days": list(DAY_NAMES.items()),
        "weekdays": DAYS,
        "language_groups": group_languages(),
        "further": [str(code) for code in (form.values.get("languages") or [])[1:]],
        "codes": _list_style_sources(request.account),
    }


def _present_colors(form: ToolForm) -> list[tuple[str, str, str, list[str]]]:
    """Return the label, purpose, value and errors of each color."""
    given = [str(one) for one in form.values.get("colors") or []]
    labels = [
        (owner_gettext("Main color"), owner_gettext("Used for buttons, links and large areas")),
        (owner_gettext("Secondary color"), owner_gettext("Used as an accent")),
    ]
    return [
        (label, about, [*given, "", ""][number], list(form.errors.get(f"colors.{number}", ())))
        for number, (label, about) in enumerate(labels)
    ]


def _list_style_sources(account: Account) -> list[tuple[str, str]]:
    """Return the QR codes whose style others can use, newest first."""
    model = items.get_manifest(CODE_PRODUCT).models[0]
    return [(code.pk, str(code)) for code in model._default_manager.filter(account=account)[:MAX_CODES]]


def _newest_item(account: Account) -> Item | None:
    """Return the account's newest item that is published as a page, or None."""
    kinds = [product.key for product in items.list_manifests() if product.fast_redirect is None]
    shown = account.publications.filter(kind__in=kinds, deleted_at=None, banned_at=None).order_by("-created_at").first()
    return items.items_by_publication(account, [(shown.kind, shown.pk)]).get(shown.pk) if shown else None


def _render_sample(account_id: str) -> str:
    """Render a sample page in the guests' language.

    It reads the account again, because the request's account does not have the values to try.
    """
    account = Account.objects.select_related("brand").get(pk=account_id)
    with use_brand(account), use_guest_language(account):
        return render_to_string("public/sample.html", {"brand": Brand.for_account(account)})
