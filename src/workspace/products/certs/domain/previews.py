"""How certificates look on a screen: one that was issued, or somebody's who does not exist, beside the editor."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable

from django.utils.translation import gettext

from workspace.documents import page_preview
from workspace.documents.typesetter import pictured
from workspace.lib import clock
from workspace.lib.errors import NotFound
from workspace.lib.lru_cache import BoundedCache
from workspace.products.certs.domain import print_data
from workspace.products.certs.domain.pdf import look_of, printed, sealed
from workspace.products.certs.models import Certificate, Template
from workspace.publishing.language import USUAL

SEEN = 1200  # pixels, of a picture
SAMPLE_CODE = "7KQ2-M9XD-4TBP-0ZRA"
_pictures = BoundedCache[bytes](3 * 1024 * 1024)  # the eight of a gallery, and what is being designed


def sample(template: Template, **given: str) -> Certificate:
    """Somebody who does not exist, for looking at a template."""
    said = {"name": "Ada Lovelace", "course": gettext("The name of the course"), "hours": "24", "custom": "", **given}
    return Certificate(
        account=template.account,
        template=template,
        code=SAMPLE_CODE.replace("-", ""),
        language=template.language,
        day=clock.today(template.account.time_zone),
        **said,
    )


def picture(template: Template, one: Certificate | None = None, width: int = SEEN) -> bytes:
    """A PNG of a certificate, or of somebody who does not exist. Raises as `pictured`."""
    return drawn(template, one, width)()


def drawn(template: Template, one: Certificate | None = None, width: int = SEEN) -> Callable[[], bytes]:
    """The same in two steps: all that it shows is read at once, and drawn when it is called."""
    one = one or sample(template)
    look = look_of(template, one.language)
    data, language = print_data.data(look, printed(one, template)), one.language or USUAL
    known = (hashlib.sha256(json.dumps(data, sort_keys=True).encode()).digest(), language, width)

    def draw() -> bytes:
        kept = _pictures.get(known)
        if kept is None:
            kept = pictured(print_data.LAYOUT, data, width=width, points=print_data.points(look), language=language)
            _pictures.put(known, kept, len(kept))
        return kept

    return draw


def paper(one: Certificate, width: int = SEEN) -> bytes:
    """A PNG of the paper itself, which shows what it was issued with. Raises NotFound where there is none, and as
    `first_page.pictured`."""
    known = (one.pdf_key, width)
    kept = _pictures.get(known)
    if kept is None:
        try:
            content = sealed(one)
        except FileNotFoundError:
            raise NotFound("The file of this certificate is not there") from None
        kept = page_preview.pictured(content, width=width)
        _pictures.put(known, kept, len(kept))
    return kept


def of(one: Certificate) -> Callable[[], bytes] | None:
    """What draws the paper, or how it will look until it is made; None for one that was taken away."""
    if one.pdf_key:
        return lambda: paper(one)
    template = one.template
    return (lambda: picture(template, one)) if template is not None and one.sealed_at is None else None
