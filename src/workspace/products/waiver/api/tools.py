"""Tools to create, find, change and delete waivers.

`signature_tools.py` contains the tools for signatures.
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

SENDING_IS_FINAL = "A mail cannot be called back"
box = Toolbox(KIND, "Waivers")


@box.tool("svc_waivers_list", title="List waivers", reads=True, columns="title signed_count accepting version slug")
def list_waivers(account: Account) -> Answer[Listing[WaiverSummary]]:
    """Your waivers, newest first: title, signing link, whether it accepts signatures, how many have signed. Archived
    ones are not among them."""
    rows = [waiver_summary(waiver) for waiver in waivers_for(account)]
    return listing_answer(rows, total=len(rows), offset=0, noun="waivers", line=format_waiver)


class VersionDetail(TypedDict):
    """`diff`: how the text went on from there to the newest one, line by line."""

    number: int
    body: Annotated[str, Field(description="What was read, as its hash is made of")]
    diff: str


class WaiverResult(WaiverDetail):
    """`asked`: who was asked by mail, those first who have not signed."""

    asked: list[InvitationData]
    shown: NotRequired[VersionDetail]
    signed: NotRequired[SignatureDetail]


@box.tool("svc_waiver_get", title="Get a waiver, a version or a signature", reads=True)
def get(
    account: Account,
    id: Annotated[Id, Field(description="A waiver's, or a signature's: then who signed what, and its proof")],
    version: Annotated[int, Field(ge=1, le=2**31 - 1, description="Show this version, and what has changed since")]
    | None = None,
) -> Answer[WaiverResult]:
    """One waiver whole: text, clauses, questions, rules, versions, and who was asked to sign; one earlier version with
    what has changed since; or one signature with answers, initials, who signed together, all else that this person
    signed, their visits, and whether its record holds."""
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
            format_fact_list("Its waiver", waiver_facts(result)),
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
    more = [f"Version {version}:", waiver_version.body, "", "What has changed since:", diff or "nothing"]
    return Answer(result, "\n".join([answer, "", *more]))


def _diff_lines(version: object) -> list[str]:
    body = dict(version)  # type: ignore[call-overload]
    lines = [str(body["title"]), *str(body["text"]).splitlines()]
    for clause in body["clauses"]:
        lines += [clause["title"], *clause["text"].splitlines()]
    return [*lines, *(question["label"] for question in body["questions"])]


def _column_values(fields: Mapping[str, Any]) -> dict[str, Any]:
    """What an owner gave, by the names of the columns."""
    return {"reminders_enabled" if name == "remind" else name: value for name, value in fields.items()}


@box.tool("svc_waiver_create", title="Create a waiver")
def create(
    account: Account,
    title: Title,
    copy_of: CopySource | None = None,
    **fields: Unpack[NewWaiver],
) -> Answer[WaiverDetail]:
    """Make a waiver that people sign at its link, by typing or drawing their name: a text, clauses, or both. A guardian
    signs for minors. Each signature counts for a year unless valid_for says else. Counts against the plan's number."""
    values = _column_values(fields)
    url = values.pop("webhook_url", "")
    if copy_of in template_gallery.TEMPLATE_NAMES:
        values = {**template_gallery.definition_from_template(account, copy_of), **values}
    elif copy_of is not None:
        values = {**copy_fields(get_waiver(account, copy_of)), **values}
    values.pop("title", None)  # the copy needs a title of its own
    if url:
        webhooks.check_plan(account, KIND)
    waiver = Waiver.create_waiver(account, title=title, **values)
    if url:
        webhooks.set_item_endpoint(account, waiver.pk, str(url))
    return _waiver_answer(account, waiver.pk, f"Created the waiver {escape_markdown(title)}")


@box.tool("svc_waiver_edit", title="Edit a waiver", idempotent=True, sends=True)
def edit(
    account: Account,
    id: WaiverId,
    material: Material | None = None,
    update_existing: UpdateExisting = False,
    ask_again: AskAgain = False,
    **fields: Unpack[WaiverEdit],
) -> Answer[WaiverDetail]:
    """Change a waiver: only what is given; lists replace all that was in them. Other words are a new version: say
    material=true where all who signed must sign again, false where not. Earlier versions stay with who signed them.
    accepting=false closes it."""
    waiver = lock_waiver(account, id)
    values = _column_values(fields)
    if ask_again and not material:
        raise InvalidInputError.at_path("ask_again", "Goes with material=true: else nobody has to sign again")
    url = values.pop("webhook_url", None)
    waiver.edit(material=material, **values)
    replaced = webhooks.change_item_webhook(account, KIND, waiver.pk, None if url is None else str(url))
    moved = apply_span(waiver) if update_existing else 0
    if waiver.reminders_enabled and (moved or values.get("reminders_enabled")):
        renewals.schedule_renewal(waiver, renewals.ENDING)
    if ask_again:
        renewals.schedule_renewal(waiver, renewals.CHANGED)
        journal.mark_irreversible(SENDING_IS_FINAL)
    what = "Changed" if has_changed() else "Nothing changed on"
    more = f". {format_count(moved, 'earlier signature')} got another end" if update_existing else ""
    more += ". Who has to sign again is mailed now" if ask_again else ""
    more += f". {replaced}" if replaced else ""
    return _waiver_answer(account, id, f"{what} the waiver {escape_markdown(waiver.title)}{more}")


@box.tool("svc_waiver_delete", title="Delete waivers", destructive=True)
def delete(account: Account, ids: Ids) -> Answer[DeletedItems]:
    """Delete waivers. One that somebody has signed is archived in place of that: it takes no more signatures, leaves
    your list and is not looked at by svc_waiver_check, while what was signed stays to be shown. svc_undo brings it
    back."""
    missing = "There is no such waiver: svc_waivers_list shows yours"
    Waiver.lock_many(get_many_or_404(ids, missing, waivers_for(account)))
    items = get_many_or_404(ids, missing, waivers_for(account))  # read again: someone may have signed at this moment
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
