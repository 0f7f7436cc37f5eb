"""Tools to create, find, change and delete waivers.

The tools for signatures are in `signature_tools.py`.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Annotated, Any, NotRequired, Unpack

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.delivery import webhooks
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError
from workspace.lib.text import escape_markdown, format_count
from workspace.products.waiver import messages
from workspace.products.waiver.api.arguments import (
    AskAgain,
    CopySource,
    Material,
    NewWaiver,
    Title,
    UpdateExisting,
    WaiverEdit,
    WaiverId,
)
from workspace.products.waiver.api.serializers import WaiverDetail, WaiverSummary, waiver_detail, waiver_summary
from workspace.products.waiver.api.signature_serializers import SignatureDetail, signature_detail
from workspace.products.waiver.api.text import (
    format_invitations,
    format_waiver,
    format_waiver_text,
    signature_facts,
    waiver_facts,
)
from workspace.products.waiver.domain import renewals, template_gallery
from workspace.products.waiver.domain.expiry_update import recompute_expiry as apply_span
from workspace.products.waiver.domain.invitations import InvitationData, list_invitations
from workspace.products.waiver.domain.queries import get_signature, get_version, get_waiver, lock_waiver, waivers_for
from workspace.products.waiver.models import KIND, Waiver
from workspace.publishing.duplication import copy_fields
from workspace.publishing.serializers import DeletedItems, get_many_or_404
from workspace.publishing.shared_item_arguments import Ids
from workspace.storage import journal
from workspace.storage.journal import has_changed
from workspace.tools.answer import Answer, Listing, format_bullets, format_fact_list, listing_answer
from workspace.tools.argument_types import Id
from workspace.tools.tool import Toolbox

SENDING_IS_FINAL = "A sent email can't be recalled"
box = Toolbox(KIND, "Waivers")


@box.tool(
    "svc_waivers_list",
    title="List waivers",
    about="List waivers, newest first, with title, signing link, number of signatures, and whether they accept "
    "signatures. Archived waivers are excluded.",
    short="List waivers with signing link and number of signatures.",
    synonyms="liability forms, releases, consent forms, disclaimers, haftungsausschlüsse, verzichtserklärungen, "
    "exenciones, descargos de responsabilidad",
    reads=True,
    columns="title signed_count accepting version slug",
)
def list_waivers(account: Account) -> Answer[Listing[WaiverSummary]]:
    rows = [waiver_summary(waiver) for waiver in waivers_for.fetch(account)]
    return listing_answer(rows, total=len(rows), offset=0, noun="waivers", line=format_waiver)


class VersionDetail(TypedDict):
    """A version. `diff` shows line by line how the text has changed from it to the newest version."""

    number: int
    body: Annotated[str, Field(description="Text that signers read, from which the hash is computed.")]
    diff: str


class WaiverResult(WaiverDetail):
    """A waiver with its invitations. `asked` are the invited people, unsigned first."""

    asked: list[InvitationData]
    shown: NotRequired[VersionDetail]
    signed: NotRequired[SignatureDetail]


@box.tool(
    "svc_waiver_get",
    title="Get a waiver, a version or a signature",
    about="Get a waiver with its text, clauses, questions, rules, versions and invited people. With version, get "
    "that version and what has changed since then. With a signature ID, get its answers, signers and "
    "check-ins, and whether its record is intact.",
    short="Get a waiver, an earlier version or one signature.",
    synonyms="waiver text, who was invited, who has not signed, signature details, unterschrift ansehen, text "
    "anzeigen, wer hat noch nicht unterschrieben, ver firma, texto, quién falta por firmar",
    reads=True,
)
def get(
    account: Account,
    id: Annotated[Id, Field(description="Waiver or signature ID.")],
    version: Annotated[int, Field(ge=1, le=2**31 - 1, description="Version to return, with the changes since then.")]
    | None = None,
) -> Answer[WaiverResult]:
    if id.startswith("sig_"):
        signature = get_signature(account, id)
        signed = signature_detail(signature)
        result: WaiverResult = {
            **waiver_detail(get_waiver(account, signature.waiver_id)),
            "asked": [],
            "signed": signed,
        }
        text = [
            format_fact_list(escape_markdown(signature.name), signature_facts(signed)),
            "",
            format_fact_list("Waiver", waiver_facts(result)),
        ]
        return Answer(result, "\n".join([*text, *format_waiver_text(result)]))
    waiver = get_waiver(account, id)
    result = {**waiver_detail(waiver), "asked": list_invitations(waiver)}
    answer = "\n".join([_format_detail(result, ""), *format_invitations(result["asked"])])
    if version is None:
        return Answer(result, answer)
    waiver_version = get_version(waiver, version)
    diff = "\n".join(
        difflib.unified_diff(
            _diff_lines(waiver_version.content), _diff_lines(get_version(waiver, waiver.version).content), lineterm=""
        )
    )
    result["shown"] = {"number": version, "body": waiver_version.body, "diff": diff}
    more = [f"Version {version}:", waiver_version.body, "", "Changes since then:", diff or "none"]
    return Answer(result, "\n".join([answer, "", *more]))


def _diff_lines(version: object) -> list[str]:
    body = dict(version)  # type: ignore[call-overload]
    lines = [str(body["title"]), *str(body["text"]).splitlines()]
    for clause in body["clauses"]:
        lines += [clause["title"], *clause["text"].splitlines()]
    return [*lines, *(question["label"] for question in body["questions"])]


def _column_values(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the given values by the names of their columns."""
    return {"reminders_enabled" if name == "remind" else name: value for name, value in fields.items()}


