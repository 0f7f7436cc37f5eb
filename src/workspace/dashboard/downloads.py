"""Downloads for owners."""

from __future__ import annotations

from django.http import HttpResponse

BOM = "\ufeff"  # marks a text as UTF-8 for spreadsheets


def csv_response(text: str, name: str) -> HttpResponse:
    return download_response(BOM + text, name, "text/csv; charset=utf-8")


def download_response(content: str | bytes, name: str, content_type: str) -> HttpResponse:
    """Return a response that the browser saves as a file. `name` must be ASCII, as slugs are."""
    response = HttpResponse(content, content_type=content_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
