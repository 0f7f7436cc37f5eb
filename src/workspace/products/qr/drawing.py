"""A stored code as a picture, drawn once per version and kept."""

from __future__ import annotations

from hashlib import sha256

from django.http import HttpRequest, HttpResponse

from workspace.accounts.models import Upload
from workspace.products.qr.models import Code
from workspace.publishing.own_code import drawn, picture

LOGO_WIDTH = 768


def svg_of(code: Code) -> str:
    return drawn(code.printed_url, code.looks, logo_of(code.logo), code.short_url)


def picture_of(request: HttpRequest, code: Code, form: str) -> HttpResponse:
    """The code as `svg` or `png`, with an ETag of what it shows."""
    # the host is part of what is printed, and may change while the version does not
    printed = sha256(code.printed_url.encode()).hexdigest()[:12]
    return picture(
        request,
        code.printed_url,
        form,
        etag=f"{code.pk}-{code.publication.version}-{printed}",
        file_name=code.slug,
        title=code.short_url,
        style=code.looks,
        logo=logo_of(code.logo),
    )


def logo_of(upload: Upload | None) -> bytes | None:
    """A logo as it stands in a drawing, for which a fifth of the largest picture is plenty."""
    return upload.at(LOGO_WIDTH) if upload else None