@box.tool(
    "svc_waiver_create",
    title="Create a waiver",
    about="Create a waiver with text, clauses or both. People sign online by typing or drawing their name, and a "
    "guardian signs for minors. Signatures are valid for one year unless valid_for says otherwise. Counts "
    "toward your plan's limit.",
    short="Create a waiver that people sign online.",
    synonyms="liability release, consent form, disclaimer, e-signature, indemnity, photo consent, "
    "haftungsausschluss, einverständniserklärung, verzichtserklärung, exención de responsabilidad, consentimiento, "
    "descargo",
)
def create(
    account: Account,
    title: Title,
    copy_of: CopySource | None = None,
    **fields: Unpack[NewWaiver],
) -> Answer[WaiverDetail]:
    values = _column_values(fields)
    url = values.pop("webhook_url", "")
    if copy_of in template_gallery.TEMPLATE_NAMES:
        values = {**template_gallery.definition_from_template(account, copy_of), **values}
    elif copy_of is not None:
        values = {**copy_fields(get_waiver(account, copy_of)), **values}
    values.pop("title", None)  # the copy needs its own title
    if url:
        webhooks.check_plan(account, KIND)
    waiver = Waiver.create_waiver(account, title=title, **values)
    if url:
        webhooks.set_item_endpoint(account, waiver.pk, str(url))
    return _waiver_answer(account, waiver.pk, f"Created the waiver {escape_markdown(title)}")


@box.tool(
    "svc_waiver_edit",
    title="Update a waiver",
    about="Update a waiver. Pass only the fields to change. A list replaces the whole list. New wording creates a "
    "new version; with material=true, everyone must sign again. Earlier signers keep their version. "
    "accepting=false closes the waiver.",
    short="Update a waiver. New wording creates a new version.",
    synonyms="change text, wording, clause, sign again, re-sign, new version, validity, close waiver, text ändern, "
    "neu unterschreiben, cambiar texto, volver a firmar, cláusula",
    idempotent=True,
    sends=True,
)
def edit(
    account: Account,
    id: WaiverId,
    material: Material | None = None,
    update_existing: UpdateExisting = False,
    ask_again: AskAgain = False,
    **fields: Unpack[WaiverEdit],
) -> Answer[WaiverDetail]:
    waiver = lock_waiver(account, id)
    values = _column_values(fields)
    if ask_again and not material:
        raise InvalidInputError.at_path("ask_again", messages.ASK_AGAIN_NEEDS_MATERIAL)
    url = values.pop("webhook_url", None)
    waiver.edit(material=material, **values)
    replaced = webhooks.change_item_webhook(account, KIND, waiver.pk, None if url is None else str(url))
    moved = apply_span(waiver) if update_existing else 0
    if waiver.reminders_enabled and (moved or values.get("reminders_enabled")):
        renewals.schedule_renewal(waiver, renewals.ENDING)
    if ask_again:
        renewals.schedule_renewal(waiver, renewals.CHANGED)
        journal.mark_irreversible(SENDING_IS_FINAL)
    what = "Updated" if has_changed() else "No changes to"
    more = f". New expiry for {format_count(moved, 'earlier signature')}" if update_existing else ""
    more += ". Everyone who has to sign again is emailed now" if ask_again else ""
    more += f". {replaced}" if replaced else ""
    return _waiver_answer(account, id, f"{what} the waiver {escape_markdown(waiver.title)}{more}")


@box.tool(
    "svc_waiver_delete",
    title="Delete waivers",
    about="Delete waivers. Waivers with signatures are archived instead. An archived waiver accepts no more "
    "signatures, is no longer listed and is ignored by svc_waiver_check, but its signed copies stay available. "
    "To restore waivers, use svc_undo.",
    short="Delete waivers, or archive those with signatures.",
    synonyms="remove waiver, archive, löschen, archivieren, eliminar, borrar, archivar, archive waiver, old waiver",
    destructive=True,
)
def delete(account: Account, ids: Ids) -> Answer[DeletedItems]:
    Waiver.lock_many(get_many_or_404(ids, messages.WAIVERS_NOT_FOUND, waivers_for(account)))
    items = get_many_or_404(
        ids, messages.WAIVERS_NOT_FOUND, waivers_for(account)
    )  # read again, because someone may have signed at this moment
    stored = [item for item in items if item.signed_count]
    Waiver.remove_many([item for item in items if not item.signed_count])
    now = clock.now()
    Waiver.change_many([(item, {"archived_at": now}) for item in stored])
    data: DeletedItems = {"deleted": [{"id": item.pk, "title": str(item)} for item in items]}
    archived = {item.pk for item in stored}
    head = f"Deleted {format_count(len(items) - len(stored), 'waiver')}" + (
        f", archived {len(stored)}" if stored else ""
    )
    lines = format_bullets(
        data["deleted"],
        lambda row: f"{escape_markdown(row['title'])} `{row['id']}`{' (archived)' if row['id'] in archived else ''}",
    )
    return Answer(data, "\n".join([f"{head}.", "", *lines]))


def _waiver_answer(account: Account, id: str, title: str) -> Answer[WaiverDetail]:
    waiver = waiver_detail(get_waiver(account, id))
    return Answer(waiver, _format_detail(waiver, title))


def _format_detail(waiver: WaiverDetail, title: str) -> str:
    head = title or escape_markdown(waiver["title"])
    return "\n".join([format_fact_list(head, waiver_facts(waiver)), *format_waiver_text(waiver)])
