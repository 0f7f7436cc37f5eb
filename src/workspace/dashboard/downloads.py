"""Downloads for owners."""

from __future__ import annotations

from django.http import HttpResponse

BOM = "\ufeff"  # marks a text as UTF-8 for spreadsheets


def csv_response(text: str, file_name: str) -> HttpResponse:
    return download_response(BOM + text, file_name, "text/csv; charset=utf-8")


def download_response(content: str | bytes, file_name: str, content_type: str) -> HttpResponse:
    """Return a response that the browser saves as a file. `file_name` must be ASCII, like slugs."""
    response = HttpResponse(content, content_type=content_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{file_name}"'
    return response
