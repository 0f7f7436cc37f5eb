"""Images of certificates for screens: an issued one, or a fictional one next to the editor."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable

from django.utils.translation import gettext

from workspace.documents import page_preview
from workspace.documents.typesetter import render_page_image
from workspace.lib import clock
from workspace.lib.errors import NotFoundError
from workspace.lib.lru_cache import BoundedCache
from workspace.products.certs import messages
from workspace.products.certs.domain import print_data
from workspace.products.certs.domain.pdf import build_design, build_texts, load_signed_pdf
from workspace.products.certs.models import Certificate, Template
from workspace.publishing.language import DEFAULT_LANGUAGE

PREVIEW_WIDTH = 1200  # pixels
SAMPLE_CODE = "7KQ2-M9XD-4TBP-0ZRA"
_image_cache = BoundedCache[bytes](3 * 1024 * 1024)  # the eight designs of the gallery, and the current preview


def build_sample(template: Template, **fields: str) -> Certificate:
    """Build a certificate of a fictional recipient, for the preview of a template."""
    data = {"name": "Ada Lovelace", "course": gettext("Course name"), "hours": "24", "custom": "", **fields}
    return Certificate(
        account=template.account,
        template=template,
        code=SAMPLE_CODE.replace("-", ""),
        language=template.language,
        day=clock.today(template.account.time_zone),
        **data,
    )


def render_image(template: Template, certificate: Certificate | None = None, width: int = PREVIEW_WIDTH) -> bytes:
    """Return a PNG of a certificate, by default a fictional one. Raise the same errors as `render_page_image`."""
    return build_image_renderer(template, certificate, width)()


def build_image_renderer(
    template: Template, certificate: Certificate | None = None, width: int = PREVIEW_WIDTH
) -> Callable[[], bytes]:
    """Return a function that renders the image. The data is read now; the image is rendered when it is called."""
    certificate = certificate or build_sample(template)
    look = build_design(template, certificate.language)
    data, language = (
        print_data.build_print_data(look, build_texts(certificate, template)),
        certificate.language or DEFAULT_LANGUAGE,
    )
    known = (hashlib.sha256(json.dumps(data, sort_keys=True).encode()).digest(), language, width)

    def render_image() -> bytes:
        stored = _image_cache.get(known)
        if stored is None:
            stored = render_page_image(
                print_data.LAYOUT_PATH, data, width=width, points=print_data.page_width_points(look), language=language
            )
            _image_cache.put(known, stored, len(stored))
        return stored

    return render_image


def render_issued_image(certificate: Certificate, width: int = PREVIEW_WIDTH) -> bytes:
    """Return a PNG of the stored PDF, which shows what was issued.

    Raise NotFoundError if there is no PDF. Otherwise, raise the same errors as `page_preview.render_preview`.
    """
    known = (certificate.pdf_key, width)
    stored = _image_cache.get(known)
    if stored is None:
        try:
            content = load_signed_pdf(certificate)
        except FileNotFoundError:
            raise NotFoundError(messages.FILE_NOT_FOUND) from None
        stored = page_preview.render_preview(content, width=width)
        _image_cache.put(known, stored, len(stored))
    return stored


def find_image_renderer(certificate: Certificate) -> Callable[[], bytes] | None:
    """Return a function that renders the PDF or, if there is no PDF yet, a preview.

    Return None for an erased certificate.
    """
    if certificate.pdf_key:
        return lambda: render_issued_image(certificate)
    template = certificate.template
    return (
        (lambda: render_image(template, certificate))
        if template is not None and certificate.sealed_at is None
        else None
    )
