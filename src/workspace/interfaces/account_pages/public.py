"""What anybody may read about the service: what it is, and what it keeps."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    return render(request, "account_pages/about.html")


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    return render(request, "account_pages/privacy.html")
