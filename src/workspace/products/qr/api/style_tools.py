"""How the code of anything that is published looks, as a tool."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInput
from workspace.lib.text import escape_markdown
from workspace.products.qr.api.arguments import SafeStyle
from workspace.products.qr.api.serializers import files_of
from workspace.products.qr.api.tools import box
from workspace.products.qr.domain.queries import code_of
from workspace.products.qr.domain.scan_check import problem_in, reading
from workspace.products.qr.domain.style import dressed, look_of
from workspace.products.qr.models import KIND
from workspace.products.qr.rules.types import Preset
from workspace.publishing import items, qr_style
from workspace.publishing.items import Thing
from workspace.publishing.models import Publication
from workspace.qr_symbols.style import PRESETS, Style, UnsafeStyle
from workspace.storage import journal
from workspace.tools.answer import Answer, facts
from workspace.tools.argument_types import AnyThing


class Dressed(TypedDict):
    """`style` is the whole look, whether it is its own or the brand's."""

    id: str
    noun: str
    title: str
    public_url: str
    svg_url: str
    png_url: str
    style: dict[str, Any]


def _scans_with_the_logo(account: Account, given: Any) -> None:
    """The brand's logo covers modules: style and logo are judged together."""
    style = given.style or PRESETS.get(given.preset or "")
    thing = items.thing(account, given.thing)
    logo = _shown(account, thing)[1]
    if style is None or logo is None:
        return
    try:
        problem = problem_in(reading(style, thing.symbol_text, logo))
    except UnsafeStyle as unsafe:
        problem = str(unsafe)
    if problem:
        raise InvalidInput.at("style" if given.style else "preset", f"This would not scan with your logo. {problem}")


@box.tool("svc_qr_look", title="Dress the code of anything", idempotent=True, prepare=_scans_with_the_logo)
def look(
    account: Account, thing: AnyThing, style: SafeStyle | None = None, preset: Preset | None = None
) -> Answer[Dressed]:
    """How the code of anything you publish looks (a menu, card, link page, review page): colours, shapes, frame and
    caption, on screen and on paper. preset=brand dresses it like your others. A look that would not scan is refused. A
    QR code's logo is changed by svc_qr_edit."""
    found = items.thing(account, thing)
    given = dressed({name: value for name, value in (("style", style), ("preset", preset)) if value is not None})
    if given and found.kind == KIND:
        code_of(account, found.id).edit(**given)
    elif given:
        journal.about(found.kind, found.id)
        Publication.objects.get(pk=found.publication_id).dress(given["style"])
    found = items.thing(account, found.id)
    worn, _ = _shown(account, found)
    files = files_of(found.id)
    data: Dressed = {
        "id": found.id,
        "noun": found.noun,
        "title": found.title,
        "public_url": found.public_url,
        "svg_url": f"{found.public_url}.svg" if found.public_url else files["svg_url"],
        "png_url": f"{found.public_url}.png" if found.public_url else files["png_url"],
        "style": worn.model_dump(),
    }
    what = "Changed the look of" if journal.has_changed() else "Nothing changed:"
    own = ", ".join(f"{name} {value}" for name, value in worn.model_dump(exclude_defaults=True).items())
    pairs = {
        "id": data["id"],
        "public link": data["public_url"],
        "SVG": data["svg_url"],
        "PNG": data["png_url"],
        "look": escape_markdown(own) or "black on white",
    }
    return Answer(data, facts(f"{what} the code of “{escape_markdown(found.title)}” ({found.noun})", pairs))


def _shown(account: Account, thing: Thing) -> tuple[Style, bytes | None]:
    if thing.kind == KIND:
        return look_of(code_of(account, thing.id))
    return qr_style.dressed(thing.code_style, qr_style.usual(account))
