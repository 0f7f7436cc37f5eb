"""The progress of a guest through a form, reported by the page's script."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from workspace.products.form.api.response_stats import PAGE_EVENT, START_EVENT
from workspace.products.form.models import Form
from workspace.products.form.public.views import (
    page,
)
from workspace.public_site import guest_page
from workspace.public_site.spam_protection import is_same_origin
from workspace.publishing.models import Address
from workspace.rate_limits.counter import consume


def record_progress(request: HttpRequest, address: Address) -> HttpResponse:
    """Count the first answer, and each page reached after the first. The guest's script reports them."""
    if request.method != "POST":
        return page(request, address)
    key = request.POST.get("page", "")
    if is_same_origin(request) and consume("form-progress", request, item=address.publication_id):
        if not key:
            guest_page.count_visit(request, address.publication, START_EVENT)
        elif any(page["key"] == key for page in Form.from_address(address).definition["pages"]):
            guest_page.count_visit(request, address.publication, PAGE_EVENT, part=key)
    return HttpResponse(status=204)
