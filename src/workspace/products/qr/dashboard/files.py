"""The owner's downloads. They carry the code's name, which is the owner's alone: public pictures carry its address."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.utils.text import slugify

from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_pages import page
from workspace.products.qr.drawing import look_of
from workspace.products.qr.models import Code
from workspace.products.qr.rows import code_of
from workspace.publishing.own_code import picture as own_picture
from workspace.symbols.style import UnsafeStyle

LONGEST = 60  # characters of a file's name


def file_name(code: Code) -> str:
    """The code's name in letters that every system takes; its address where nothing of the name is left."""
    return slugify(code.name)[:LONGEST].strip("-") or code.slug


@page()
def picture(request: SignedInRequest, id: str, form: str) -> HttpResponse:
    """The code as a file, `form` being svg or png; `?size=` is the PNG's width in pixels."""
    code = code_of(request.account, id)
    style, logo = look_of(code)
    etag = f"{code.publication_id}-{code.publication.version}"
    name, title = file_name(code), code.public_url
    try:
        response = own_picture(
            request, code.printed_url, form, etag=etag, file_name=name, title=title, style=style, logo=logo
        )
    except UnsafeStyle as unsafe:
        raise Http404(str(unsafe)) from None
    if response.status_code >= 400:
        return response
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.{form}"'
    response.headers["Cache-Control"] = "private, no-cache"
    del response.headers["Access-Control-Allow-Origin"], response.headers["Cross-Origin-Resource-Policy"]
    return response
