"""Files that an owner saves."""

from __future__ import annotations

from django.http import HttpResponse

BOM = "\ufeff"  # tells spreadsheets that a text is UTF-8


def csv_response(text: str, name: str) -> HttpResponse:
    return download_response(BOM + text, name, "text/csv; charset=utf-8")


def download_response(content: str | bytes, name: str, content_type: str) -> HttpResponse:
    """An answer that the browser keeps as a file; `name` is ASCII, as slugs are."""
    response = HttpResponse(content, content_type=content_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
