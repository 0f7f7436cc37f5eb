"""The paper of a certificate: drawn in a child, sealed, kept with its hash, put on record, and mailed. A job does it
after the certificates are kept, fifty at a time."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext

from workspace.accounts.models import Account, Upload
from workspace.audit_trail.writer import note
from workspace.brand.fonts import SYSTEM
from workspace.brand.models import LOGO_WIDTH, Brand
from workspace.delivery.jobs import Item
from workspace.documents.pdf_signature import seal
from workspace.documents.typesetter import Sheet, typeset_many
from workspace.lib import clock
from workspace.lib.errors import Refusal, ToolError
from workspace.products.certs.domain import print_data
from workspace.products.certs.domain.badges import credential
from workspace.products.certs.domain.badges.issuers import Signing, issuer_of, signing
from workspace.products.certs.domain.print_data import Look, Printed, Signer
from workspace.products.certs.models import SIGNATURES, Certificate, State, Template
from workspace.products.certs.rules.date_format import written_day
from workspace.products.certs.rules.layout_elements import mirrored
from workspace.publishing.language import USUAL, direction, folded
from workspace.publishing.verification import Came, Kept
from workspace.qr_symbols.print_sheets import Logo
from workspace.storage.files import store
from workspace.storage.files.image_limits import WIDTHS

PREFIX = "certpdf"
CHUNK = 25
LONGEST_DAY = 24  # characters
_SIGNED = min(width for width in WIDTHS if width >= LOGO_WIDTH)
WITH_PICTURES = ("logo", "background", *SIGNATURES)


def words_of(language: str) -> translation.override:
    """Inside, our own words are in the language of the paper, as far as we have it."""
    return translation.override(folded(language) or USUAL)


def look_of(template: Template, language: str) -> Look:
    brand = Brand.of(template.account)
    fonts = template.fonts or (brand.fonts if brand.fonts != SYSTEM else "")
    images = [_svg(getattr(template, name)) for name in SIGNATURES]
    with words_of(language):
        check = gettext("Check it at %(address)s") % {"address": f"{settings.BASE_URL.partition('://')[2]}/v"}
    return Look(
        title=template.title,
        organization=template.organization,
        lead=template.lead,
        body=template.body,
        description=template.description,
        signers=[
            Signer(one["name"], one.get("role", ""), image)
            for one, image in zip(template.signers, images, strict=False)
        ],
        design=template.design,
        paper=template.paper,
        landscape=template.landscape,
        colours=template.colours or brand.colours or [brand.look.colour],
        fonts=fonts,
        seal=template.seal,
        logo=_svg(template.logo or brand.logo),
        background=_svg(template.background, 1536),
        elements=_placed(template, language),
        check=check,
    )


def _placed(template: Template, language: str) -> Sequence[dict[str, Any]]:
    """Placed for readers of the template's language, mirrored for those from the other side, as its design is."""
    is_turned = direction(language or USUAL) != direction(template.language or USUAL)
    return mirrored(template.elements) if is_turned else template.elements


def _svg(upload: Upload | None, width: int = _SIGNED) -> str:
    if upload is None:
        return ""
    at = max(one for one in WIDTHS if one <= width)
    return Logo(upload.at(at), upload.media_type, upload.width, upload.height).svg


def printed(one: Certificate, template: Template) -> Printed:
    language = one.language or USUAL
    day = written_day(one.day, language) if one.day else one.date
    with words_of(language):
        facts = [
            (gettext("Date"), day if "{date}" not in template.body + template.lead else ""),
            (template.hours_label or gettext("Hours"), one.hours if "{hours}" not in template.body else ""),
            (template.custom_label, one.custom if "{custom}" not in template.body + template.lead else ""),
            (gettext("Valid until"), written_day(one.expires_on, language) if one.expires_on else ""),
        ]
    kept = day.replace(" ", "\u00a0") if len(day) <= LONGEST_DAY else day  # a day is not parted by a line's end
    values = {"course": one.course, "date": kept, "hours": one.hours, "custom": one.custom}
    told = [(label, value) for label, value in facts if value]
    return Printed(one.name, one.verify_url, one.shown_code, values, told)


def sheet(one: Certificate, look: Look, template: Template) -> Sheet:
    title = f"{template.title}: {one.name}"
    return Sheet(print_data.data(look, printed(one, template)), title=title, language=one.language or USUAL)


def prepare(account: Account, items: Sequence[Item]) -> list[Any]:
    """Drawn and sealed, outside of any transaction; an exception in the place of one that cannot be."""
    rows = Certificate.objects.filter(account=account).select_related(
        "account", *(f"template__{name}" for name in WITH_PICTURES)
    )
    found = rows.in_bulk([item.body["id"] for item in items])
    looks: dict[tuple[str, str], Look] = {}
    wanted: list[tuple[Certificate, Sheet] | Exception] = []
    for item in items:
        one = found.get(item.body["id"])
        if one is None or one.template is None:
            wanted.append(ToolError("Its template was deleted before its paper was made"))
            continue
        one.template.account = account
        key = (one.template.pk, one.language)
        if key not in looks:
            looks[key] = look_of(one.template, one.language)
        wanted.append((one, sheet(one, looks[key], one.template)))
    by = signing(issuer_of(account))
    contents = _drawn([one if isinstance(one, Exception) else one[1] for one in wanted])
    return [
        content if isinstance(content, Exception) or isinstance(one, Exception) else _sealed(one[0], content, by)
        for one, content in zip(wanted, contents, strict=True)
    ]


