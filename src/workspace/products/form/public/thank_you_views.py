"""The page that a guest sees after sending a form."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from workspace.products.form.models import Form
from workspace.products.form.public.views import (
    build_context,
    use_form_language,
)
from workspace.public_site.current_embed import current_frame
from workspace.publishing.locale import current_locale
from workspace.publishing.models import Address


@require_safe
def thank_you(request: HttpRequest, address: Address) -> HttpResponse:
    form = Form.from_address(address)
    number = request.GET.get("number", "")
    with use_form_language(form):
        context = {**build_context(form), "number": number if number.isalnum() and len(number) <= 12 else ""}
        context |= {"mailed": "mail" in request.GET, "again": not form.closed_reason() and not form.one_per_email}
        # inside a website's iframe, other pages cannot be opened
        context["onward"] = form.redirect_url if current_frame() is not None else ""
        response = render(request, "form/thank_you.html", context)
        response.headers["Content-Language"] = current_locale().language
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response
