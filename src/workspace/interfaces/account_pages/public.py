"""What anybody may read about the service: what it is, and what it keeps."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def about(request: HttpRequest) -> HttpResponse:
    return render(request, "account_pages/about.html")


def privacy(request: HttpRequest) -> HttpResponse:
    return render(request, "account_pages/privacy.html")
