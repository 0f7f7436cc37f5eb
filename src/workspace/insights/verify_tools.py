"""The tool that verifies a signed PDF and the account's audit trail."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.account_tools import box
from workspace.accounts.models import Account
from workspace.accounts.models.upload import FILE
from workspace.audit_trail import verification as audit_trail_verification
from workspace.insights import messages
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError
from workspace.lib.text import escape_markdown, format_count
from workspace.publishing import file_verification as publishing_verification
from workspace.publishing import items
from workspace.storage.files import store
from workspace.tools.answer import Answer, format_fact_list
from workspace.tools.argument_types import AnyItem, Id

UploadId = Annotated[Id, Field(description="upload_id of the PDF or badge to verify.")]
OneItem = Annotated[
    AnyItem, Field(description="Item whose records are verified: ID, slug or public URL. Defaults to all records.")
]


class DocumentData(TypedDict):
    """A verified document.

    `record` says whether the record inside is the one that we stored. It is null if there is none.
    """

    verdict: Annotated[str, Field(description="this_file, genuine, changed or unknown.")]
    meaning: str
    sha256: str
    what: str
    business: str
    state: Annotated[str, Field(description="Current state, such as revoked. Empty if it has none.")]
    sealed_at: str | None
    record: bool | None


class ProblemData(TypedDict):
    number: int | None
    text: str


class ChainData(TypedDict):
    """The state of a chain.

    Store `records` and `head`: they allow detecting a chain that was rewritten later.
    """

    records: int
    head: str
    problems: list[ProblemData]


class VerificationData(TypedDict):
    paper: DocumentData | None
    chain: ChainData


@box.tool(
    "svc_verify",
    title="Verify a signed PDF or the audit trail",
    about="Verify a signed PDF (upload_id). Returns whether the file is the unchanged original, has genuine content, "
    "was altered or is unknown. Without upload_id, verifies the account's audit trail and lists records that were "
    "changed, removed or moved.",
    short="Verify a signed PDF or the account's audit trail.",
    synonyms="authentic, genuine, tampered, forged, fake, signature valid, proof, check document, echtheit prüfen, "
    "gefälscht, unterschrift prüfen, verificar, auténtico, falsificado, comprobar firma",
    reads=True,
)
def verify(
    account: Account, upload_id: UploadId | None = None, thing: OneItem | None = None
) -> Answer[VerificationData]:
    paper = _verify_document(account, upload_id) if upload_id is not None else None
    end = audit_trail_verification.find_chain_end(account)
    problems = audit_trail_verification.verify_chain(account)
    if thing is not None:
        of_it = audit_trail_verification.record_numbers(account, items.get_item(account, thing).id)
        problems = [one for one in problems if one.number is None or one.number in of_it]
    chain: ChainData = {
        "records": end.count if end else 0,
        "head": end.head if end else "",
        "problems": [{"number": one.number, "text": one.text} for one in problems],
    }
    return Answer({"paper": paper, "chain": chain}, "\n\n".join(_format_parts(paper, chain)))


def _verify_document(account: Account, upload_id: str) -> DocumentData:
    upload = account.uploads.filter(pk=upload_id, kind=FILE).first()
    try:
        content = store.get(upload_id) if upload is not None else b""
    except FileNotFoundError:
        content = b""
    if not content:
        raise InvalidInputError.at_path("upload_id", messages.FILE_NOT_FOUND)
    found = publishing_verification.verify_file(content)
    kept = found.document
    return {
        "verdict": found.verdict.value,
        "meaning": publishing_verification.describe_verdict(found),
        "sha256": found.sha256,
        "what": kept.what if kept else "",
        "business": kept.business if kept else "",
        "state": kept.state if kept else "",
        "sealed_at": clock.to_iso(kept.sealed_at) if kept else None,
        "record": found.record_matches,
    }


def _format_parts(paper: DocumentData | None, chain: ChainData) -> list[str]:
    parts = []
    if paper is not None:
        said = {
            "meaning": paper["meaning"],
            "document": escape_markdown(paper["what"]),
            "business": escape_markdown(paper["business"]),
            "state": paper["state"],
            "signed at": paper["sealed_at"],
            "SHA-256": paper["sha256"],
        }
        parts.append(format_fact_list(f"File: {paper['verdict']}", said))
    wrong = [f"- {one['text']}" for one in chain["problems"]]
    head = f"Audit trail: {format_count(len(wrong), 'problem')}" if wrong else "The audit trail is intact"
    pairs = {"records": chain["records"], "newest hash": chain["head"]}
    parts.append("\n".join([format_fact_list(head, pairs), *wrong]))
    return parts
