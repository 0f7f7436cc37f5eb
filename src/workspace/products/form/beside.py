"""What stands beside a form's page: the thanks behind it, and what its script tells of itself."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from workspace.products.form.figures import PAGE, START
from workspace.products.form.models import Form
from workspace.products.form.pages import STEPS, context_of, in_its_language
from workspace.publishing import guest_page
from workspace.publishing.guest_form import HOUR
from workspace.publishing.guests import allow, same_origin
from workspace.publishing.models import Address
from workspace.publishing.speaking import voice


@require_POST
def started(request: HttpRequest, address: Address) -> HttpResponse:
    """A guest's script tells of the first answer, and of each page that is reached behind the first one."""
    key = request.POST.get("page", "")
    if same_origin(request) and allow(request, f"form-starts:{address.publication_id}", limit=STEPS, window=HOUR):
        if not key:
            guest_page.count(request, address.publication, START)
        elif any(page["key"] == key for page in Form.at(address).definition["pages"]):
            guest_page.count(request, address.publication, PAGE, part=key)
    return HttpResponse(status=204)


@require_safe
def thanks(request: HttpRequest, address: Address) -> HttpResponse:
    form = Form.at(address)
    number = request.GET.get("number", "")
    with in_its_language(form):
        context = {**context_of(form), "number": number if number.isalnum() and len(number) <= 12 else ""}
        response = render(request, "form/thanks.html", context)
        response.headers["Content-Language"] = voice().language
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response