def _drawn(wanted: Sequence[Sheet | Exception]) -> list[bytes | Exception]:
    """All at once, and each alone where one of them cannot be drawn."""
    sheets = [one for one in wanted if isinstance(one, Sheet)]
    try:
        made: list[bytes | Exception] = [*typeset_many(print_data.LAYOUT, sheets)] if sheets else []
    except ToolError:
        made = [_alone(one) for one in sheets]
    rest = iter(made)
    return [next(rest) if isinstance(one, Sheet) else one for one in wanted]


def _alone(one: Sheet) -> bytes | Exception:
    try:
        return typeset_many(print_data.LAYOUT, [one])[0]
    except Refusal as refusal:
        return refusal


def _sealed(one: Certificate, pdf: bytes, by: Signing) -> dict[str, Any]:
    assert one.template is not None
    made = seal(pdf)
    key, badge = f"{PREFIX}_{secrets.token_hex(16)}", f"{credential.PREFIX}_{secrets.token_hex(16)}"
    store.put(key, made.content)
    store.put(badge, credential.made(one, one.template, by))
    return {"key": key, "sha256": made.sha256, "content": made.content, "badge": badge}


def finish(account: Account, item: Item) -> dict[str, str] | None:
    """In the item's transaction: the paper is kept, put on record and mailed. One that has its paper keeps it."""
    from workspace.products.certs.domain import emails, expiry_notices

    rows = Certificate.objects.select_related("account", "template").filter(account=account, sealed_at=None)
    one = rows.select_for_update(of=("self",)).filter(pk=item.body["id"]).first()
    if one is None:
        return None
    one.account = account
    one.pdf_key, one.pdf_sha256, one.pdf_size = item.ready["key"], item.ready["sha256"], len(item.ready["content"])
    one.badge_key, one.sealed_at = item.ready["badge"], clock.now()
    said = {"name": one.name, "email": one.email, "course": one.course, "date": one.date, "hours": one.hours}
    data = {"certificate": one.pk, "code": one.shown_code, "title": one.title, "sha256": one.pdf_sha256}
    one.record = note(
        account, "certs.issued", thing=one.pk, data=data, people={"recipient": {**said, "custom": one.custom}}
    )
    if one.is_mailed and one.email:
        replaces = Certificate.objects.filter(replaced_by=one).exists()
        one.mail = emails.issued(one, item.ready["content"], replaces=replaces).pk
        expiry_notices.look_before_end(one)
    one.save(update_fields=["pdf_key", "pdf_sha256", "pdf_size", "badge_key", "sealed_at", "record", "mail"])
    return {"id": one.pk}


def stop(account: Account, results: Sequence[Any]) -> None:
    """Issuing is taken back: what becomes of the certificates is said by these."""


def sealed(one: Certificate) -> bytes:
    """The kept paper. Raises FileNotFoundError while there is none, or when it was erased."""
    if not one.pdf_key:
        raise FileNotFoundError(one.pk)
    return store.get(one.pdf_key)


def name_of(one: Certificate) -> str:
    return f"certificate-{one.shown_code}.pdf"


def kept_by_hash(sha256: str) -> Kept | None:
    return _kept(pdf_sha256=sha256)


def kept_by_record(id: str) -> Kept | None:
    return _kept(record=id)


def kept_of_badge(badge: dict[str, Any]) -> Came | None:
    """What is known of a badge that says it is ours."""
    code = credential.code_of(badge)
    found = Certificate.objects.select_related("account").filter(code=code).first() if code else None
    return Came(_told(found, sha256=""), credential.problem(found, badge)) if found is not None else None


def _kept(**which: str) -> Kept | None:
    found = Certificate.objects.select_related("account").exclude(pdf_sha256="").filter(**which).first()
    return _told(found, sha256=found.pdf_sha256) if found is not None else None


def _told(found: Certificate, *, sha256: str) -> Kept:
    state = {
        State.VALID: gettext("Valid"),
        State.REVOKED: gettext("Revoked since"),
        State.EXPIRED: gettext("Expired since"),
        State.REPLACED: gettext("Replaced by another one since"),
    }[found.state]
    what = f"{found.title}: {found.name} ({found.shown_code})"
    return Kept(
        what,
        found.account.name,
        found.sealed_at,
        sha256,
        state=state,
        holds=found.state is State.VALID,
        url=f"/v/{found.shown_code}",
    )
