"""How certificates look on a screen: one that was issued, or somebody's who does not exist, beside the editor."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable

from django.utils.translation import gettext

from workspace.documents.typesetting import pictured
from workspace.products.certs import drawing
from workspace.products.certs.models import Certificate, Template
from workspace.products.certs.papers import digest, look_of, printed
from workspace.publishing.language import USUAL
from workspace.toolkit import clock
from workspace.toolkit.bounded_cache import BoundedCache

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
    data, language = drawing.data(look, printed(one, template)), one.language or USUAL
    known = (hashlib.sha256(json.dumps(data, sort_keys=True).encode()).digest(), language, width)

    def draw() -> bytes:
        kept = _pictures.get(known)
        if kept is None:
            kept = pictured(drawing.LAYOUT, data, width=width, points=drawing.points(look), language=language)
            _pictures.put(known, kept, len(kept))
        return kept

    return draw


def is_as_issued(one: Certificate) -> bool:
    """Whether its template still looks as it did, so that what is drawn now is what its paper shows."""
    template = one.template
    if template is None or not one.look:
        return False
    template.account = one.account
    return digest(look_of(template, one.language), template) == one.look
